// Uses: labelled/fields.js
// Uses: snapshot/rows.js

// The structures in which a page labels values: terms and descriptions, tables, neighbours, lines.

const STRUCTURE = "dl, dt, table, form, h1, h2, h3, h4, h5, h6, [role=table], [role=grid]";
const NO_LABELS = `a[href], ${BUTTONS}, ${VALUE_FIELDS}`;
const COLON = /^([^:：\n]{1,60}?)\s*[:：]\s+(\S[^\n]*)$/;
const COUNT = /^(\d[\d.,]*\s?[kKMB]?)\s+(\p{L}[\p{L} ]{1,40})$/u;
const LABELS_AT_MOST = 5; // words
const BLOCK_LENGTH = 5000; // characters; more is no label with its value
const RECORD_LENGTH = 600; // characters

function holdsStructure(el) {
  if (!tagOf(el) || !isOrHas(el, STRUCTURE)) return false;
  return all([el], STRUCTURE).some((part) => isShown(part));
}

// Reports what stands beside a label, unless it has a structure or a field of its own inside.
function describe(kind, label, nodes, scope, more = {}) {
  const holders = nodes.filter((node) => tagOf(node) && isOrHas(node, VALUE_FIELDS));
  const isField = all(holders, VALUE_FIELDS).some(isReadable);
  if (!isField && !nodes.some(holdsStructure)) add(kind, label, nodes, scope, more);
}

// Terms and what describes them. Several descriptions of one term are a list; beside a text, those
// made of links and buttons are what can be done with it.
function definitions(list, scope) {
  const isOwn = (el) => call(el, "closest", "dl") === list && isShown(el);
  const parts = findAll(list, "dt, dd").filter(isOwn);
  for (let n = 0; n < parts.length; ) {
    const terms = [];
    const values = [];
    while (n < parts.length && tagOf(parts[n]) === "DT") terms.push(parts[n++]);
    while (n < parts.length && tagOf(parts[n]) === "DD") values.push(parts[n++]);
    const texts = values.filter((el) => values.length < 2 || flatText(el, `a[href], ${BUTTONS}`));
    const nodes = texts.length ? texts : values;
    const more = nodes.length > 1 ? { items: nodes.map(textOf) } : {};
    if (nodes.length)
      for (const el of terms) describe("definition", textOf(el), nodes, scope, more);
  }
}

function isHead(cell) {
  return tagOf(cell) === "TH" || /^(columnheader|rowheader)$/.test(attributeOf(cell, "role") || "");
}

// A table with column headers is a list: each row is somebody's or something's. One without is a
// panel of labels and values. Of one whose cells span rows or headers, nothing is read.
function table(grid, scope) {
  const rows = tagOf(grid) === "TABLE" ? [...grid.rows] : findAll(grid, "[role=row]");
  const shown = rows.filter((row) => isShown(row) && !isStruck(row));
  const lines = shown.map((row) => /** @type {any[]} */ (cellsOf(row)));
  const [first, second] = lines;
  const isHeader = (line) => line && line.length > 1 && line.every(isHead);
  const names = isHeader(first) && second ? first.map((cell) => textOf(cell)) : null;
  if (lines.flat().some((cell) => cell.rowSpan > 1) || isHeader(second)) return;
  if (names && first.some((cell) => cell.colSpan > 1)) return;
  let inside = scope;
  for (const [n, line] of lines.entries()) {
    const isGroup = line.length === 1 && (isHead(line[0]) || line[0].colSpan > 1);
    const group = { level: CAPTION_LEVEL, text: isGroup ? textOf(line[0]) : "" };
    if (isGroup) inside = { ...scope, headings: under(scope.headings, group) };
    else if (!names || (line.length === 2 && isHead(line[0]))) keyed(line, inside, n > 0);
    if (names && n && !call(line[0], "closest", "tfoot") && !isUnlike(shown[n], shown))
      listed(line, names, inside);
  }
}

// Whether a row looks unlike all others below the header, as a sum does.
function isUnlike(row, rows) {
  return rows.length > 3 && !rows.some((other) => other !== row && signOf(other) === signOf(row));
}

function listed(line, names, scope) {
  const isWhole = line.length === names.length && line.every((cell) => !(cell.colSpan > 1));
  if (!isWhole || line.every(isHead)) return; // which cell is missing, nobody can say
  const texts = line.map((cell) => textOf(cell));
  const record_name = texts[Math.max(0, line.findIndex(isHead))] || texts.find(Boolean) || "";
  const record = cutText(texts.join(" | ").replace(/\n/g, " "), RECORD_LENGTH);
  for (const [n, cell] of line.entries())
    describe("table", names[n], [cell], scope, { record, record_name });
}

// Labels, each with the cell behind it. Two plain cells may be the headers of what follows, unless
// another line stands above them.
function keyed(line, scope, isBelow) {
  const isLabel = (cell, n) =>
    line.some(isHead) ? isHead(cell) : line.length === 2 && !n && isLabelOf(cell, line[1], isBelow);
  for (const [n, cell] of line.entries())
    if (n && isLabel(line[n - 1], n - 1) && !isLabel(cell, n))
      describe("definition", textOf(line[n - 1]), [cell], scope);
}

function signOf(el) {
  return `${tagOf(el)} ${attributeOf(el, "class") || ""}`;
}

// Whether the first of two neighbours looks like the label of the second: by a colon, its tag, its
// class or its weight.
function isLabelOf(a, b, isSure = false) {
  const text = textOf(a);
  if (!text || text.length > LABEL_LENGTH || /[\n.!?]|^\d/.test(text)) return false;
  if (isOrHas(a, NO_LABELS)) return false;
  const [bold, other] = [a, b].map((el) => styleOf(childrenOf(el)[0] ?? el).fontWeight);
  return isSure || /[:：]$/.test(text) || signOf(a) !== signOf(b) || bold > other;
}

// A block without any structure inside: labels and values in turn, or lines that say both.
function block(el, scope) {
  if (el.textContent.length > BLOCK_LENGTH || holdsStructure(el)) return;
  const nodes = flatChildren(el).filter((node) => isContent(node));
  const labels = nodes.filter((_, n) => n % 2 === 0);
  const values = nodes.filter((_, n) => n % 2 === 1);
  const isPair = (label, n) =>
    tagOf(label) &&
    tagOf(values[n]) &&
    signOf(label) === signOf(labels[0]) &&
    isLabelOf(label, values[n]);
  if (values.length && values.length === labels.length && labels.every(isPair))
    for (const [n, label] of labels.entries()) describe("pair", textOf(label), [values[n]], scope);
  else for (const line of linesOf(nodes)) labelledLine(line, scope);
}

function linesOf(nodes) {
  /** @type {any[][]} */
  const lines = [[]];
  for (const node of nodes)
    tagOf(node) === "BR" ? lines.push([]) : lines[lines.length - 1].push(node);
  return lines.filter((line) => line.length);
}

function isContent(node) {
  if (node.nodeType === Node.TEXT_NODE) return node.data.trim() !== "";
  return tagOf(node) === "BR" || (tagOf(node) && textOf(node));
}

// A line that says "Label: value" or "12 followers".
function labelledLine(line, scope) {
  const [first, ...rest] = line;
  const whole = textOf(line);
  const counting = line.length === 2 ? line.map((node) => textOf(node)).join(" ") : whole;
  const counted = /^\d/.test(counting) && COUNT.exec(counting);
  if (counted) return add("count", counted[2], line, scope, { value: counted[1] });
  const lead = tagOf(first) && rest.length ? textOf(first) : "";
  if (/[:：]$/.test(lead) && !isOrHas(first, "a[href]") && !/[:：]\s/.test(textOf(rest)))
    return describe("text", lead, rest, scope);
  const [, label, value] = COLON.exec(whole) ?? [];
  if (label && label.split(" ").length <= LABELS_AT_MOST && !/[:：]\s/.test(value))
    describe("text", label, lead ? rest : line, scope, { value, items: [] });
}
