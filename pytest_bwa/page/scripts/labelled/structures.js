// Uses: labelled/fields.js
// Uses: snapshot/rows.js

// The structures in which a page labels values: terms and descriptions, tables, neighbours, lines.

const STRUCTURE =
  "dl, dt, table, form, h1, h2, h3, h4, h5, h6, [role=table], [role=grid], [role=heading]";
const COLON = /^([^:：\n]{1,60}?)\s*[:：]\s+(\S[^\n]*)$/;
const COUNT = /^(\d[\d.,]*\s?[kKMB]?)\s+(\p{L}[\p{L} ]{1,40})$/u;
const NUMBER = /^\d[\d.,]*\s?[kKMB]?$/;
const LABELS_AT_MOST = 5; // words
const BLOCK_LENGTH = 5000; // characters; more is no label with its value
const RECORD_LENGTH = 600; // characters

function holdsStructure(el) {
  return findAll(el, STRUCTURE).some((part) => isShown(part));
}

// Reports what stands beside a label: nodes that show something, or one field.
function describe(kind, label, nodes, scope, more = {}) {
  if (nodes.some((node) => holdsStructure(node))) return;
  const field = nodes.length === 1 ? onlyField(nodes[0]) : null;
  if (field) addField(field, scope, label);
  else add(kind, label, nodes, scope, more);
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
    const items = nodes.map((el) => flatText(el, BUTTONS));
    const more = nodes.length > 1 ? { items } : {};
    if (nodes.length)
      for (const el of terms) describe("definition", flatText(el, BUTTONS), nodes, scope, more);
  }
}

function isHead(cell) {
  return tagOf(cell) === "TH" || /^(columnheader|rowheader)$/.test(attributeOf(cell, "role") || "");
}

/**
 * The cells of each row of a table; empty for one whose cells span rows.
 * @param {any} grid
 * @returns {any[][]}
 */
function linesOf(grid) {
  const rows = tagOf(grid) === "TABLE" ? [...grid.rows] : findAll(grid, "[role=row]");
  const shown = rows.filter((row) => isShown(row) && !isStruck(row));
  const lines = shown.map((row) => /** @type {any[]} */ (cellsOf(row)));
  const isSpanned = lines.flat().some((cell) => cell.rowSpan > 1);
  return isSpanned ? [] : lines.filter((line) => line.length);
}

// A table with column headers is a list: each row is somebody's or something's. One without is a
// panel of labels and values. Of one whose cells span rows or headers, nothing is read.
function table(grid, scope) {
  const lines = linesOf(grid);
  const isHeader = (line) => line && line.length > 1 && line.every(isHead);
  const header = isHeader(lines[0]) && lines.length > 1 ? lines[0] : null;
  if (header?.some((cell) => cell.colSpan > 1) || isHeader(lines[1])) return;
  const names = header?.map((cell) => textOf(cell));
  let inside = scope;
  for (const line of lines.slice(header ? 1 : 0)) {
    if (names && call(line[0], "closest", "tfoot")) continue; // sums are nobody's row
    const isGroup = line.length === 1 && (isHead(line[0]) || line[0].colSpan > 1);
    if (isGroup) inside = under(scope, fold(textOf(line[0]), CAPTION_LENGTH));
    else if (names) listed(line, names, inside);
    if (!names || (line.length === 2 && isHead(line[0]))) keyed(line, inside);
  }
}

function listed(line, names, scope) {
  const isWhole = line.length === names.length && line.every((cell) => !(cell.colSpan > 1));
  if (!isWhole || line.every(isHead)) return; // which cell is missing, nobody can say
  const texts = line.map((cell) => textOf(cell));
  const record_name = texts[Math.max(0, line.findIndex(isHead))] || texts.find(Boolean) || "";
  const record = cutText(texts.join(" | ").replace(/\n/g, " "), RECORD_LENGTH);
  line.forEach((cell, n) => {
    if (!holdsStructure(cell)) add("table", names[n], [cell], scope, { record, record_name });
  });
}

// Labels, each with the cells behind it up to the next label.
function keyed(line, scope) {
  const isLabel = line.some(isHead)
    ? isHead
    : (cell) => line.length === 2 && cell === line[0] && isLabelOf(cell, line[1]);
  let label = null;
  for (const cell of line) {
    if (isLabel(cell)) label = cell;
    else if (label) describe("definition", textOf(label), [cell], scope);
  }
}

function signOf(el) {
  return `${tagOf(el)} ${attributeOf(el, "class") || ""}`;
}

// Whether the first of two neighbours looks like the label of the second: by a colon, its tag, its
// class or its type. Two that look the same may be the headers of what follows, so they must have
// a row like theirs above them.
function isLabelOf(a, b) {
  const text = textOf(a);
  if (!text || text.length > LABEL_LENGTH || /[\n.!?]/.test(text) || NUMBER.test(text))
    return false;
  if (all([a], `a[href], ${BUTTONS}, ${VALUE_FIELDS}`).length) return false;
  if (/[:：]$/.test(text) || signOf(a) !== signOf(b)) return true;
  const row = parentOf(a);
  const above = row && member(row, "previousElementSibling");
  if (above && signOf(above) === signOf(row) && childrenOf(above).length === 2) return true;
  const [one, other] = [getComputedStyle(innermost(a)), getComputedStyle(innermost(b))];
  return ["fontWeight", "color", "fontSize"].some((name) => one[name] !== other[name]);
}

// A block without any structure inside: labels and values in turn, or lines that say them.
function block(el, scope) {
  if (el.textContent.length > BLOCK_LENGTH || holdsStructure(el)) return;
  const nodes = flatChildren(el).filter((node) => isContent(node));
  const areElements = nodes.every((node) => tagOf(node));
  const parts = areElements ? nodes.filter((node) => !call(node, "matches", BUTTONS)) : [];
  const labels = parts.filter((_, n) => n % 2 === 0);
  const values = parts.filter((_, n) => n % 2 === 1);
  const isPair = (label, n) => signOf(label) === signOf(labels[0]) && isLabelOf(label, values[n]);
  if (values.length && values.length === labels.length && labels.every(isPair))
    for (const [n, label] of labels.entries()) describe("pair", textOf(label), [values[n]], scope);
  else for (const line of splitLines(nodes)) labelledLine(line, scope);
}

function isContent(node) {
  if (node.nodeType === Node.TEXT_NODE) return node.data.trim() !== "";
  if (tagOf(node) === "BR") return true;
  return tagOf(node) && (!!textOf(node) || all([node], VALUE_FIELDS).some(isReadable));
}

// The nodes of each line: lines end at <br>, and before an element that ends with a colon.
function splitLines(nodes) {
  /** @type {any[][]} */
  const lines = [[]];
  for (const node of nodes) {
    const isBreak = tagOf(node) === "BR";
    if (isBreak || (tagOf(node) && /[:：]$/.test(textOf(node)))) lines.push([]);
    if (!isBreak) lines[lines.length - 1].push(node);
  }
  return lines.filter((line) => line.length);
}

// A line that says "Label: value" or "12 followers".
function labelledLine(line, scope) {
  const [first, ...rest] = line;
  const label = tagOf(first) && !all([first], "a[href]").length ? textOf(first) : "";
  if (rest.length && /[:：]$/.test(label)) return add("text", label, rest, scope);
  const whole = textOf(line);
  const counted = COUNT.exec(
    line.length === 2 ? line.map((node) => textOf(node)).join(" ") : whole,
  );
  if (counted) return add("count", counted[2], line, scope, { value: counted[1] });
  const match = COLON.exec(whole);
  if (!match || match[1].split(" ").length > LABELS_AT_MOST || /[:：]\s/.test(match[2])) return;
  const after = tagOf(first) || !rest.length ? line : rest;
  add("text", match[1], after, scope, { value: match[2], items: [] });
}
