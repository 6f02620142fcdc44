// Uses: labelled/set_apart.js

// Values that stand apart from those below the page's title, and below no heading of their own, are the
// record's only if nothing else is painted with them: a line at the end, a choice above, a picture or a
// tooltip may say whose they are.

const MAY_SAY_WHOSE = "what stands beside it may say whose it is";
const IN_FLOW = /^(static|relative)$/;
const OUT_OF_TEXT = `svg, img, canvas, ${VALUE_FIELDS}`;
/** @typedef {{ el: any, doubt: string }} Group */

function doubtUnnamedGroups(found, sources) {
  const record = found.filter(({ kind }) => RECORD_KIND.test(kind));
  const known = onlyLetters(record.map(({ label, value }) => `${label} ${value}`).join(" "));
  const isField = (one) => matches(elementOfNode(sources.get(one)[0]), VALUE_FIELDS);
  const isContent = ({ regions }) => String(regions) === (hasMain ? "main" : "");
  const own = record.filter((one) => !one.record && isContent(one) && !isField(one));
  /** @type {Group | null} */
  let group = null;
  for (let n = 1; n < own.length; n++) {
    const [before, value] = [own[n - 1], own[n]];
    const [last, el] = [before, value].map((one) => elementOfNode(sources.get(one)[0]));
    if (!group || !holds(group.el, el)) group = groupOf(last, el, known);
    const isUnnamed = String(value.headings) === String(own[0].headings);
    if (isUnnamed && group) value.doubt ||= group.doubt;
  }
}

// The outermost element around a value that does not hold the one before it, and what speaks against it.
function groupOf(last, el, known) {
  const way = [el];
  while (way[0] && !holds(way[0], last)) way.unshift(flatParent(way[0]));
  const [around, branch] = way;
  if (!around || !branch) return null;
  const children = flatChildren(around).filter((node) => tagOf(node));
  const from = children.findIndex((one) => holds(one, last));
  const between = children.slice(from + 1, children.indexOf(branch));
  const isOneList = closest(el, LAYOUT) !== null && closest(el, LAYOUT) === closest(last, LAYOUT);
  const isRow = signOf(children[from] ?? el) === signOf(branch) && !isOrHas(branch, LAYOUT);
  if (isOneList || isRow) return null;
  const isNamed = way.slice(1).some((one) => !isPlainBox(one));
  const isUnknown = [...between, branch].some((one) => saysMore(one, known));
  return { el: branch, doubt: isNamed || isUnknown ? MAY_SAY_WHOSE : "" };
}

// Whether a box has no words of its own, and stands where it is written.
function isPlainBox(el) {
  if (attributeOf(el, "title") || attributeOf(el, "popover") !== null) return false;
  return IN_FLOW.test(styleOf(el).position) && !addedWords(el);
}

// Whether an element paints something that is no part of what the page labels.
function saysMore(el, known) {
  if (!isShownOrBoxless(el)) return false;
  if (addedWords(el)) return true;
  const isChoice = (one) => matches(one, CHOICE) && saysSomething(textOf(one));
  const apart = all([el], `${OUT_OF_TEXT}, ${CHOICE}`).filter((one) => isShown(one));
  if (apart.some((one) => matches(one, OUT_OF_TEXT) || isChoice(one))) return true;
  return textNodes(el).some(({ data }) => !known.includes(onlyLetters(data)));
}

function onlyLetters(text) {
  return text.replace(/[^\p{L}\p{N}]/gu, "");
}
