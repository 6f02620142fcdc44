// Uses: labelled/definitions.js
// Uses: labelled/pairs.js
// Uses: labelled/tables.js
// Uses: prelude/json.js

const PARTS = "dt, dd, td, th, tr, label, button, [role=row], ul, ol";
const LISTS = "table, [role=table], [role=grid], [role=treegrid]";

/**
 * Walks the flat tree and reports what it labels.
 * @param {any} el
 * @param {Scope} scope Gets the headings that reach beyond the element
 */
function visit(el, scope) {
  if (UNPAINTED.test(tagOf(el)) || attributeOf(el, "aria-hidden") === "true") return;
  if (!isShown(el, RENDERED) && getComputedStyle(el).display !== "contents") return;
  if (call(el, "matches", VALUE_FIELDS)) {
    if (isReadable(el)) addField(el, scope);
    return;
  }
  if (!isShown(el) || isStruck(el) || tagOf(el) === "SVG") return;
  const level = headingLevel(el);
  if (level) {
    const text = flatText(el);
    if (text) add("heading", `h${level}`, [el], scope);
    openHeading(scope, level, text);
    return;
  }
  const inside = innerScope(el, scope);
  const first = report.found.length;
  visitChildren(el, inside);
  if (tagOf(el) === "DL") definitions(el, inside);
  else if (call(el, "matches", LISTS)) table(el, inside);
  else if (call(el, "matches", "a[href]")) addLink(el, inside);
  else if (!call(el, "matches", PARTS) && isPlain(first)) block(el, inside);
  if (!SECTIONS.test(tagOf(el))) {
    const isOpen = ({ level }) => level > NEVER_CLOSED && level < CAPTION_LEVEL;
    scope.headings = inside.headings.filter((h) => isOpen(h) || scope.headings.includes(h));
  }
}

/**
 * Whether nothing but links and counts was found since then: "3 May" may be a value.
 * @param {number} first
 */
function isPlain(first) {
  return report.found.slice(first).every(({ kind }) => kind === "link" || kind === "count");
}

/**
 * @param {any} el
 * @param {Scope} scope
 */
function visitChildren(el, scope) {
  const children = flatChildren(el).filter((node) => node.nodeType === Node.ELEMENT_NODE);
  const shown = children.filter((child) => isShown(child, RENDERED) || tagOf(child) === "SLOT");
  /** @type {{ child: any, from: number, to: number }[]} */
  const ranges = [];
  let previous = null;
  let before = scope.headings;
  shown.forEach((child, n) => {
    // A heading in one column does not stand above the next column.
    if (previous && !headingLevel(previous) && isBeside(previous, child)) scope.headings = before;
    if (!previous || headingLevel(previous)) before = scope.headings;
    const from = report.found.length;
    visit(child, scope);
    const found = report.found.slice(from).some((value) => value.kind !== "heading");
    if (found) ranges.push({ child, from, to: report.found.length });
    else if (headingLevel(child)) addSection(child, shown[n + 1], shown[n + 2], scope);
    else if (isCaption(child, shown[n + 1])) openHeading(scope, CAPTION_LEVEL, flatText(child));
    previous = child;
  });
  markRecords(ranges);
}

/**
 * A heading over one short text labels it.
 * @param {any} heading
 * @param {any} next
 * @param {any} after
 * @param {Scope} scope
 */
function addSection(heading, next, after, scope) {
  if (!next || (after && !headingLevel(after)) || headingLevel(heading) === 1) return;
  if (headingLevel(next) || holdsStructure(next) || all([next], VALUE_FIELDS).length) return;
  const headings = scope.headings.slice(0, -1);
  add("pair", flatText(heading), [next], { ...scope, headings });
}

/**
 * Neighbours that repeat a label are entries of one list, as rows of a table are; of neighbours
 * that only look alike, the links belong to entries.
 * @param {{ child: any, from: number, to: number }[]} ranges
 */
function markRecords(ranges) {
  const labels = ranges.map(({ from, to }) => {
    const values = report.found
      .slice(from, to)
      .filter((v) => !/^(heading|link)$/.test(v.kind) && !v.record);
    return new Set(values.map((value) => value.label));
  });
  ranges.forEach(({ child, from, to }, n) => {
    const isRepeated = labels.some(
      (other, m) => m !== n && [...labels[n]].some((label) => other.has(label)),
    );
    const isAlike = ranges.some((other, m) => m !== n && signOf(other.child) === signOf(child));
    if (!isRepeated && !isAlike) return;
    const text = cutText(flatText(child).replace(/\n/g, " | "), RECORD_LENGTH);
    const named = findAll(child, "h1, h2, h3, h4, h5, h6, a[href], strong, b").find((el) =>
      flatText(el),
    );
    const name = flatText(named ?? child).split("\n")[0];
    for (const value of report.found.slice(from, to)) {
      if (!value.record && (isRepeated || value.kind === "link"))
        Object.assign(value, { record: text, record_name: name });
    }
  });
}

/**
 * @param {any} link
 * @param {Scope} scope
 */
function addLink(link, scope) {
  const text = flatText(link).replace(/\n/g, " ") || pictureName(link);
  if (text) add("link", text, [link], scope, { value: text, url: linkAddress(link), doubt: "" });
}

/**
 * Everything that a page itself labels, with the place of each: terms and descriptions, table
 * cells, fields, label and value side by side, `Label: value`, counts, headings and links.
 * @param {{ maxValues: number }} options
 */
function labelledValues({ maxValues }) {
  report.max = maxValues;
  const body = member(document, "body");
  if (body) visit(body, topScope());
  return toJsonText(report.found);
}
