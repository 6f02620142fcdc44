// Uses: labelled/scope.js

// What stands above or beside values and names them: headings, and captions in whatever type.

// What a heading inside of it does not reach beyond.
const BOUNDS = wordSet(
  "SECTION ARTICLE ASIDE NAV MAIN FIELDSET DETAILS DIALOG TABLE TD TH LI DD FORM",
);
const CHOICE = "[aria-haspopup], [aria-expanded]";
const LINE_LENGTH = 120; // characters, of the first line of a box
const SLACK = 20; // characters beside a heading, such as a number or a button
const HALF_A_RANK = 0.5;
const LARGER = 1.15; // times the size of another type
const INITIALS = /^\s*\p{Lu}{1,3}\s*$/u; // in place of a picture
const ELSEWHERE = "a[href]:not([href^='#'])";
/** @type {Heading[]} */
const NO_HEADINGS = [];
const NO_VALUES = /^(link|heading)$/; // kinds that are no values

// The headings above what follows an element, or the caption that the element is: of the box that it
// is the first line of, in whatever type, or of what stands below it.
function headingsAfter(el, next, { headings, begun, previous }, values) {
  if (!next) return headings;
  const inside = values.length ? headingsIn(el) : headingsOfHead(el);
  if (hasInside(el, HEADINGS) || headingLevel(el)) return inside.reduce(under, headings);
  if (values.length) {
    const isHead = textOf(next) && isHeadOfCard(el, values, begun, next);
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
  const isSmall = isApart && matches(next, LAYOUT) && isOtherType(el, next);
  const isNamed = isCaption(el, next, isSmall) || (isText && mayBegin) || isAnnouncement(el, next);
  // Lines below a caption say more of what it names; anything else ends it.
  if (!isNamed && (isText || !isBelowCaption)) return headings;
  const text = isNamed ? textOf(el).split("\n")[0] : "";
  const isSame = isNamed && headings.at(-1)?.text === text;
  // What a box begins with names all of it, as the sender of a message does, whatever is said between.
  const level = isNamed && begun.some(isBox) ? CAPTION_LEVEL - HALF_A_RANK : CAPTION_LEVEL;
  return isSame ? headings : under(headings, { level, text });
}

// Whether an element says what the table or list of definitions below it is: "Permits look like this:".
function isAnnouncement(el, next) {
  return matches(next, LAYOUT) && /[:：]\s*$/.test(shortText(el, LINE_LENGTH));
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

// Whether what looks like a label with its value is the head of what stands below it: a name, and in
// weaker type below it what is named, or a line that begins a box, and is set off or stands above a
// table or a list of definitions.
function isHeadOfCard(el, values, begun, next) {
  const parent = flatParent(el);
  const [{ kind, record }, ...others] = values;
  if (others.length || record || regionOf(el) || isInRun(el)) return false;
  if (title && holds(parent ?? el, title)) return false;
  const isFirst = begun.some(isBox);
  if (isFirst && matches(next, LAYOUT)) return true;
  if (kind === "text") return isFirst && (isSetOff(el) || signOf(el) !== signOf(next));
  const parts = textNodes(el).filter(({ data }) => !INITIALS.test(data));
  const [name, ...rest] = parts.map(elementOfNode);
  const isBelow = (other) => boxOf(other).top >= boxOf(name).bottom - 1;
  const isWeaker = (other) => standsOut(name, other) || isPaler(other, name);
  return rest.length > 0 && rest.every((other) => isBelow(other) && isWeaker(other));
}

// Whether an element is one of several alike of which two stand together, as fields do; or one of several
// heads, of which each stands above what it names.
function isInRun(el) {
  return groupsOf(el).some(({ isRun }) => isRun);
}

function isOneOfHeads(el) {
  if (!attributeOf(el, "class") && !matches(el, BUTTONS)) return false; // as any paragraph
  return groupsOf(el).some(({ times }) => times > 1) && !isInRun(el);
}

// For each class of an element, how many neighbours have it, and whether two of these stand together.
function groupsOf(el) {
  const parent = flatParent(el);
  if (!parent) return [];
  const groups = report.groups.get(parent) ?? groupsIn(parent);
  report.groups.set(parent, groups);
  return signsOf(el).flatMap((sign) => groups.get(sign) ?? []);
}

function groupsIn(parent) {
  const groups = new Map();
  for (const [n, child] of childrenOf(parent).entries()) {
    for (const sign of signsOf(child)) {
      const { times, last, isRun } = groups.get(sign) ?? { times: 0, last: n, isRun: false };
      groups.set(sign, { times: times + 1, last: n, isRun: isRun || last === n - 1 });
    }
  }
  return groups;
}

// Whether the type of an element is heavier or larger than that of another.
function standsOut(el, other) {
  const [own, below] = [styleOf(el), styleOf(other)];
  const isLarger = parseFloat(own.fontSize) > LARGER * parseFloat(below.fontSize);
  return isLarger || +own.fontWeight > +below.fontWeight;
}

// Whether only the second of two texts has the colour of the texts around.
function isPaler(el, other) {
  const around = styleOf(document.body).color;
  return styleOf(other).color === around && styleOf(el).color !== around;
}

// Whether a text has another colour or size than what stands below it.
function isOtherType(el, next) {
  const [own, below] = [styleOf(innermost(el)), styleOf(next)];
  return own.color !== below.color || own.fontSize !== below.fontSize;
}

function isSetOff(el) {
  const style = styleOf(el);
  return !CLEAR.test(style.backgroundColor) || style.borderBottomWidth !== "0px";
}

// What names the values that stand beside it: a short text that is no badge, the name in the head of a
// card, or the open one of several entries. A row of links has none.
function captionBeside(el, next, values) {
  if (values.length) return isHeadOfCard(el, values, [], next) ? values[0].label : "";
  if (isOrHas(el, "label") || (isOrHas(next, "a[href]") && isLine(next))) return "";
  const text = regionOf(el) ? "" : shortText(el, CAPTION_LENGTH);
  const [line, ...others] = text.split("\n");
  const isBadge = !CLEAR.test(styleOf(el).backgroundColor) && styleOf(el).borderRadius !== "0px";
  const isNamed = hasWord(line) && !isBadge && !/[:：]/.test(text);
  return (others.length ? openEntry(el) : "") || (isNamed ? line : "");
}

// The one of several entries that is painted otherwise than most, best on a ground of its own.
function openEntry(list) {
  const entries = shownChildren(list);
  const isList = entries.length > 2 && entries.every((one) => tagOf(one) === tagOf(entries[0]));
  if (!isList || hasInside(list, ELSEWHERE)) return "";
  const looks = entries.map((entry) => {
    const { color, backgroundColor, fontWeight } = styleOf(innermost(entry));
    return [color, backgroundColor, fontWeight].join();
  });
  const isOdd = (_, n) => looks.indexOf(looks[n]) === looks.lastIndexOf(looks[n]);
  const odd = entries.filter(isOdd);
  if (!odd.length || odd.length === entries.length) return "";
  return textOf(odd.find((one) => !CLEAR.test(styleOf(one).backgroundColor)) ?? odd[0]);
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
// is a link, set off, in small type, the unit of the numbers below it, or one of several alike with
// something between them, as the buttons of an accordion are.
function isCaption(el, next, isSmall) {
  const isBlock = BLOCKS.has(styleOf(el).display);
  if (!isBlock && !BLOCKS.has(styleOf(next).display)) return false;
  const lines = regionOf(el) ? [] : shortText(el, CAPTION_LENGTH).split("\n").filter(saysSomething);
  if (lines.length !== 1 || /[:：]/.test(lines[0])) return false;
  const inner = leadOf(el, lines[0]);
  const { fontWeight, textTransform } = styleOf(inner);
  if (tagOf(inner) === "A" || +fontWeight >= 600) return true;
  if (isOneOfHeads(el)) return textOf(next) !== "";
  const isNamed = isSmall || standsOut(inner, next) || isSetOff(el) || isUnit(lines[0]);
  return isBlock && (isNamed || textTransform === "uppercase");
}

// Whether a text has three letters in a row.
function hasWord(text) {
  return /[A-Za-z]{3}/.test(text) || (NOT_ASCII.test(text) && /\p{L}{3}/u.test(text));
}

// Whether a text is the unit of numbers.
function isUnit(text) {
  const hasSign = /[$%]/.test(text) || (NOT_ASCII.test(text) && /\p{Sc}/u.test(text));
  return hasSign && !/\d/.test(text);
}

// The element that holds an element's text: the <b> of <p><b>Caption</b></p>, also where an icon, a
// badge or a button stands beside it.
function leadOf(el, text) {
  const first = firstTextNode(el);
  const isLead = first && text.length - fold(first.data).length <= SLACK && !isOrHas(el, "label");
  return isLead ? flatParent(first) : innermost(el);
}

function innermost(el) {
  const [part, ...others] = flatChildren(el).filter((node) => tagOf(node) || firstTextNode(node));
  return part && !others.length && tagOf(part) ? innermost(part) : el;
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
