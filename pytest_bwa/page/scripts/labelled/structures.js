// Uses: labelled/arrangement.js
// Uses: labelled/fields.js
// Uses: labelled/indentation.js

// The structures in which a page labels values, tables aside: terms and descriptions, neighbours, lines.

const STRUCTURE = "dl, dt, table, form, h1, h2, h3, h4, h5, h6, [role=table], [role=grid]";
const NO_LABELS = `a[href]:not([href^='#'], [href^='javascript:']), ${VALUE_FIELDS}`; // but helps
const COLON = /^([^:：\n]{1,60}?)\s*[:：]\s+(\S[^\n]*)$/;
const COUNT = /^(\d(?:[\d.,]*\d)?\s?[kKMB]?)\s+(\p{L}[\p{L} ]{1,40})$/u;
const LABELS_AT_MOST = 5; // words
const SENTENCE = /[\n!?]|^\d|[^\s.]{5}\.(\s|$)/; // no "Customer no.", "N.º", "Est. delivery"
const STOP = /\.(\s|$)/;
const BLOCK_LENGTH = 5000; // characters; more is no label with its value

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

// The same for a label in a row, which tells where the row begins.
function describeRow(kind, text, [labelNodes, nodes], scope, more = {}) {
  const before = report.found.length;
  describe(kind, text, nodes, scope, more);
  const value = report.found[before];
  if (value) report.labels.set(value, { nodes: labelNodes, text: value.label });
}

// Whether something is made of buttons of which one is pressed: it has no text, and is not empty.
function isPressedChoice(node) {
  return tagOf(node) && isOrHas(node, "[aria-pressed=true]") && !flatText(node, BUTTONS);
}

// Terms and what describes them, group by group.
function definitions(list, scope) {
  const parts = findAll(list, "dt, dd").filter((el) => call(el, "closest", "dl") === list);
  const outerOf = indentation();
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
    if (term) described(term, values, scopeBelow(outerOf, term, inside));
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
  if (nodes.length) describe("definition", wholeLabel(term), nodes, scope, more);
}

// Whether the first of two neighbours looks like the label of the second: by a colon, its tag, its
// class, its weight, or a colour of its own beside a value that has the colour of all around it.
function isLabelOf(a, b, isSure = false) {
  const text = textOf(a);
  if (!text || text.length > LABEL_LENGTH || isSentence(withoutNumber(text))) return false;
  if (isOrHas(a, NO_LABELS) || matches(a, BUTTONS) || DRAWN.has(tagOf(a))) return false;
  const [own, other] = [a, b].map((el) => styleOf(childrenOf(el)[0] ?? el));
  const around = styleOf(flatParent(b) ?? b);
  const isTinted = own.color !== other.color && other.color === around.color;
  const isSetOff = own.fontWeight > other.fontWeight || isTinted;
  return isSure || /[:：]$/.test(text) || signOf(a) !== signOf(b) || isSetOff;
}

// Whether a text is more than a label, or begins as a value does.
function isSentence(text) {
  return SENTENCE.test(text) || (STOP.test(text) && text.split(" ").length > LABELS_AT_MOST);
}

// A block without any structure inside: labels and values in turn, numbers above their labels, or
// lines that say both.
function block(el, scope) {
  if (el.textContent.length > BLOCK_LENGTH || holdsStructure(el) || isBehindLabel(el)) return;
  const label = closest(el, "label");
  if (label && member(label, "control")) return; // it says what a field is for
  const content = partsOf(el).filter(isContent);
  if (mayHave("label") && content.some(isNameOfField)) return;
  const nodes = asPainted(el, content);
  const row = nodes.length === 2 ? placeInRun(el) : "";
  const pairs = pairsIn(nodes, row === "below");
  for (const [label, value] of pairs)
    describeRow("pair", wholeLabel(label), [[label], [value]], scope);
  if (pairs.length) return;
  const isFirst = row === "first" && pairsIn(nodes, true).length > 0;
  if (isFirst) addFirstRow(wholeLabel(nodes[0]), nodes[1], scope);
  else addLines(linesOf(nodes), scope);
}

// Lines that say "Label: value". What the next line says without a label may belong to the value.
function addLines(lines, scope) {
  for (const [n, line] of lines.entries()) {
    const before = report.found.length;
    labelledLine(line, scope);
    const value = report.found.length > before ? report.found.at(-1) : null;
    if (value?.kind === "text" && n + 1 < lines.length && !saysItsLabel(lines[n + 1]))
      value.doubt ||= "it may go on in the next line";
  }
}

function saysItsLabel(line) {
  const text = textOf(line);
  return COLON.test(text) || /[:：]$/.test(textOf(line[0])) || COUNT.test(text);
}

// The parts of a grid of labels and values in turn, some of which may be empty, each with its pairs: a
// line as wide as all of it names what stands below it. None if the element is anything else.
function partsOfGrid(el) {
  const isGrid = styleOf(el).display === "grid" && el.textContent.length <= BLOCK_LENGTH;
  const cells = isGrid ? partsOf(el).filter(isGridCell) : [];
  if (cells.length < 4 || holdsStructure(el)) return [];
  const boxes = cells.map((cell) => boxOf(cell));
  const left = Math.min(...boxes.map((box) => box.left));
  const right = Math.max(...boxes.map((box) => box.right));
  const isWhole = (cell) => boxOf(cell).width >= right - left - 1;
  /** @type {{ text: string, cells: any[] }[]} */
  const parts = [{ text: "", cells: [] }];
  for (const cell of asPainted(el, cells)) {
    if (isWhole(cell)) parts.push({ text: textOf(cell), cells: [] });
    else parts[parts.length - 1].cells.push(cell);
  }
  const filled = parts.filter((part) => part.cells.length);
  const named = filled.map(({ text, cells }) => ({ text, pairs: pairsIn(cells, false) }));
  return named.every(({ pairs }) => pairs.length) ? named : [];
}

function isGridCell(node) {
  return tagOf(node) && (isShown(node) || isEmptyCell(node)) && tagOf(node) !== "BR";
}

// Whether an element has nothing in it, as the value of a field may have.
function isEmptyCell(node) {
  return !childrenOf(node).length && !node.textContent.trim() && boxOf(node).width > 0;
}

// Whether a part of a line stands behind one that ends with a colon: it is that one's value, whatever
// colons it has of its own.
function isBehindLabel(el) {
  const before = member(el, "previousElementSibling");
  const isInline = (one) => styleOf(one).display === "inline";
  return before && isInline(el) && isInline(before) && /[:：]\s*$/.test(before.textContent);
}

// Where a row of two parts that stand side by side is among others of its class: a label and its value,
// if another one is above it; the first may have the heads of two columns.
function placeInRun(el) {
  const isRow = (one) => {
    const [first, second, third] = one && signOf(one) === signOf(el) ? shownChildren(one) : [];
    return second !== undefined && !third && isBeside(first, second);
  };
  if (!attributeOf(el, "class") || !isRow(el)) return "";
  if (isRow(member(el, "previousElementSibling"))) return "below";
  return isRow(member(el, "nextElementSibling")) ? "first" : "";
}

// A first row of two plain cells: a label with its value, or the heads of two columns.
function addFirstRow(label, cell, scope) {
  if (report.found.some((known) => known.label === label)) return; // which is certain
  const doubt = "it may be the head of a column";
  add("definition", label, [cell], scope, { value: textOf(cell), doubt });
}

// A heading with one line below it in one of several boxes alike: a label with its value.
function tile(el, scope) {
  const [head, line, ...others] = shownChildren(el);
  const level = line && !others.length ? headingLevel(head) : 0;
  if (!level || !isLine(line) || isBeside(head, line) || !isOneOfTiles(el)) return;
  const headings = under(scope.headings, { level, text: "" }); // of the tile before
  describe("pair", textOfHeading(head), [line], { ...scope, headings });
}

// Whether something built like an element stands beside it, or beside the wrappers that hold only it.
function isOneOfTiles(el) {
  if (neighboursOf(el).some((other) => isFieldLike(el, other))) return true;
  const parent = member(el, "parentElement");
  return parent !== null && childrenOf(parent).length === 1 && isOneOfTiles(parent);
}

// Labels and values in turn; none if the nodes are anything else. A button is no value: "Assignee"
// beside "take it" stands above the name of somebody.
function pairsIn(nodes, isSure) {
  if (nodes.length % 2) return [];
  const labels = nodes.filter((_, n) => n % 2 === 0);
  const values = nodes.filter((_, n) => n % 2 === 1);
  const isPair = (label, n) =>
    tagOf(label) &&
    tagOf(values[n]) &&
    (flatText(values[n], BUTTONS) || isEmptyCell(values[n])) &&
    !/[:：]$/.test(textOf(values[n])) &&
    signOf(label) === signOf(labels[0]) &&
    isLabelOf(label, values[n], isSure);
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
    return describeRow("text", wholeLabel(first), [[first], rest], scope);
  const [, label, value] = COLON.exec(whole) ?? [];
  if (label && label.split(" ").length <= LABELS_AT_MOST && !/[:：]\s/.test(value))
    describeRow("text", label, [line, lead ? rest : line], scope, { value, items: [] });
}
