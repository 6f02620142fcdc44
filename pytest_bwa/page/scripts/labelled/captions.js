// Uses: labelled/scope.js

// What stands above or beside values and names them: headings, and captions in whatever type.

// What a heading inside of it does not reach beyond.
const BOUNDS = wordSet(
  "SECTION ARTICLE ASIDE NAV MAIN FIELDSET DETAILS DIALOG TABLE TD TH LI DD FORM",
);
const CHOICE = "[aria-haspopup], [aria-expanded]";
const LINE_LENGTH = 120; // characters, of the first line of a box
const SLACK = 20; // characters beside a heading, such as a number or a button

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
