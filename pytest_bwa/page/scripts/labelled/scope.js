/**
 * Where the walk is: what every value found from here on has in common.
 * @typedef {object} Scope
 * @property {string[]} regions The regions around it, the outermost first
 * @property {Heading[]} headings The headings above it
 * @property {Element[]} begun The elements around it that began with it
 * @property {Element | null} previous What stands right before it, if it has values
 */
/**
 * Parts that stand side by side: the headings above them, and the parts that are heads of the others.
 * @typedef {{ above: Heading[], heads: Element[] }} Line
 */
/**
 * A heading, and how many more containers it reaches beyond.
 * @typedef {{ level: number, text: string, reach?: number }} Heading
 */

// What somebody says, what is shown as an example, and what the page says for a moment.
const MESSAGES =
  "blockquote, figure, output, [aria-live]:not([aria-live=off]), [role=log], [role=feed], " +
  "[role=status], [role=alert], [role=timer], [role=marquee], [role=tooltip], [role=note]";
const VALUE_CELLS = wordSet("TD DD");
const LAYOUT = "table, dl"; // inside of a cell
const WRAPPERS = wordSet("DIV SPAN");
const NAMED_ALONE = wordSet("MAIN INPUT SELECT TEXTAREA IMG SVG I A BUTTON SPAN"); // and no section
const HEADINGS = "h1, h2, h3, h4, h5, h6, [role=heading]";
const BOXES = wordSet("SECTION ARTICLE FIELDSET LI"); // however they are painted
const PANE_IDS = ["href", "data-target", "data-bs-target"];
const PANE_TABS = "a[href^='#'], [data-target^='#'], [data-bs-target^='#']";
const OPEN_TABS = "[role=tab][aria-selected=true]";
const OPENERS = `${OPEN_TABS}[aria-controls], [aria-expanded=true][aria-controls]`;
const CAPTION_LENGTH = 60; // characters
const CAPTION_LEVEL = 7; // below every heading
const SECTION_LEVEL = 0; // of a section's own name, which no heading inside of it ends
let hasMain = false;
/** @type {Element | undefined} */
let title; // the page's first heading
/** @type {Map<string, string>} */
let panes = new Map();
let openTab = "";

/** @returns {Scope} */
function topScope() {
  const [main] = findAll(document, "main, [role=main]").filter((el) => isShown(el));
  hasMain = main !== undefined;
  title = findAll(main ?? document, HEADINGS).find((el) => isShown(el));
  panes = namesOfPanes();
  openTab = nameOfOpenTab();
  return { regions: [], headings: [], begun: [], previous: null };
}

// The scope inside an element. An article is somebody's words, unless the page's title is in it.
function scopeInside(el, scope) {
  const region = isMessage(el) ? "comment" : regionOf(el);
  const isOwn = region === "article" && hasInside(el, "h1");
  const regions = region && !isOwn ? [...scope.regions, region] : scope.regions;
  const headings = region === "main" ? [] : scope.headings;
  const name = { level: SECTION_LEVEL, text: nameOfSection(el) };
  const isKnown = !name.text || headings.at(-1)?.text === name.text;
  return { ...scope, regions, headings: isKnown ? headings : under(headings, name) };
}

// A field that can be commented on ("commentable") is no comment.
function isMessage(el) {
  return matches(el, MESSAGES) || /comment(?!able)/i.test(attributeOf(el, "class") || "");
}

// What a section, a group or a table is called; for a cell or description that may have labels of
// its own inside, what stands before it, unless that is another column of a layout.
function nameOfSection(el) {
  const label = labelElementOf(el);
  if (label) return fold(textOf(label), CAPTION_LENGTH);
  const cell = VALUE_CELLS.has(tagOf(el)) && member(el, "previousElementSibling");
  if (cell) return hasInside(cell, LAYOUT) ? "" : fold(textOf(cell), CAPTION_LENGTH);
  if (NAMED_ALONE.has(tagOf(el))) return "";
  const name = textOfIds(el, "aria-labelledby") || attributeOf(el, "aria-label") || nameOfPane(el);
  return fold(name, CAPTION_LENGTH);
}

// What a part is called by the tab or the button that opened it, and of several panes the one that
// is shown by its link or button, as by tabs without roles. A panel that nothing names is that of the
// open tab.
function nameOfPane(el) {
  const id = attributeOf(el, "id");
  const name = id && panes.get(id);
  return name || (attributeOf(el, "role") === "tabpanel" && openTab) || "";
}

// The name of the page's open tab; empty if several are open, as with several rows of tabs.
function nameOfOpenTab() {
  const open = findAll(document, OPEN_TABS).filter((tab) => isShown(tab));
  return open.length === 1 ? textOf(open[0]) : "";
}

// The names of the panes that are shown while another one of the same list is not, and of what says
// that it was opened, by their ids.
function namesOfPanes() {
  const lists = new Map();
  for (const tab of findAll(document, PANE_TABS)) {
    const id = PANE_IDS.map((name) => attributeOf(tab, name) ?? "").find((one) => /^#./.test(one));
    const pane = id ? findAll(document, `[id="${CSS.escape(id.slice(1))}"]`)[0] : undefined;
    const list = closest(tab, "ul, ol") ?? flatParent(tab);
    if (id && pane && list) lists.set(list, [...(lists.get(list) ?? []), { id, tab, pane }]);
  }
  const shown = [...lists.values()].flatMap((tabs) => {
    const open = tabs.filter(({ pane }) => isShown(pane));
    return open.length < tabs.length ? open : [];
  });
  const names = new Map(shown.map(({ id, tab }) => [id.slice(1), textOf(tab)]));
  for (const opener of findAll(document, OPENERS)) {
    for (const id of (attributeOf(opener, "aria-controls") || "").split(/\s+/))
      names.set(id, textOf(opener));
  }
  return names;
}

// The headings once another one has begun: those of the same or a lower rank end with it.
function under(headings, { level, text, reach = 1 }) {
  const above = headings.filter((heading) => heading.level < level || !level);
  return text ? [...above, { level, text, reach }] : above;
}

// Whether an element is an entry, one of several that look alike, or a box of its own on the page; the
// one around it all is none.
function isBox(el) {
  if (/^(MAIN|BODY)$/.test(tagOf(el)) || hasInside(el, "h1")) return false;
  if (title && call(el, "contains", title)) return false;
  if (BOXES.has(tagOf(el)) || member(el, "shadowRoot") || isOneOfSeveral(el)) return true;
  const style = styleOf(el);
  if (style.float !== "none") return true;
  const isFramed = style.borderTopWidth !== "0px" && style.borderBottomWidth !== "0px";
  if (isFramed || style.boxShadow !== "none" || style.backgroundImage !== "none") return true;
  return !CLEAR.test(style.backgroundColor);
}

function isOneOfSeveral(el) {
  return attributeOf(el, "class") && neighboursOf(el).some((one) => signOf(one) === signOf(el));
}

// The elements right before and right after an element.
function neighboursOf(el) {
  const names = ["previousElementSibling", "nextElementSibling"];
  return names.map((name) => member(el, name)).filter(Boolean);
}

// What neighbours have in common that look alike.
function signOf(el) {
  return `${tagOf(el)} ${attributeOf(el, "class") || ""}`;
}

// The same for each of the classes of an element.
function signsOf(el) {
  const classes = classesOf(el);
  return classes.length ? classes.map((one) => `${tagOf(el)} ${one}`) : [signOf(el)];
}

function shownChildren(el) {
  return partsOf(el).filter((node) => tagOf(node) && (isShown(node, RENDERED) || isBoxless(node)));
}

// The nodes in an element. Those in a wrapper that has no box stand in the element itself, unless the
// wrapper is a part of the page by its name, its role or its class.
function partsOf(el) {
  return once(el, "parts", partsNow);
}

function partsNow(el) {
  const nodes = flatChildren(el);
  if (!nodes.some(isWrapper)) return nodes; // as nearly always
  return nodes.flatMap((node) => (isWrapper(node) ? partsOf(node) : [node]));
}

function isWrapper(node) {
  if (!WRAPPERS.has(tagOf(node)) || isShown(node) || !isBoxless(node)) return false;
  return attributeOf(node, "role") === null && !isMessage(node) && !nameOfSection(node);
}

// Whether the second of two neighbours stands beside the first, and not below it.
function isBeside(first, second) {
  const a = areaOf(first);
  const b = areaOf(second);
  return b.left >= a.right - 1 || b.right <= a.left + 1;
}
