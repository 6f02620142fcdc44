// Uses: labelled/contents.js
// Uses: prelude/background.js
// Uses: prelude/headings.js
// Uses: prelude/regions.js

/**
 * Where the walk is: what every value found from here on has in common.
 * @typedef {object} Scope
 * @property {string[]} regions The regions around it, the outermost first
 * @property {Heading[]} headings The headings above it
 * @property {Element[]} begun The elements around it that began with it
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
// What a heading inside of it does not reach beyond.
const BOUNDS = wordSet(
  "SECTION ARTICLE ASIDE NAV MAIN FIELDSET DETAILS DIALOG TABLE TD TH LI DD FORM",
);
const VALUE_CELLS = wordSet("TD DD");
const CHOICE = "[aria-haspopup], [aria-expanded]";
const LAYOUT = "table, dl"; // inside of a cell
const WRAPPERS = wordSet("DIV SPAN");
const NAMED_ALONE = wordSet("MAIN INPUT SELECT TEXTAREA IMG SVG I A BUTTON SPAN"); // and no section
const HEADINGS = "h1, h2, h3, h4, h5, h6, [role=heading]";
const BOXES = wordSet("SECTION ARTICLE FIELDSET LI"); // however they are painted
const CAPTION_LENGTH = 60; // characters
const LINE_LENGTH = 120; // characters, of the first line of a box
const SLACK = 20; // characters beside a heading, such as a number or a button
const CAPTION_LEVEL = 7; // below every heading
const SECTION_LEVEL = 0; // of a section's own name, which no heading inside of it ends
let hasMain = false;
/** @type {Element | undefined} */
let title; // the page's first heading

/** @returns {Scope} */
function topScope() {
  const [main] = findAll(document, "main, [role=main]").filter((el) => isShown(el));
  hasMain = main !== undefined;
  title = findAll(main ?? document, HEADINGS).find((el) => isShown(el));
  return { regions: [], headings: [], begun: [] };
}

// The scope inside an element. An article is somebody's words, unless the page's title is in it.
function scopeInside(el, scope) {
  const region = isMessage(el) ? "comment" : regionOf(el);
  const isOwn = region === "article" && findAll(el, "h1").length > 0;
  const regions = region && !isOwn ? [...scope.regions, region] : scope.regions;
  const headings = region === "main" ? [] : scope.headings;
  const name = { level: SECTION_LEVEL, text: nameOfSection(el) };
  const isKnown = !name.text || headings.at(-1)?.text === name.text;
  return { ...scope, regions, headings: isKnown ? headings : under(headings, name) };
}

function isMessage(el) {
  return matches(el, MESSAGES) || /comment/i.test(attributeOf(el, "class") || "");
}

// What a section, a group or a table is called; for a cell or description that may have labels of
// its own inside, what stands before it, unless that is another column of a layout.
function nameOfSection(el) {
  const label = labelElementOf(el);
  if (label) return fold(textOf(label), CAPTION_LENGTH);
  const cell = VALUE_CELLS.has(tagOf(el)) && member(el, "previousElementSibling");
  if (cell) return hasInside(cell, LAYOUT) ? "" : fold(textOf(cell), CAPTION_LENGTH);
  if (NAMED_ALONE.has(tagOf(el))) return "";
  return fold(textOfIds(el, "aria-labelledby") || attributeOf(el, "aria-label"), CAPTION_LENGTH);
}

// The headings once another one has begun: those of the same or a lower rank end with it.
function under(headings, { level, text, reach = 1 }) {
  const above = headings.filter((heading) => heading.level < level || !level);
  return text ? [...above, { level, text, reach }] : above;
}

// The headings above what follows an element, or the caption that the element is: of the box that it
// is the first line of, in whatever type, or of what stands below it.
function headingsAfter(el, next, { headings, begun }, hasValues) {
  if (!next) return headings;
  const inside = hasValues ? headingsIn(el) : headingsOfHead(el);
  if (hasValues || hasInside(el, HEADINGS) || headingLevel(el))
    return inside.reduce(under, headings);
  const isBelowCaption = headings.some(({ level }) => level >= CAPTION_LEVEL);
  const mayBegin = begun.some(isBox);
  const isText = (isBelowCaption || mayBegin) && isLine(el); // others need not be read for this
  const isNamed = isCaption(el, next) || (isText && mayBegin);
  // Lines below a caption say more of what it names; anything else ends it.
  if (!isNamed && (isText || !isBelowCaption)) return headings;
  const text = isNamed ? textOf(el) : "";
  const isSame = isNamed && headings.at(-1)?.text === text;
  return isSame ? headings : under(headings, { level: CAPTION_LEVEL, text });
}

// The headings in an element without values that says little more than these: the head of what stands
// beside or below it, however deep they are.
function headingsOfHead(el) {
  const found = headingLevel(el) ? [el] : findAll(el, HEADINGS);
  const inside = found.filter((one) => isShown(one) && !isBoundIn(el, one));
  const texts = inside.map((one) => textOfHeading(one));
  if (fold(el.textContent).length > texts.join("").length + LINE_LENGTH) return [];
  return inside.map((one, n) => ({ level: headingLevel(one), text: texts[n] }));
}

// Whether a heading inside an element stands in a part that it does not reach beyond.
function isBoundIn(el, heading) {
  if (BOUNDS.has(tagOf(el))) return true;
  for (let up = heading; up && up !== el; up = flatParent(up)) {
    if (BOUNDS.has(tagOf(up))) return true;
  }
  return false;
}

// What a heading says, with the choice that a button in it states: "Details of [Guarantor ▾]".
function textOfHeading(el) {
  return hasInside(el, CHOICE) ? flatText(el) : textOf(el);
}

// Whether an element is an entry, one of several that look alike, or a box of its own on the page; the
// one around it all is none.
function isBox(el) {
  if (/^(MAIN|BODY)$/.test(tagOf(el)) || hasInside(el, "h1")) return false;
  if (title && call(el, "contains", title)) return false;
  if (BOXES.has(tagOf(el)) || member(el, "shadowRoot") || isOneOfSeveral(el)) return true;
  const style = styleOf(el);
  const isFramed = style.borderTopWidth !== "0px" && style.borderBottomWidth !== "0px";
  if (isFramed || style.boxShadow !== "none" || style.backgroundImage !== "none") return true;
  return !CLEAR.test(style.backgroundColor);
}

function isOneOfSeveral(el) {
  const beside = ["previousElementSibling", "nextElementSibling"].map((name) => member(el, name));
  return attributeOf(el, "class") && beside.some((one) => one && signOf(one) === signOf(el));
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

// Whether an element is one line of text, and no label.
function isLine(el) {
  const text = shortText(el, LINE_LENGTH);
  return text !== "" && !/\n|:(\s|$)|：/.test(text);
}

// The text of an element; empty if it is longer.
function shortText(el, length) {
  const text = el.textContent.length > 4 * length ? "" : textOf(el);
  return text.length > length ? "" : text;
}

// Whether an element that is no heading stands above the next one as its caption: a short line that
// is a link, set off, or the unit of the numbers below it.
function isCaption(el, next) {
  const [style, below] = [styleOf(el), styleOf(next)];
  const isBlock = BLOCKS.has(style.display);
  if (!isBlock && !BLOCKS.has(below.display)) return false;
  const text = regionOf(el) ? "" : shortText(el, CAPTION_LENGTH);
  if (!text || /[\n:：]/.test(text)) return false;
  const inner = leadOf(el, text);
  const own = styleOf(inner);
  const isNamed = tagOf(inner) === "A" || +own.fontWeight >= 600;
  if (!isBlock) return isNamed;
  const isLarge = parseFloat(own.fontSize) > 1.15 * parseFloat(below.fontSize);
  const isSetOff = !CLEAR.test(style.backgroundColor) || style.borderBottomWidth !== "0px";
  return isNamed || isLarge || isSetOff || isUnit(text) || own.textTransform === "uppercase";
}

// Whether a text is the unit of numbers.
function isUnit(text) {
  const hasSign = /[$%]/.test(text) || (NOT_ASCII.test(text) && /\p{Sc}/u.test(text));
  return hasSign && !/\d/.test(text);
}

// The element that holds an element's text: the <b> of <p><b>Caption</b></p>, also where an icon, a
// badge or a button stands beside it.
function leadOf(el, text) {
  const [first] = textNodes(el);
  const isLead = first && text.length - fold(first.data).length <= SLACK && !isOrHas(el, "label");
  return isLead ? flatParent(first) : innermost(el);
}

function innermost(el) {
  const [child, ...others] = childrenOf(el);
  const isAll = child && !others.length && fold(child.textContent) === fold(el.textContent);
  return isAll ? innermost(child) : el;
}

// The headings that reach beyond the end of an element: out of containers that hold nothing else but
// a number or a button, and out of one more.
function headingsIn(el) {
  const level = headingLevel(el);
  if (report.spent.has(el)) return [];
  if (level) return [{ level, text: textOfHeading(el), reach: 1 }];
  if (BOUNDS.has(tagOf(el)) || !isShown(el) || !hasInside(el, HEADINGS)) return [];
  const length = fold(el.textContent).length;
  return shownChildren(el)
    .flatMap(headingsIn)
    .map(({ level, text, reach }) => ({
      level,
      text,
      reach: length <= text.length + SLACK ? reach : reach - 1,
    }))
    .filter(({ reach }) => reach >= 0);
}

function shownChildren(el) {
  return partsOf(el).filter((node) => tagOf(node) && (isShown(node, RENDERED) || isBoxless(node)));
}

// The nodes in an element. Those in a wrapper that has no box stand in the element itself, unless the
// wrapper is a part of the page by its name, its role or its class.
function partsOf(el) {
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
  const [a, b] = [areaOf(first), areaOf(second)];
  return b.left >= a.right - 1 || b.right <= a.left + 1;
}

// Where an element is painted; of one without a box, what is in it.
function areaOf(el) {
  const box = boxOf(el);
  if (box.width || box.height || !isBoxless(el)) return box;
  const range = call(document, "createRange");
  range.selectNodeContents(el);
  return range.getBoundingClientRect();
}
