// Uses: labelled/contents.js
// Uses: prelude/background.js
// Uses: prelude/regions.js

/**
 * Where the walk is: what every value found from here on has in common.
 * @typedef {object} Scope
 * @property {string[]} regions The regions around it, the outermost first
 * @property {{ level: number, text: string, reach: number }[]} headings The headings above it, and
 *   how many containers each reaches beyond
 */

// What somebody says, what is shown as an example, and what the page says for a moment.
const MESSAGES =
  "blockquote, figure, output, [aria-live]:not([aria-live=off]), [role=log], [role=feed], " +
  "[role=status], [role=alert], [role=timer], [role=marquee], [role=tooltip], [role=note]";
// What a heading inside of it does not reach beyond.
const BOUNDS = /^(SECTION|ARTICLE|ASIDE|NAV|MAIN|FIELDSET|DETAILS|DIALOG|TABLE|TD|TH|LI|DD|FORM)$/;
const NAMED_ALONE = /^(MAIN|INPUT|SELECT|TEXTAREA|IMG|SVG|I|A|BUTTON|SPAN)$/; // and no section
const CAPTION_LENGTH = 60; // characters
const CAPTION_LEVEL = 7; // below every heading
const SECTION_LEVEL = 0; // of a section's own name, which no heading inside of it ends
let hasMain = false;
let ownArticles = "article";

/** @returns {Scope} */
function topScope() {
  const hasTitle = findAll(document, "h1").some((el) => isShown(el));
  const isAlone = !hasTitle && findAll(document, "article, [role=article]").length === 1;
  ownArticles = isAlone ? "*" : ":has(h1)";
  hasMain = findAll(document, "main, [role=main]").some((el) => isShown(el));
  return { regions: [], headings: [] };
}

function headingLevel(el) {
  const role = attributeOf(el, "role");
  if (role === "heading") return +(attributeOf(el, "aria-level") || tagOf(el)[1] || 2);
  return role ? 0 : +(/^H([1-6])$/.exec(tagOf(el))?.[1] ?? 0);
}

// The scope inside an element; the outer one stays as it is.
function innerScope(el, scope) {
  const region = isMessage(el) ? "comment" : regionOf(el);
  const isOther = region && (region !== "article" || !call(el, "matches", ownArticles));
  const regions = isOther ? [...scope.regions, region] : scope.regions;
  const headings = region === "main" ? [] : scope.headings;
  return under({ regions, headings }, nameOfSection(el), SECTION_LEVEL);
}

function isMessage(el) {
  return call(el, "matches", MESSAGES) || /comment/i.test(attributeOf(el, "class") || "");
}

// What a section, a group or a table is called; for a cell or description that may have labels of
// its own inside, what stands before it.
function nameOfSection(el) {
  const label = labelElementOf(el);
  const cell = /^(TD|DD)$/.test(tagOf(el)) && member(el, "previousElementSibling");
  if (label || cell) return fold(textOf(label || cell), CAPTION_LENGTH);
  if (NAMED_ALONE.test(tagOf(el))) return "";
  return fold(textOfIds(el, "aria-labelledby") || attributeOf(el, "aria-label"), CAPTION_LENGTH);
}

// The scope under a heading; those of the same or a lower rank end with it.
function under(scope, text, level = CAPTION_LEVEL) {
  const isKnown = !text || scope.headings.at(-1)?.text === text;
  if (level === SECTION_LEVEL && isKnown) return { ...scope };
  const above = scope.headings.filter((heading) => heading.level < level || !level);
  return { ...scope, headings: text ? [...above, { level, text, reach: 1 }] : above };
}

// The element that holds all of an element's text: the <b> of <p><b>Caption</b></p>.
function innermost(el) {
  const [child, ...others] = childrenOf(el);
  const isAll = child && !others.length && fold(child.textContent) === fold(el.textContent);
  return isAll ? innermost(child) : el;
}

// Whether an element that is no heading stands above the next one as its caption: short and set off.
function isCaption(el, next) {
  if (!next || regionOf(el) || el.textContent.length > 4 * CAPTION_LENGTH) return false;
  const text = textOf(el);
  if (!text || text.length > CAPTION_LENGTH || /[\n:：]/.test(text)) return false;
  const [style, below] = [getComputedStyle(el), getComputedStyle(next)];
  if (!BLOCKS.test(style.display) && !BLOCKS.test(below.display)) return false;
  const inner = innermost(el);
  if (tagOf(inner) === "A") return true; // the link to what the next block describes
  if (!BLOCKS.test(style.display) && !/^(B|STRONG)$/.test(tagOf(inner))) return false; // a badge
  const own = getComputedStyle(inner);
  const isLarge = parseFloat(own.fontSize) > 1.15 * parseFloat(below.fontSize);
  const isSetOff = !CLEAR.test(style.backgroundColor) || style.borderBottomWidth !== "0px";
  return +own.fontWeight >= 600 || own.textTransform === "uppercase" || isLarge || isSetOff;
}

// Whether the second of two neighbours stands beside the first, and not below it.
function isBeside(first, second) {
  const [a, b] = [boxOf(first), boxOf(second)];
  return b.left >= a.right - 1 || b.right <= a.left + 1;
}
