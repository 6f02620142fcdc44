// Uses: labelled/definitions.js
// Uses: labelled/pairs.js
// Uses: labelled/tables.js

const SKIPPED = "[aria-hidden=true], [aria-busy=true]";
const PARTS = "dt, dd, td, th, tr, tbody, label, button, [role=row], ul, ol";
const SLACK = 20; // characters beside a heading, such as a number or a button
const LISTS = "table, [role=table], [role=grid], [role=treegrid]";

// Walks the flat tree and reports what it labels.
function visit(el, scope) {
  if (report.found.length >= report.max) return;
  if (UNPAINTED.test(tagOf(el)) || DRAWN.test(tagOf(el)) || call(el, "matches", SKIPPED)) return;
  if (!isShown(el, RENDERED) && getComputedStyle(el).display !== "contents") return;
  if (call(el, "matches", VALUE_FIELDS)) {
    if (isReadable(el)) addField(el, scope);
    return;
  }
  if (!isShown(el) || isStruck(el)) return;
  const level = headingLevel(el);
  if (level) {
    const text = textOf(el);
    openHeading(scope, level, "");
    if (text) add("heading", `h${level}`, [el], scope);
    for (const link of findAll(el, "a[href]")) addLink(link, scope);
    openHeading(scope, level, text);
    return;
  }
  const inside = innerScope(el, scope);
  const own = { ...inside };
  const first = report.found.length;
  visitChildren(el, inside);
  if (tagOf(el) === "DL") definitions(el, own);
  else if (call(el, "matches", LISTS)) table(el, own);
  else if (call(el, "matches", "a[href]")) addLink(el, own);
  else if (!call(el, "matches", PARTS) && isPlain(first)) block(el, own);
  if (!BOUNDS.test(tagOf(el))) {
    scope.headings = reaching(el, inside.headings, scope.headings);
  }
}

// The headings that stand above what follows an element.
function reaching(el, inside, outside) {
  if (inside.every((heading) => outside.includes(heading))) return inside;
  const length = fold(el.textContent).length;
  return inside.flatMap((heading) => {
    if (outside.includes(heading)) return [heading];
    if (heading.level === NEVER_CLOSED || heading.level === CAPTION_LEVEL) return [];
    const isAlone = length <= heading.text.length + SLACK;
    const reach = heading.reach - (isAlone ? 0 : 1);
    return reach < 0 ? [] : [{ ...heading, reach }];
  });
}

// Whether nothing but links and counts was found since then: "3 May" may be a value.
function isPlain(first) {
  return report.found.slice(first).every(({ kind }) => kind === "link" || kind === "count");
}

function visitChildren(el, scope) {
  const children = flatChildren(el).filter((node) => node.nodeType === Node.ELEMENT_NODE);
  const shown = children.filter((child) => isShown(child, RENDERED) || tagOf(child) === "SLOT");
  const ranges = [];
  const isCard = !/^(BODY|MAIN|UL|OL)$/.test(tagOf(el)); // may begin with a link to what it describes
  let previous = null;
  let before = scope.headings;
  shown.forEach((child, n) => {
    // A heading in one column does not stand above the next column.
    if (previous && !headingLevel(previous) && isBeside(previous, child)) scope.headings = before;
    if (!previous || headingLevel(previous)) before = scope.headings;
    const from = report.found.length;
    visit(child, scope);
    const kinds = report.found.slice(from).map((value) => value.kind);
    if (kinds.some((kind) => kind !== "heading"))
      ranges.push({ child, from, to: report.found.length });
    // A caption over something without values is none of what follows.
    if (kinds.every((kind) => kind === "link")) openHeading(scope, CAPTION_LEVEL, "");
    if (headingLevel(child)) addSection(child, shown[n + 1], shown[n + 2], scope);
    else if (!kinds.length || (isCard && !previous && kinds.every((kind) => kind === "link"))) {
      if (isCaption(child, shown[n + 1])) openHeading(scope, CAPTION_LEVEL, textOf(child));
    }
    previous = child;
  });
  markRecords(ranges);
}

// A heading over one short text labels it.
function addSection(heading, next, after, scope) {
  if (!next || (after && !headingLevel(after)) || headingLevel(heading) === 1) return;
  if (headingLevel(next) || holdsStructure(next) || all([next], VALUE_FIELDS).length) return;
  const headings = scope.headings.slice(0, -1);
  add("pair", textOf(heading), [next], { ...scope, headings });
}

// Neighbours that repeat a label are entries of one list, as rows of a table are; of neighbours
// that only look alike, the links belong to entries.
function markRecords(ranges) {
  const groups = new Map();
  for (const range of ranges) {
    const sign = signOf(range.child);
    const group = groups.get(sign);
    if (group) group.push(range);
    else groups.set(sign, [range]);
  }
  for (const group of groups.values()) if (group.length > 1) markGroup(group);
}

function markGroup(group) {
  const values = group.map(({ from, to }) => report.found.slice(from, to).filter((v) => !v.record));
  const labels = values.map(
    (own) => new Set(own.filter((v) => !/^(heading|link)$/.test(v.kind)).map((v) => v.label)),
  );
  const times = new Map();
  for (const own of labels) for (const label of own) times.set(label, (times.get(label) ?? 0) + 1);
  group.forEach(({ child }, n) => {
    const isRepeated = [...labels[n]].some((label) => (times.get(label) ?? 0) > 1);
    const marked = values[n].filter((value) => isRepeated || value.kind === "link");
    if (!marked.length) return;
    const named = findAll(child, "h1, h2, h3, h4, h5, h6, a[href], strong, b").find((el) =>
      textOf(el),
    );
    const record = cutText(textOf(child).replace(/\n/g, " | "), RECORD_LENGTH);
    const record_name = flatText(named ?? child).split("\n")[0];
    for (const value of marked) Object.assign(value, { record, record_name });
  });
}

function addLink(link, scope) {
  const text = textOf(link).replace(/\n/g, " ") || pictureName(link);
  if (text) add("link", text, [link], scope, { value: text, url: linkOf(link), doubt: "" });
}

// The page may have changed since the last reading.
function beginReport(maxValues) {
  report.found = [];
  report.max = maxValues;
  forgetKnownTexts();
  forgetKnownClips();
  rememberTexts();
}

// Everything that a page itself labels, with the place of each: terms and descriptions, table
// cells, fields, label and value side by side, `Label: value`, counts, headings and links.
function labelledValues(maxValues) {
  beginReport(maxValues);
  const body = member(document, "body");
  if (body) visit(body, topScope());
  const next = findAll(document, "link[rel~=next], a[rel~=next]").find((el) => linkOf(el));
  if (next) add("next", "next", [next], topScope(), { value: "", url: linkOf(next), doubt: "" });
  forgetTexts();
  return report.found;
}
