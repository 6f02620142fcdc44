// What stands above or beside values and names them: headings, and captions in whatever type.

// What a heading inside of it does not reach beyond.
const BOUNDS = wordSet(
  "SECTION ARTICLE ASIDE NAV MAIN FIELDSET DETAILS DIALOG TABLE TD TH LI DD FORM",
);
const CHOICE = "[aria-haspopup], [aria-expanded]";
const LINE_LENGTH = 120; // characters, of the first line of a box
const HALF_A_RANK = 0.5;
const LARGER = 1.15; // times the size of another type
/** @type {Heading[]} */
const NO_HEADINGS = [];
const NO_VALUES = /^(link|heading)$/; // kinds that are no values

// The headings above what follows an element, or the caption that the element is: of the box that it
// is the first line of, in whatever type, or of what stands below it.
function headingsAfter(el, next, { headings, begun, previous }, values) {
  if (!next) return headings;
  if (headingLevel(el) || hasInside(el, HEADINGS)) {
    return headingsOfHead(el).reduce(under, headings);
  }
  if (values.length) {
    const isHead = isHeadOfPart(values, begun, next);
    return isHead ? under(headings, { level: CAPTION_LEVEL, text: values[0].label }) : headings;
  }
  if (isFieldLike(el, previous) || isFieldLike(el, next)) return headings;
  const isBelowCaption = headings.some(({ level }) => level >= CAPTION_LEVEL);
  const isApart = previous !== null || begun.some((one) => !title || !holds(one, title));
  const before = isApart ? member(el, "previousElementSibling") : null;
  const isAfterRule = before !== null && tagOf(before) === "HR";
  const isBetween = previous !== null && !isOrHas(next, VALUE_FIELDS); // what a field is called
  const mayBegin = begun.some(isBox) || isBetween || isAfterRule;
  const isText = (isBelowCaption || mayBegin) && isLine(el); // others need not be read for this
  const isNamed = isCaption(el, next) || (isText && mayBegin);
  // Lines below a caption say more of what it names; anything else ends it.
  if (!isNamed && (isText || !isBelowCaption)) return headings;
  const text = isNamed ? textOf(el).split("\n")[0] : "";
  const isSame = isNamed && headings.at(-1)?.text === text;
  // What a box begins with names all of it, as the sender of a message does, whatever is said between.
  const level = isNamed && begun.some(isBox) ? CAPTION_LEVEL - HALF_A_RANK : CAPTION_LEVEL;
  return isSame ? headings : under(headings, { level, text });
}

// Whether what looks like a label with its value is the head of a table or a list of definitions: the
// first line of a box, or of another part that is not the page's own.
function isHeadOfPart([{ record }, ...others], begun, next) {
  if (others.length || record || !isOrHas(next, LAYOUT)) return false;
  const isOwn = begun.some((one) => title && holds(one, title));
  return begun.some(isBox) || (begun.length > 0 && !isOwn && matches(next, LAYOUT));
}

// Whether an element has parts as its neighbour has them: a field without a value beside others.
function isFieldLike(el, other) {
  if (!other || signOf(el) !== signOf(other)) return false;
  const [parts, others] = [childrenOf(el), childrenOf(other)];
  if (parts.length !== others.length) return false;
  return parts.length === 1 ? isFieldLike(parts[0], others[0]) : parts.length > 1;
}

// The headings as they hold for the element right below those that are new: they name all of it, so
// that in it only one of a higher rank ends them, and none if they begin a box.
function lasting(headings, { headings: before, begun }, next) {
  if (!next || headingLevel(next)) return headings;
  const isNew = (one) => !before.includes(one);
  const isOfBox = begun.some(isBox);
  const rank = ({ level }) => (isOfBox ? SECTION_LEVEL : level - HALF_A_RANK);
  return headings.map((one) => (isNew(one) ? { ...one, level: rank(one) } : one));
}

// Whether the type of an element is heavier or larger than that of another.
function standsOut(el, other) {
  const [own, below] = [styleOf(el), styleOf(other)];
  const isLarger = parseFloat(own.fontSize) > LARGER * parseFloat(below.fontSize);
  return isLarger || +own.fontWeight > +below.fontWeight;
}

function isSetOff(el) {
  const style = styleOf(el);
  return !CLEAR.test(style.backgroundColor) || style.borderBottomWidth !== "0px";
}

// What names the values that stand beside it: a short text that is no badge. A row of links has none.
function captionBeside(el, next, values) {
  if (values.length) return "";
  if (isOrHas(el, "label") || (isOrHas(next, "a[href]") && isLine(next))) return "";
  const text = regionOf(el) ? "" : shortText(el, CAPTION_LENGTH);
  const [line] = text.split("\n");
  const isBadge = !CLEAR.test(styleOf(el).backgroundColor) && styleOf(el).borderRadius !== "0px";
  return hasWord(line) && !isBadge && !/[:：]/.test(text) ? line : "";
}

// The headings in an element without values that says little more than these: the head of what stands
// beside or below it, however deep they are.
function headingsOfHead(el) {
  if (!headingLevel(el) && !hasInside(el, HEADINGS)) return NO_HEADINGS; // as nearly always
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
// is a link, set off, or in heavier, larger or capital type.
function isCaption(el, next) {
  const isBlock = BLOCKS.has(styleOf(el).display);
  if (!isBlock && !BLOCKS.has(styleOf(next).display)) return false;
  const lines = regionOf(el) ? [] : shortText(el, CAPTION_LENGTH).split("\n").filter(saysSomething);
  if (lines.length !== 1 || /[:：]/.test(lines[0])) return false;
  const inner = innermost(el);
  const { fontWeight, textTransform } = styleOf(inner);
  if (tagOf(inner) === "A" || +fontWeight >= 600) return true;
  return isBlock && (standsOut(inner, next) || isSetOff(el) || textTransform === "uppercase");
}

// Whether a text has three letters in a row.
function hasWord(text) {
  return /[A-Za-z]{3}/.test(text) || (NOT_ASCII.test(text) && /\p{L}{3}/u.test(text));
}

function innermost(el) {
  const part = onlyPart(el);
  return part ? innermost(part) : el;
}

// The one element in another that has all of its text; null if there is none.
function onlyPart(el) {
  const [part, ...others] = flatChildren(el).filter((node) => tagOf(node) || firstTextNode(node));
  return part && !others.length && tagOf(part) ? part : null;
}
