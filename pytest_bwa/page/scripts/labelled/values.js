// Uses: labelled/structures.js

const SKIPPED = "[aria-hidden=true], [aria-busy=true]";
const PARTS = "dt, dd, td, th, tr, tbody, label, button, [role=row], ul, ol";
const SLACK = 20; // characters beside a heading, such as a number or a button
const LISTS = "table, [role=table], [role=grid], [role=treegrid]";

// Walks the flat tree and reports what it labels.
function visit(el, scope) {
  if (report.found.length >= report.max) return;
  if (UNPAINTED.test(tagOf(el)) || DRAWN.test(tagOf(el)) || call(el, "matches", SKIPPED)) return;
  if (call(el, "matches", VALUE_FIELDS)) {
    if (isReadable(el)) addField(el, scope);
    return;
  }
  const isPainted = isShown(el) || getComputedStyle(el).display === "contents";
  if (!isPainted || isStruck(el)) return;
  const level = headingLevel(el);
  if (level) return addHeading(el, level, scope);
  if (isPlainLeaf(el)) return;
  const inside = innerScope(el, scope);
  const own = { ...inside };
  const first = report.found.length;
  visitChildren(el, inside);
  if (tagOf(el) === "DL") definitions(el, own);
  else if (call(el, "matches", LISTS)) table(el, own);
  else if (call(el, "matches", "a[href]")) addLink(el, own);
  else if (!call(el, "matches", PARTS) && !hasValues(first, "count")) block(el, own);
  if (inside.headings !== scope.headings && !BOUNDS.test(tagOf(el)))
    scope.headings = reaching(el, inside.headings, scope.headings);
}

// Whether an element has nothing inside that could be a label, a count or a link.
function isPlainLeaf(el) {
  const isLeaf =
    !childrenOf(el).length && !member(el, "shadowRoot") && !/^(A|SLOT)$/.test(tagOf(el));
  return isLeaf && !/[:：]|^\s*\d/.test(el.textContent);
}

function addHeading(el, level, scope) {
  const text = textOf(el);
  Object.assign(scope, under(scope, "", level));
  if (text) add("heading", `h${level}`, [el], scope, { value: text, doubt: "" });
  for (const link of findAll(el, "a[href]")) addLink(link, scope);
  Object.assign(scope, under(scope, text, level));
}

// The headings that stand above what follows an element: those that are all of it, but for a number
// or a button, and for one more container those with a text below. Captions and the names of sections
// end with what is around them.
function reaching(el, inside, outside) {
  const length = fold(el.textContent).length;
  return inside.flatMap((heading) => {
    const { level, text, reach } = heading;
    if (outside.includes(heading)) return [heading];
    if (level === SECTION_LEVEL || level === CAPTION_LEVEL) return [];
    const left = reach - (length <= text.length + SLACK ? 0 : 1);
    return left < 0 ? [] : [{ level, text, reach: left }];
  });
}

// Whether more than links, and values of that kind, was found since then.
function hasValues(first, besides = "link") {
  return report.found.slice(first).some(({ kind }) => kind !== "link" && kind !== besides);
}

function visitChildren(el, scope) {
  const isElement = (node) => node.nodeType === Node.ELEMENT_NODE;
  const isThere = (child) => isShown(child, RENDERED) || tagOf(child) === "SLOT";
  const children = flatChildren(el).filter((node) => isElement(node) && isThere(node));
  const ranges = [];
  const isCard = !/^(BODY|MAIN|UL|OL)$/.test(tagOf(el)); // may begin with a link to what it describes
  let before = scope.headings;
  for (const [n, child] of children.entries()) {
    const previous = n ? children[n - 1] : null;
    // A heading in one column does not stand above the next column.
    if (!previous || headingLevel(previous)) before = scope.headings;
    else if (scope.headings !== before && isBeside(previous, child)) scope.headings = before;
    const from = report.found.length;
    visit(child, scope);
    if (headingLevel(child)) addSection(child, children[n + 1], children[n + 2], scope);
    if (headingLevel(child)) continue;
    if (report.found.length > from) ranges.push({ child, from, to: report.found.length });
    // A caption over something without values is none of what follows.
    if (!hasValues(from)) scope.headings = under(scope, "").headings;
    const mayBeCaption = report.found.length === from || (isCard && !n && !hasValues(from));
    if (mayBeCaption && isCaption(child, children[n + 1]))
      scope.headings = under(scope, textOf(child)).headings;
  }
  markRecords(ranges);
}

// A heading over one short text labels it.
function addSection(heading, next, after, scope) {
  if (!next || (after && !headingLevel(after)) || headingLevel(heading) === 1) return;
  if (headingLevel(next) || all([next], VALUE_FIELDS).length) return;
  describe("pair", textOf(heading), [next], { ...scope, headings: scope.headings.slice(0, -1) });
}

// Neighbours that repeat a label are entries of one list, as rows of a table are; of neighbours
// that only look alike, the links belong to entries.
function markRecords(ranges) {
  const groups = new Map();
  for (const { child, from, to } of ranges) {
    const sign = signOf(child);
    const group = groups.get(sign) ?? { entries: [], times: new Map() };
    const values = report.found.slice(from, to).filter((value) => !value.record);
    const labelled = values.filter(({ kind }) => kind !== "heading" && kind !== "link");
    const labels = new Set(labelled.map(({ label }) => label));
    for (const label of labels) group.times.set(label, (group.times.get(label) ?? 0) + 1);
    group.entries.push({ child, values, labels });
    groups.set(sign, group);
  }
  for (const { entries, times } of groups.values()) {
    for (const { child, values, labels } of entries.length > 1 ? entries : []) {
      const isRepeated = [...labels].some((label) => times.get(label) > 1);
      markEntry(
        child,
        values.filter(({ kind }) => isRepeated || kind === "link"),
      );
    }
  }
}

function markEntry(el, values) {
  if (!values.length) return;
  const names = findAll(el, "h1, h2, h3, h4, h5, h6, a[href], strong, b");
  const named = names.find((one) => textOf(one)) ?? el;
  const record = cutText(textOf(el).replace(/\n/g, " | "), RECORD_LENGTH);
  const record_name = flatText(named).split("\n")[0];
  for (const value of values) Object.assign(value, { record, record_name });
}

function addLink(link, scope) {
  const value = textOf(link).replace(/\n/g, " ") || pictureName(link);
  if (value) add("link", value, [link], scope, { value, url: linkOf(link), doubt: "" });
}

// Everything that a page itself labels, with the place of each: terms and descriptions, table
// cells, fields, label and value side by side, `Label: value`, counts, headings and links.
function labelledValues(maxValues) {
  Object.assign(report, { found: [], max: maxValues });
  forgetReading();
  const body = member(document, "body");
  if (body) visit(body, topScope());
  const next = findAll(document, "link[rel~=next], a[rel~=next]").find((el) => linkOf(el));
  if (next) add("next", "next", [next], topScope(), { value: "", url: linkOf(next), doubt: "" });
  forgetTexts();
  return report.found;
}
