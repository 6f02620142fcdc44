// Uses: prelude/flat_tree.js
// Uses: prelude/regions.js

/**
 * A heading, its rank, and how many containers it reaches beyond: `<div><h2>…</h2></div>` stands
 * above what follows the div.
 * @typedef {{ level: number, text: string, reach: number }} Heading
 */

/**
 * Where the walk is: what every value found from here on has in common.
 * @typedef {object} Scope
 * @property {string[]} regions The regions around it, the outermost first
 * @property {Heading[]} headings The headings above it
 * @property {{ text: string, name: string } | null} record The table row or card that it is part of
 */

// The walk asks for the text of an element several times.
/** @type {WeakMap<any, string>} */
let knownTexts = new WeakMap();

function forgetKnownTexts() {
  knownTexts = new WeakMap();
}

function textOf(node) {
  let text = knownTexts.get(node);
  if (text === undefined) {
    text = flatText(node);
    knownTexts.set(node, text);
  }
  return text;
}

// What somebody says, what is shown as an example, and what the page says for a moment.
const MESSAGES =
  "blockquote, figure, output, [aria-live]:not([aria-live=off]), [role=log], [role=feed], " +
  "[role=status], [role=alert], [role=timer], [role=marquee], [role=tooltip], [role=note]";
const HEADINGS = /^H[1-6]$/;
// What a heading inside of it does not reach beyond.
const BOUNDS = /^(SECTION|ARTICLE|ASIDE|NAV|MAIN|FIELDSET|DETAILS|DIALOG|TD|TH|LI|DD|FORM)$/;
const PICTURES = /^(IMG|SVG|I)$/;
const CAPTION_LENGTH = 60; // characters
const CAPTION_LEVEL = 7; // below every heading
const NEVER_CLOSED = 0; // the level of a section's own name
let hasMain = false;
let hasArticles = false;
let hasTitle = false;

/** @returns {Scope} */
function topScope() {
  const articles = findAll(document, "article, [role=article]");
  hasArticles = articles.length > 1;
  hasTitle = findAll(document, "h1").some((el) => isShown(el));
  hasMain = findAll(document, "main, [role=main]").some((el) => isShown(el));
  return { regions: [], headings: [], record: null };
}

function headingLevel(el) {
  const tag = tagOf(el);
  const role = attributeOf(el, "role");
  if (role === "heading") return +(attributeOf(el, "aria-level") || tag[1] || 2);
  return HEADINGS.test(tag) && !role ? +tag[1] : 0;
}

// The scope inside an element; the outer one stays as it is.
function innerScope(el, scope) {
  const region = writtenBySomebody(el) ? "comment" : regionOf(el);
  const holdsTitle = findAll(el, "h1").length > 0 || (!hasArticles && !hasTitle);
  const isOwn = region === "article" && holdsTitle;
  const regions = region && !isOwn ? [...scope.regions, region] : [...scope.regions];
  const headings = region === "main" ? [] : [...scope.headings];
  const name = labelAround(el) || nameOfSection(el);
  if (name && headings[headings.length - 1]?.text !== name) {
    headings.push({ level: NEVER_CLOSED, text: name, reach: 0 });
  }
  return { regions, headings, record: scope.record };
}

function writtenBySomebody(el) {
  return call(el, "matches", MESSAGES) || /comment/i.test(attributeOf(el, "class") || "");
}

// The label of a value that may have labels of its own inside.
function labelAround(el) {
  if (tagOf(el) === "DD") {
    let term = el.previousElementSibling;
    while (term && tagOf(term) === "DD") term = term.previousElementSibling;
    return term ? textOf(term) : "";
  }
  const first = /^(TD|TH)$/.test(tagOf(el)) && childrenOf(parentOf(el) ?? el)[0];
  return first && first !== el ? textOf(first) : "";
}

// What a section, a group or a table is called.
function nameOfSection(el) {
  const own = labelElementOf(el);
  if (own) return textOf(own);
  if (isField(el) || tagOf(el) === "MAIN" || PICTURES.test(tagOf(el))) return "";
  if (call(el, "matches", "a, button, [role=button], [role=link], span")) return "";
  return fold(textOfIds(el, "aria-labelledby") || attributeOf(el, "aria-label"), CAPTION_LENGTH);
}

// Adds a heading to the scope; those of the same or a lower rank end with it.
function openHeading(scope, level, text) {
  scope.headings = scope.headings.filter((heading) => heading.level < level);
  if (text) scope.headings.push({ level, text, reach: 1 });
}

// The element that holds all of an element's text: the <b> of <p><b>Caption</b></p>.
function innermost(el) {
  const [child, ...others] = childrenOf(el);
  const isAll = child && !others.length && fold(child.textContent) === fold(el.textContent);
  return isAll ? innermost(child) : el;
}

const BLOCKS = /^(block|flex|grid|list-item|table)$/;

// Whether an element that is no heading stands above the next one as its caption: short and set off.
function isCaption(el, next) {
  if (!next || regionOf(el) || el.textContent.length > 4 * CAPTION_LENGTH) return false;
  const style = getComputedStyle(el);
  if (![style, getComputedStyle(next)].some(({ display }) => BLOCKS.test(display))) return false;
  const text = textOf(el);
  if (!text || text.length > CAPTION_LENGTH || /[\n:：]/.test(text)) return false;
  const inner = innermost(el);
  if (tagOf(inner) === "A") return true; // the link to what the next block describes
  const isBlock = BLOCKS.test(style.display);
  if (!isBlock && !/^(B|STRONG)$/.test(tagOf(inner))) return false; // a badge behind the heading
  const own = getComputedStyle(inner);
  const isLarge = parseFloat(own.fontSize) > 1.15 * parseFloat(getComputedStyle(next).fontSize);
  const isSetOff =
    style.backgroundColor !== "rgba(0, 0, 0, 0)" || style.borderBottomWidth !== "0px";
  return +own.fontWeight >= 600 || own.textTransform === "uppercase" || isLarge || isSetOff;
}

// Whether the second of two neighbours stands beside the first, and not below it.
function isBeside(first, second) {
  const [a, b] = [boxOf(first), boxOf(second)];
  return b.left >= a.right - 1 || b.right <= a.left + 1;
}
