// Uses: labelled/set_apart.js

// Values that stand apart from those below the page's title, and below no heading of their own, are the
// record's only if nothing else is painted with them: a line at the end, a choice above, a picture or a
// tooltip may say whose they are.

const MAY_SAY_WHOSE = "what stands beside it may say whose it is";
const IN_FLOW = /^(static|relative)$/;
const OUT_OF_TEXT = `svg, img, canvas, ${VALUE_FIELDS}`;
/** @typedef {{ el: any, doubt: string }} Group */

function doubtUnnamedGroups(found, sources) {
  const elementOf = (one) => elementOfNode(sources.get(one)[0]);
  const record = found.filter(({ kind }) => RECORD_KIND.test(kind));
  const isContent = ({ regions }) => String(regions) === (hasMain ? "main" : "");
  const own = record
    .filter((one) => !one.record && isContent(one))
    .map((value) => ({ value, el: elementOf(value) }))
    .filter(({ el }) => !matches(el, VALUE_FIELDS));
  const known = {
    words: onlyLetters(record.map(({ label, value }) => `${label} ${value}`).join(" ")),
    rows: new Set(own.flatMap(({ el }) => signsOfRow(flatParent(el)))),
  };
  /** @type {Group | null} */
  let group = null;
  for (let n = 1; n < own.length; n++) {
    const { value, el } = own[n];
    if (!group || !holds(group.el, el)) group = groupOf(own[n - 1].el, el, known);
    const isUnnamed = String(value.headings) === String(own[0].value.headings);
    if (isUnnamed && group) value.doubt ||= group.doubt;
  }
}

// The outermost element around a value that does not hold the one before it, and what speaks against it.
function groupOf(last, el, known) {
  const list = closest(el, LAYOUT);
  if (list && list === closest(last, LAYOUT)) return null; // before its entries are counted for each
  const way = [el];
  while (way[0] && !holds(way[0], last)) way.unshift(flatParent(way[0]));
  const [around, branch] = way;
  if (!around || !branch) return null;
  const children = flatChildren(around).filter((node) => tagOf(node));
  const from = children.findIndex((one) => holds(one, last));
  const between = children.slice(from + 1, children.indexOf(branch));
  const isRow = signOf(children[from] ?? el) === signOf(branch) && !isOrHas(branch, LAYOUT);
  if (isRow) return null;
  const isNamed = way.slice(1).some((one) => !isPlainBox(one));
  const isUnknown = [...between, branch].some((one) => saysMore(one, known));
  return { el: branch, doubt: isNamed || isUnknown ? MAY_SAY_WHOSE : "" };
}

// Whether a box has no words of its own, and stands where it is written.
function isPlainBox(el) {
  if (attributeOf(el, "title") || attributeOf(el, "popover") !== null) return false;
  return IN_FLOW.test(styleOf(el).position) && !addedWords(el);
}

// Whether an element paints something that is no part of what the page labels, nor of a row that is built
// like the rows of what it labels.
function saysMore(el, known) {
  if (!isShownOrBoxless(el)) return false;
  if (addedWords(el)) return true;
  const isChoice = (one) => matches(one, CHOICE) && saysSomething(textOf(one));
  const apart = all([el], `${OUT_OF_TEXT}, ${CHOICE}`).filter((one) => isShown(one));
  const drawn = apart.filter((one) => matches(one, OUT_OF_TEXT) || isChoice(one));
  const texts = textNodes(el).filter(({ data }) => !known.words.includes(onlyLetters(data)));
  return [...drawn, ...texts].some((node) => !isInRow(elementOfNode(node), el, known.rows));
}

// Whether something stands in a cell with another one beside it, or in a row like others that are read.
function isInRow(el, branch, rows) {
  const cell = closest(el, "dt, dd, td, th");
  if (cell && holds(branch, cell) && neighboursOf(cell).length) return true;
  for (let up = el; up && up !== branch; up = flatParent(up))
    if (signsOfRow(up).some((sign) => rows.has(sign))) return true;
  return false;
}

function signsOfRow(el) {
  return el && classesOf(el).length ? signsOf(el) : [];
}

function onlyLetters(text) {
  return text.replace(/[^\p{L}\p{N}]/gu, "");
}
