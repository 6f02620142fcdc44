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
// its own inside, what stands before it.
function nameOfSection(el) {
  const label = labelElementOf(el);
  const cell = VALUE_CELLS.has(tagOf(el)) && member(el, "previousElementSibling");
  if (label || cell) return fold(textOf(label || cell), CAPTION_LENGTH);
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
  const inside = headingsIn(el);
  if (!next || (hasValues && !inside.length)) return headings;
  if (inside.length) return isBeside(el, next) ? headings : inside.reduce(under, headings);
  const isText = isLine(el);
  const isNamed = isCaption(el, next) || (isText && begun.some(isBox));
  // Lines below a caption say more of what it names; anything else ends it.
  if (isText && !isNamed) return headings;
  const text = isNamed ? textOf(el) : "";
  const isSame = isNamed && headings.at(-1)?.text === text;
  return isSame || isBeside(el, next) ? headings : under(headings, { level: CAPTION_LEVEL, text });
}

// Whether an element is an entry, one of several that look alike, or a box of its own on the page; the
// one around it all is none.
function isBox(el) {
  if (/^(MAIN|BODY)$/.test(tagOf(el)) || hasInside(el, "h1")) return false;
  if (title && call(el, "contains", title)) return false;
  if (BOXES.has(tagOf(el)) || member(el, "shadowRoot") || isOneOfSeveral(el)) return true;
  const style = styleOf(el);
  const isFramed = style.borderTopWidth !== "0px" && style.borderBottomWidth !== "0px";
  return isFramed || style.boxShadow !== "none" || !CLEAR.test(style.backgroundColor);
}

function isOneOfSeveral(el) {
  const beside = ["previousElementSibling", "nextElementSibling"].map((name) => member(el, name));
  return attributeOf(el, "class") && beside.some((one) => one && signOf(one) === signOf(el));
}

// What neighbours have in common that look alike.
function signOf(el) {
  return `${tagOf(el)} ${attributeOf(el, "class") || ""}`;
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
  const inner = innermost(el);
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

// The element that holds all of an element's text: the <b> of <p><b>Caption</b></p>.
function innermost(el) {
  const [child, ...others] = childrenOf(el);
  const isAll = child && !others.length && fold(child.textContent) === fold(el.textContent);
  return isAll ? innermost(child) : el;
}

// The headings that reach beyond the end of an element: out of containers that hold nothing else but
// a number or a button, and out of one more.
function headingsIn(el) {
  const level = headingLevel(el);
  if (level) return [{ level, text: textOf(el), reach: 1 }];
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
  // What has no box of its own has those of its children.
  const isBoxless = (child) => tagOf(child) === "SLOT" || styleOf(child).display === "contents";
  const isThere = (child) => isShown(child, RENDERED) || isBoxless(child);
  return flatChildren(el).filter((node) => tagOf(node) && isThere(node));
}

// Whether the second of two neighbours stands beside the first, and not below it.
function isBeside(first, second) {
  const [a, b] = [boxOf(first), boxOf(second)];
  return b.left >= a.right - 1 || b.right <= a.left + 1;
}
