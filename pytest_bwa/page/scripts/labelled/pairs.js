// Uses: labelled/fields.js

const STRUCTURE =
  "dl, dt, table, form, h1, h2, h3, h4, h5, h6, [role=table], [role=grid], [role=heading]";
const COLON = /^([^:：\n]{1,60}?)\s*[:：]\s+(\S[^\n]*)$/;
const COUNT = /^(\d[\d.,]*\s?[kKMB]?)\s+(\p{L}[\p{L} ]{1,40})$/u;
const LABELS_AT_MOST = 5; // words
const BLOCK_LENGTH = 5000; // characters; more is no label with its value

function holdsStructure(el) {
  return findAll(el, STRUCTURE).some((part) => isShown(part));
}

// Whether the first of two neighbours looks like the label of the second: by a colon, its tag, its
// class or its type. Two that look the same may be the headers of what follows, so they must have
// a row like theirs above them.
function isLabelOf(a, b) {
  const text = textOf(a);
  if (!text || text.length > LABEL_LENGTH || /[\n.!?]/.test(text)) return false;
  if (call(a, "matches", VALUE_FIELDS) || all([a], `a[href], ${BUTTONS}, ${VALUE_FIELDS}`).length)
    return false;
  if (/[:：]$/.test(text) || tagOf(a) !== tagOf(b)) return true;
  if (attributeOf(a, "class") !== attributeOf(b, "class")) return true;
  const row = parentOf(a);
  const above = row?.previousElementSibling;
  if (above && signOf(above) === signOf(row) && childrenOf(above).length === 2) return true;
  const [one, other] = [getComputedStyle(innermost(a)), getComputedStyle(innermost(b))];
  return (
    one.fontWeight !== other.fontWeight ||
    one.color !== other.color ||
    one.fontSize !== other.fontSize
  );
}

// A block without any structure inside: a label and its value, several of them, or a count.
function block(el, scope) {
  if (el.textContent.length > BLOCK_LENGTH || holdsStructure(el)) return;
  const nodes = flatChildren(el).filter((node) => isContent(node));
  if (!nodes.length) return;
  const elements = nodes.filter((node) => node.nodeType === Node.ELEMENT_NODE);
  const parts = elements.filter((part) => !call(part, "matches", BUTTONS));
  const isAllElements = elements.length === nodes.length;
  if (isAllElements && parts.length === 2 && couple(parts[0], parts[1], scope)) return;
  if (isAllElements && alternating(parts, scope)) return;
  for (const line of splitLines(nodes)) labelledLine(line, scope);
}

function isContent(node) {
  if (node.nodeType === Node.TEXT_NODE) return node.data.trim() !== "";
  if (node.nodeType !== Node.ELEMENT_NODE) return false;
  if (tagOf(node) === "BR") return true;
  return !!textOf(node) || all([node], VALUE_FIELDS).some(isReadable);
}

function couple(a, b, scope) {
  const [first, second] = [textOf(a), textOf(b)];
  if (/^\d[\d.,]*\s?[kKMB]?$/.test(first) && /^\p{L}[\p{L} ]{1,40}$/u.test(second)) {
    add("count", second, [a], scope);
    return true;
  }
  if (!isLabelOf(a, b)) return false;
  const field = onlyField(b);
  if (field) addField(field, scope, first);
  else add("pair", first, [b], scope);
  return true;
}

function signOf(el) {
  return `${tagOf(el)} ${attributeOf(el, "class") || ""}`;
}

// Label, value, label, value, as a grid lays them out.
function alternating(parts, scope) {
  if (parts.length < 4 || parts.length % 2) return false;
  const labels = parts.filter((_, n) => n % 2 === 0);
  const values = parts.filter((_, n) => n % 2 === 1);
  if (new Set(labels.map(signOf)).size > 1 || labels.some((el, n) => !isLabelOf(el, values[n])))
    return false;
  for (const [n, el] of labels.entries()) couple(el, values[n], scope);
  return true;
}

// The nodes of each line: lines end at <br>, at blocks, and before an element that ends with a colon.
function splitLines(nodes) {
  /** @type {any[][]} */
  const lines = [[]];
  for (const node of nodes) {
    const isElement = node.nodeType === Node.ELEMENT_NODE;
    if (isElement && tagOf(node) === "BR") {
      lines.push([]);
      continue;
    }
    if (isElement && /[:：]$/.test(textOf(node))) lines.push([]);
    lines[lines.length - 1].push(node);
  }
  return lines.filter((line) => line.length);
}

// A line that says "Label: value" or "12 followers".
function labelledLine(line, scope) {
  const [first, ...rest] = line;
  const isElement = first.nodeType === Node.ELEMENT_NODE;
  const label = textOf(first);
  if (isElement && rest.length && /[:：]$/.test(label) && !all([first], "a[href]").length) {
    add("text", label, rest, scope);
    return;
  }
  const whole = flatText(line);
  const counted = COUNT.exec(whole);
  if (counted) {
    add("count", counted[2], line, scope, { value: counted[1] });
    return;
  }
  const match = COLON.exec(whole);
  if (!match || match[1].split(" ").length > LABELS_AT_MOST || /[:：]\s/.test(match[2])) return;
  const after = isElement || !rest.length ? line : rest;
  add("text", match[1], after, scope, { value: match[2], items: [] });
}
