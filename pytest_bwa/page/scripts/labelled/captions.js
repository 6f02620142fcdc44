// Uses: labelled/scope.js

// What stands above or beside values and names them: headings, and captions in whatever type.

// What a heading inside of it does not reach beyond.
const BOUNDS = wordSet(
  "SECTION ARTICLE ASIDE NAV MAIN FIELDSET DETAILS DIALOG TABLE TD TH LI DD FORM",
);
const CHOICE = "[aria-haspopup], [aria-expanded]";
const LINE_LENGTH = 120; // characters, of the first line of a box
const SLACK = 20; // characters beside a heading, such as a number or a button
const LARGER = 1.15; // times the size of another type
const INITIALS = /^\s*\p{Lu}{1,3}\s*$/u; // in place of a picture
const LISTS_OF_PARTS = wordSet("UL OL");
const ELSEWHERE = "a[href]:not([href^='#'])";
const A_WORD = /\p{L}{3}/u;
const NO_VALUES = /^(link|heading)$/; // kinds that are no values

// The headings above what follows an element, or the caption that the element is: of the box that it
// is the first line of, in whatever type, or of what stands below it. `found` is what stands in it.
function headingsAfter(el, next, { headings, begun }, found) {
  if (!next) return headings;
  const values = found.filter(({ kind }) => !NO_VALUES.test(kind));
  const inside = values.length ? headingsIn(el) : headingsOfHead(el);
  if (hasInside(el, HEADINGS) || headingLevel(el)) return inside.reduce(under, headings);
  if (values.length) {
    const isHead = values.length === 1 && isHeadOfCard(el, values[0], begun);
    return isHead ? under(headings, { level: CAPTION_LEVEL, text: values[0].label }) : headings;
  }
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

// Whether what looks like a label with its value is the head of what stands below it: a name, and in
// weaker type below it what is named, or a line that begins a box and is set off.
function isHeadOfCard(el, { kind, record }, begun) {
  if (record || isOneOf(el)) return false;
  if (kind === "text") return isSetOff(el) && begun.some(isBox);
  const parts = textNodes(el).filter(({ data }) => !INITIALS.test(data));
  const [name, ...others] = parts.map(elementOfNode);
  const isBelow = (other) => boxOf(other).top >= boxOf(name).bottom - 1;
  return others.length > 0 && others.every((one) => isBelow(one) && standsOut(name, one));
}

// Whether a neighbour, next to it or not, has one of the classes of an element.
function isOneOf(el) {
  const parent = flatParent(el);
  const others = parent ? childrenOf(parent).filter((one) => one !== el) : [];
  return others.some((one) => signsOf(one).some((sign) => signsOf(el).includes(sign)));
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

// What names the values that stand beside it: a short text, or the one open entry of a list. A row of
// links has none.
function captionBeside(el, next) {
  if (isOrHas(el, "label") || (isOrHas(next, "a[href]") && isLine(next))) return "";
  if (LISTS_OF_PARTS.has(tagOf(el))) return openEntry(el);
  const text = regionOf(el) ? "" : shortText(el, CAPTION_LENGTH);
  return isLine(el) && A_WORD.test(text) ? text : "";
}

// The one entry of a list that is painted otherwise than all others, which are alike.
function openEntry(list) {
  if (hasInside(list, ELSEWHERE)) return "";
  const looks = new Map();
  for (const entry of shownChildren(list)) {
    const { color, backgroundColor, fontWeight } = styleOf(innermost(entry));
    const look = [color, backgroundColor, fontWeight].join();
    looks.set(look, [...(looks.get(look) ?? []), entry]);
  }
  const [odd, others] = sortedBy([...looks.values()], (entries) => entries.length);
  return looks.size === 2 && odd.length === 1 && others.length > 1 ? textOf(odd[0]) : "";
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
// is a link, set off, or the unit of the numbers below it. A button as wide as what it unfolds is one.
function isCaption(el, next) {
  const isBlock = BLOCKS.has(styleOf(el).display) || areaOf(el).width >= areaOf(next).width;
  if (!isBlock && !BLOCKS.has(styleOf(next).display)) return false;
  const text = regionOf(el) ? "" : shortText(el, CAPTION_LENGTH);
  if (!text || /[\n:：]/.test(text)) return false;
  const inner = leadOf(el, text);
  const { fontWeight, textTransform } = styleOf(inner);
  if (tagOf(inner) === "A" || +fontWeight >= 600) return true;
  const isNamed = standsOut(inner, next) || isSetOff(el) || isUnit(text);
  return isBlock && (isNamed || textTransform === "uppercase");
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
