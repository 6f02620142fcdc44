// Uses: labelled/arrangement.js
// Uses: labelled/fields.js
// Uses: snapshot/rows.js

// The structures in which a page labels values: terms and descriptions, tables, neighbours, lines.

const STRUCTURE = "dl, dt, table, form, h1, h2, h3, h4, h5, h6, [role=table], [role=grid]";
const NO_LABELS = `a[href], ${VALUE_FIELDS}`;
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
  if (isField || nodes.some(holdsStructure) || nodes.some(isPressedChoice)) return;
  add(kind, label, nodes, scope, more);
}

// Whether something is made of buttons of which one is pressed: it has no text, and is not empty.
function isPressedChoice(node) {
  return tagOf(node) && isOrHas(node, "[aria-pressed=true]") && !flatText(node, BUTTONS);
}

// Terms and what describes them, group by group.
function definitions(list, scope) {
  const parts = findAll(list, "dt, dd").filter((el) => call(el, "closest", "dl") === list);
  let inside = scope;
  for (let n = 0; n < parts.length; ) {
    /** @type {any[][]} */
    const [terms, values] = [[], []];
    while (n < parts.length && tagOf(parts[n]) === "DT") terms.push(parts[n++]);
    while (n < parts.length && tagOf(parts[n]) === "DD") values.push(parts[n++]);
    const [term, ...before] = terms.filter((el) => isShown(el)).reverse();
    const caption = before.find((el) => signOf(el) !== signOf(term));
    const group = { level: CAPTION_LEVEL, text: caption ? textOf(caption) : "" };
    if (caption) inside = { ...scope, headings: under(scope.headings, group) };
    if (term) described(term, values, inside);
  }
}

// One term and what describes it. Of several terms in a row it is the last one: the others may have
// lost their own. Several descriptions are a list; behind a text, those made of links and buttons are
// what can be done with it.
function described(term, values, scope) {
  const isText = (el) => flatText(el, `a[href], ${BUTTONS}`) !== "";
  const shown = values.filter((el) => isShown(el));
  const nodes = shown.length > 1 && isText(shown[0]) ? shown.filter(isText) : shown;
  const more = nodes.length > 1 ? { items: nodes.map(textOf) } : {};
  if (nodes.length) describe("definition", textOf(term), nodes, scope, more);
}

function isHead(cell) {
  return tagOf(cell) === "TH" || /^(columnheader|rowheader)$/.test(attributeOf(cell, "role") || "");
}

// Whether a line has the headers of columns. In the corner may stand anything, of two columns nothing.
function isHeader(line) {
  const isWide = line?.length > 2;
  const isCorner = (cell, n) => n === 0 && (isWide || !textOf(cell));
  const isColumn = (cell) => isHead(cell) || (isWide && call(cell, "closest", "thead") !== null);
  return line?.length > 1 && line.every((cell, n) => isColumn(cell) || isCorner(cell, n));
}

// A table with column headers is a list: each row is somebody's or something's. One without is a
// panel of labels and values. Of one whose cells span rows or headers, nothing is read.
function table(grid, scope) {
  const rows = tagOf(grid) === "TABLE" ? [...grid.rows] : findAll(grid, "[role=row]");
  const parts = partsOfRows(rows.filter((row) => isShown(row) && !isStruck(row)));
  const shown = parts.map(([row]) => row);
  const lines = parts.map((rows) => cellsOfParts(rows));
  const [first, second] = lines;
  const isList = isHeader(first) && second;
  if (lines.flat().some((cell) => cell.rowSpan > 1) || isHeader(second)) return;
  if (isList && first.some((cell) => cell.colSpan > 1)) return;
  let inside = scope;
  for (const [n, line] of lines.entries()) {
    const isGroup = isCaptionRow(lines, n, shown);
    const group = { level: CAPTION_LEVEL, text: isGroup ? textOf(line) : "" };
    if (isGroup) inside = { ...scope, headings: under(scope.headings, group) };
    else if (!isList || (line.length === 2 && isHead(line[0]))) keyed(line, inside, n > 0);
    if (isList && n && !call(shown[n], "closest", "tfoot") && !isUnlike(shown[n], shown))
      listed(line, first, inside);
  }
}

// Whether a row is the caption of those below it: one wide cell, or one with a text beside an empty one
// or a button, in a row unlike most, or of headers above labels and values.
function isCaptionRow(lines, n, shown) {
  const [line, below] = [lines[n], lines[n + 1]];
  if (line.length === 1) return isHead(line[0]) || line[0].colSpan > 1;
  const named = line.filter((cell) => flatText(cell, BUTTONS));
  if (line.length !== 2 || named.length !== 1) return false;
  const alike = shown.filter((row) => signOf(row) === signOf(shown[n])).length;
  if (named[0] === line[0] && shown.length > 2 && 2 * alike <= shown.length) return true;
  const isHeader = line.every(isHead) || call(shown[n], "closest", "thead") !== null;
  return isHeader && below?.length === 2 && !below.every(isHead);
}

// The rows of a grid, each with all of its parts: those with the same number are one row, of which
// some columns stand apart, as those do that never scroll away.
function partsOfRows(rows) {
  const numbered = new Map();
  for (const row of rows) {
    const number = (tagOf(row) !== "TR" && attributeOf(row, "aria-rowindex")) || row;
    numbered.set(number, [...(numbered.get(number) ?? []), row]);
  }
  return [...numbered.values()];
}

// The cells of a row; none where it has several parts and not every cell says its column.
function cellsOfParts(rows) {
  const cells = /** @type {any[]} */ (rows.flatMap((row) => cellsOf(row)));
  if (rows.length === 1) return cells;
  const columns = cells.map((cell) => Number(attributeOf(cell, "aria-colindex")));
  const areKnown = columns.every(Boolean) && new Set(columns).size === columns.length;
  return areKnown ? sortedBy(cells, (_, n) => columns[n]) : [];
}

// Whether a row looks unlike all others below the header, as a sum does.
function isUnlike(row, rows) {
  return rows.length > 3 && !rows.some((other) => other !== row && signOf(other) === signOf(row));
}

function listed(line, heads, scope) {
  const columnOf = (cell) => attributeOf(cell, "aria-colindex");
  const isBelow = (cell, n) => !columnOf(heads[n]) || columnOf(cell) === columnOf(heads[n]);
  const isWhole = line.length === heads.length && line.every((cell) => !(cell.colSpan > 1));
  // Which cell is missing, nobody can say.
  if (!isWhole || line.every(isHead) || !line.every(isBelow)) return;
  const texts = line.map((cell) => textOf(cell));
  const record_name = texts[Math.max(0, line.findIndex(isHead))] || texts.find(Boolean) || "";
  const record = cutText(texts.join(" | ").replace(/\n/g, " "), RECORD_LENGTH);
  for (const [n, cell] of line.entries())
    describe("table", textOf(heads[n]), [cell], scope, { record, record_name });
}

// Labels, each with the one cell behind it: a second one with a text of its own, such as a unit, says
// more. Two plain cells may be the headers of what follows, unless another line stands above them.
function keyed(line, scope, isBelow) {
  const isLabel = (cell, n) =>
    line.some(isHead) ? isHead(cell) : line.length === 2 && !n && isLabelOf(cell, line[1], isBelow);
  const isText = (cell) => cell && flatText(cell, `a[href], ${BUTTONS}`) !== "";
  for (const [n, cell] of line.entries()) {
    const isFollowed = isText(line[n + 1]) && !isLabel(line[n + 1], n + 1);
    if (n && isLabel(line[n - 1], n - 1) && !isLabel(cell, n) && !isFollowed)
      describe("definition", textOf(line[n - 1]), [cell], scope);
  }
  const [label, value] = line;
  const mayBeHeads = !isBelow && line.length === 2 && !line.some(isHead) && !isLabel(label, 0);
  if (mayBeHeads && isLabelOf(label, value, true) && isText(value))
    addFirstRow(textOf(label), value, scope);
}

// A first row of two plain cells: a label with its value, or the heads of two columns.
function addFirstRow(label, cell, scope) {
  if (report.found.some((known) => known.label === label)) return; // which is certain
  const doubt = "it may be the head of a column";
  add("definition", label, [cell], scope, { value: textOf(cell), doubt });
}

// Whether the first of two neighbours looks like the label of the second: by a colon, its tag, its
// class, its weight, or a colour of its own beside a value that has the colour of all around it.
function isLabelOf(a, b, isSure = false) {
  const text = textOf(a);
  if (!text || text.length > LABEL_LENGTH || /[\n.!?]|^\d/.test(text)) return false;
  if (isOrHas(a, NO_LABELS) || matches(a, BUTTONS) || DRAWN.has(tagOf(a))) return false;
  const [own, other] = [a, b].map((el) => styleOf(childrenOf(el)[0] ?? el));
  const around = styleOf(flatParent(b) ?? b);
  const isTinted = own.color !== other.color && other.color === around.color;
  const isSetOff = own.fontWeight > other.fontWeight || isTinted;
  return isSure || /[:：]$/.test(text) || signOf(a) !== signOf(b) || isSetOff;
}

// A block without any structure inside: labels and values in turn, numbers above their labels, or
// lines that say both.
function block(el, scope) {
  if (el.textContent.length > BLOCK_LENGTH || holdsStructure(el)) return;
  const label = closest(el, "label");
  if (label && member(label, "control")) return; // it says what a field is for
  const content = partsOf(el).filter(isContent);
  if (mayHave("label") && content.some(isNameOfField)) return;
  const nodes = asPainted(el, content);
  const pairs = pairsIn(nodes);
  for (const [label, value] of pairs) describe("pair", textOf(label), [value], scope);
  if (!pairs.length) for (const line of linesOf(nodes)) labelledLine(line, scope);
}

// Labels and values in turn; none if the nodes are anything else. A button is no value: "Assignee"
// beside "take it" stands above the name of somebody.
function pairsIn(nodes) {
  if (nodes.length % 2) return [];
  const labels = nodes.filter((_, n) => n % 2 === 0);
  const values = nodes.filter((_, n) => n % 2 === 1);
  const isPair = (label, n) =>
    tagOf(label) &&
    tagOf(values[n]) &&
    flatText(values[n], BUTTONS) &&
    !/[:：]$/.test(textOf(values[n])) &&
    signOf(label) === signOf(labels[0]) &&
    isLabelOf(label, values[n]);
  return labels.every(isPair) ? labels.map((label, n) => [label, values[n]]) : [];
}

// Whether a node without a field of its own is the label of one.
function isNameOfField(node) {
  if (!tagOf(node) || !isOrHas(node, "label") || isOrHas(node, VALUE_FIELDS)) return false;
  return all([node], "label").some(isLabelOfField);
}

function linesOf(nodes) {
  if (areTiles(nodes)) return nodes.flatMap((node, n) => (n % 2 ? [] : [[node, nodes[n + 1]]]));
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
  const isCount =
    /^\d/.test(counting) && !line.some((node) => tagOf(node) && matches(node, BUTTONS));
  const counted = isCount && COUNT.exec(counting);
  if (counted) return add("count", counted[2], line, scope, { value: counted[1] });
  const lead = tagOf(first) && rest.length ? textOf(first) : "";
  if (/[:：]$/.test(lead) && !isOrHas(first, "a[href]") && !/[:：]\s/.test(textOf(rest)))
    return describe("text", lead, rest, scope);
  const [, label, value] = COLON.exec(whole) ?? [];
  if (label && label.split(" ").length <= LABELS_AT_MOST && !/[:：]\s/.test(value))
    describe("text", label, lead ? rest : line, scope, { value, items: [] });
}
