const UNREAD_CONTENTS = {}; // all of it is undefined, as what the JSON text leaves out
const LABEL_LENGTH = 60; // characters
/**
 * @typedef {{ left: number, top: number, width: number, height: number }} View
 * @typedef {{ found: any[], max: number }} Collected
 * @typedef {{ spent: Set<any>, listed: Set<any> }} Walked
 * @type {Collected & Walked & View}
 */
const report = {
  ...{ found: [], max: 0 },
  listed: new Set(), // the elements of the observation's list
  spent: new Set(), // heads whose headings are those of the values beside them, and of nothing below
  ...{ left: 0, top: 0, width: 0, height: 0 },
};

// Begins a report of at most so many values. To ask the window for each of them takes longer.
function beginReport(max, elements) {
  findChanging();
  const place = { left: scrollX, top: scrollY, width: innerWidth, height: innerHeight };
  const empty = { found: [], spent: new Set() };
  Object.assign(report, { ...empty, listed: new Set(elements), max, ...place });
}

// Reports a value with its label. What `more` says is not read from the nodes.
function add(kind, label, nodes, scope, more = {}) {
  const name = nameOfLabel(label);
  if (report.found.length >= report.max || !name || name.length > LABEL_LENGTH) return;
  const contents = "doubt" in more ? UNREAD_CONTENTS : contentsOf(nodes);
  report.found.push({ kind, label: name, ...contents, ...placeOf(nodes[0], scope), ...more });
}

// What a label calls its value, without the marks behind it and the number before it.
function nameOfLabel(label) {
  return withoutNumber(fold(label)).replace(/\s*[:：*]+\s*$/, "");
}

// A label without the number that a form or a register gives it: "7. Name", "b) Seat".
function withoutNumber(label) {
  if (!/^\(?(\d|.\))/.test(label)) return label; // as nearly all
  return label.replace(/^\(?(\d{1,2}[.)]|\p{L}\))\s*(?=\p{L})/u, "");
}

function placeOf(node, scope) {
  const el = asListed(elementOfNode(node));
  const box = boxOf(el);
  const isOutside = hasMain && !scope.regions.includes("main");
  return {
    language: languageOf(el) || undefined,
    regions: isOutside ? ["complementary", ...scope.regions] : scope.regions,
    headings: scope.headings.map((heading) => heading.text),
    number: numberOf(el),
    box: [box.left + report.left, box.top + report.top, box.width, box.height],
    in_viewport: isInViewport(box, report.width, report.height),
  };
}

// The element that the list has for the text of an element: of a cell with nothing but a link, the link.
function asListed(el) {
  for (let inner = el; inner; inner = onlyPart(inner)) if (report.listed.has(inner)) return inner;
  return el;
}
