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
  if (isField || nodes.some(holdsStructure)) return;
  add(kind, label, nodes, scope, more);
}

// Terms and what describes them, group by group.
function definitions(list, scope) {
  const parts = findAll(list, "dt, dd").filter((el) => call(el, "closest", "dl") === list);
  const shown = parts.filter((el) => isShown(el));
  let inside = scope;
  for (const { term, values, caption } of groupsAsPainted(groupsIn(parts), shown)) {
    const group = { level: CAPTION_LEVEL, text: caption ? textOf(caption) : "" };
    if (caption) inside = { ...scope, headings: under(scope.headings, group) };
    described(term, values, inside);
  }
}

// Terms, each with what follows it. Of several in a row it is the last one: the others may have lost
// their own, and one that looks otherwise is a caption.
function groupsIn(parts) {
  const groups = [];
  for (let n = 0; n < parts.length; ) {
    /** @type {any[][]} */
    const [terms, values] = [[], []];
    while (n < parts.length && tagOf(parts[n]) === "DT") terms.push(parts[n++]);
    while (n < parts.length && tagOf(parts[n]) === "DD") values.push(parts[n++]);
    const [term, ...before] = terms.filter((el) => isShown(el)).reverse();
    const caption = before.find((el) => signOf(el) !== signOf(term));
    if (term) groups.push({ term, caption, values: values.filter((el) => isShown(el)) });
  }
  return groups;
}

// The groups of a list; if it is painted otherwise than it is written, each term with what stands beside
// or below it, and none if some term has nothing then.
function groupsAsPainted(groups, shown) {
  const isTerm = (el) => tagOf(el) === "DT";
  const labels = labelsOfValues(
    shown.filter(isTerm),
    shown.filter((el) => !isTerm(el)),
  );
  const isOwn = ({ term, values }) => values.every((el) => (labels.get(el) ?? term) === term);
  if (groups.every(isOwn)) return groups;
  const values = groupedBy([...labels.keys()], (value) => labels.get(value));
  const terms = shown.filter(isTerm);
  const isWhole = !values.has(null) && terms.every((term) => values.has(term));
  return isWhole ? terms.map((term) => ({ term, values: values.get(term), caption: null })) : [];
}

// One term and what describes it. Several descriptions are a list; behind a text, those made of links
// and buttons are what can be done with it.
function described(term, shown, scope) {
  const isText = (el) => flatText(el, `a[href], ${BUTTONS}`) !== "";
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
  if (el.textContent.length > BLOCK_LENGTH || holdsStructure(el)) return;
  const label = closest(el, "label");
  if (label && member(label, "control")) return; // it says what a field is for
  const content = partsOf(el).filter(isContent);
  if (mayHave("label") && content.some(isNameOfField)) return;
  const nodes = pairsAsPainted(el, content);
  const pairs = pairsIn(nodes, nodes.length === 2 && isInRun(el));
  for (const [name, value] of pairs) describe("pair", wholeLabel(name), [value], scope);
  if (pairs.length) return;
  const lines = linesOf(nodes);
  for (const [n, line] of lines.entries()) labelledLine(line, lines[n + 1], scope);
}

// The parts of a block line by line, as they are painted; none if labels and values do not stand side by
// side then. A pile of one pair keeps its order, or that of all: a number may stand above its label.
function pairsAsPainted(el, nodes) {
  if (nodes.length < 2 || !nodes.every((node) => tagOf(node) && hasPlace(node))) return nodes;
  const lines = linesAsPainted(nodes, isRightToLeft(el)) ?? [nodes];
  const painted = lines.flat();
  const isPile = lines.length === nodes.length;
  if (isPile && [...painted].reverse().every((node, n) => node === nodes[n])) return nodes;
  const areEven = lines.every((line) => line.length % 2 === 0);
  return areEven || isPile || lines.length < 2 ? painted : [];
}

// Whether a node without a field of its own is the label of one.
function isNameOfField(node) {
  const isLabel = tagOf(node) && isOrHas(node, "label") && !isOrHas(node, VALUE_FIELDS);
  return isLabel && all([node], "label").some(isLabelOfField);
}

// Whether an element has nothing in it, as the value of a field may have.
function isEmptyCell(node) {
  return !childrenOf(node).length && !node.textContent.trim() && boxOf(node).width > 0;
}

// Whether a row of two parts that stand side by side is among others of its class: a label and its value.
function isInRun(el) {
  const isRow = (one) => {
    const [first, second, third] = one && signOf(one) === signOf(el) ? shownChildren(one) : [];
    return second !== undefined && !third && isBeside(first, second);
  };
  return attributeOf(el, "class") && isRow(el) && neighboursOf(el).some(isRow);
}

// A first row of two plain cells: a label with its value, or the heads of two columns.
function addFirstRow(label, cell, scope) {
  if (report.found.some((known) => known.label === label)) return; // which is certain
  add("definition", label, [cell], scope, { value: textOf(cell), doubt: "column_head" });
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

// A line that says "Label: value" or "12 followers". What the next one says without a label may belong
// to the value.
function labelledLine(line, next, scope) {
  const [first, ...rest] = line;
  const whole = textOf(line);
  const counting = line.length === 2 ? line.map((node) => textOf(node)).join(" ") : whole;
  const isCount =
    /^\d/.test(counting) && !line.some((node) => tagOf(node) && matches(node, BUTTONS));
  const counted = isCount && COUNT.exec(counting);
  if (counted) return add("count", counted[2], line, scope, { value: counted[1] });
  const goesOn = next && !/[:：]|^\d/.test(textOf(next));
  const more = goesOn ? { cut: true } : {};
  const lead = tagOf(first) && rest.length ? textOf(first) : "";
  if (/[:：]$/.test(lead) && !isOrHas(first, "a[href]") && !/[:：]\s/.test(textOf(rest)))
    return describe("text", wholeLabel(first), rest, scope, more);
  const [, label, value] = COLON.exec(whole) ?? [];
  if (label && label.split(" ").length <= LABELS_AT_MOST && !/[:：]\s/.test(value))
    describe("text", label, lead ? rest : line, scope, { value, items: [], ...more });
}
