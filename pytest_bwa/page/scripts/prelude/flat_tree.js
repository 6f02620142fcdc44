// The flat tree is what the browser paints: shadow roots in place of their hosts' children, and in
// each slot what was assigned to it.

const UNPAINTED = wordSet("SCRIPT STYLE NOSCRIPT TEMPLATE HEAD META LINK TITLE");
const ANNOTATION = wordSet("RT RP"); // how the text below it is pronounced
const STRUCK = wordSet("S DEL STRIKE");
// What is drawn, whatever text stands inside for browsers that cannot draw it.
const DRAWN = wordSet("IMG SVG CANVAS AUDIO VIDEO OBJECT EMBED IFRAME PROGRESS METER");

/**
 * The nodes inside a node, as they are painted.
 * @returns {readonly any[]}
 */
function flatChildren(node) {
  return once(node, "nodes", flatChildrenNow);
}

/** @returns {any[]} */
function flatChildrenNow(node) {
  const tag = tagOf(node);
  const root = tag && GET_SHADOW_ROOT.call(node);
  if (root) return nodesIn(root);
  if (tag === "SLOT") {
    const assigned = node.assignedNodes();
    if (assigned.length) return assigned;
  }
  return nodesIn(node);
}

/**
 * The element that a node is painted in; null for the root.
 * @returns {Element | null}
 */
function flatParent(node) {
  const parent = GET_PARENT_NODE.call(node);
  if (!parent || GET_NODE_TYPE.call(parent) !== Node.ELEMENT_NODE) return parent?.host ?? null;
  // Only what a host holds is shown in a slot.
  return (GET_SHADOW_ROOT.call(parent) && node.assignedSlot) || parent;
}

/**
 * Whether a node is an element, or is painted around it.
 * @param {Node} outer
 * @param {Element} inner
 */
function holds(outer, inner) {
  for (let up = /** @type {Element | null} */ (inner); up; up = flatParent(up)) {
    if (up === outer) return true;
  }
  return false;
}

/**
 * Whether an element or what it stands in is crossed out.
 * @param {Element} el
 */
function isStruck(el) {
  return once(el, "isStruck", isStruckNow);
}

/** @param {Element} el */
function isStruckNow(el) {
  return STRUCK.has(tagOf(el)) || styleOf(el).textDecorationLine.includes("line-through");
}

/**
 * Whether an element is only for screen readers: shrunk to a point, or kept outside of the page.
 * @param {Element} el
 */
function isUnseen(el) {
  return once(el, "isUnseen", isUnseenNow);
}

/** @param {Element} el */
function isUnseenNow(el) {
  const style = styleOf(el);
  if (style.position !== "absolute" && style.position !== "fixed") return false;
  const box = boxOf(el);
  return (box.width <= 1 && box.height <= 1) || box.right + scrollX <= 0;
}

/**
 * The elements whose own text cannot be seen, as far as a snapshot has looked for them.
 * @type {Set<Element>}
 */
const unpainted = new Set();

/**
 * The text that nodes show, in the flat tree: without what is hidden, crossed out or decoration,
 * and with the names of their pictures. Each block and each <br> begins a new line. Words that are
 * only for screen readers count where nothing else is shown.
 * @param {any} node One node, or an array of them
 * @param {string} without Elements that are left out, as CSS
 * @returns {string}
 */
function flatText(node, without = "") {
  const plain = !Array.isArray(node) && tagOf(node) && once(node, "plainText", plainTextNow);
  if (plain && !(without && matches(node, without))) return plain;
  return withoutMarks(markedText(node, without));
}

/**
 * The text of an element that holds one line of ASCII and nothing else, as most elements do: it is its
 * flat text, and needs none of the steps that lead to that. Empty for all others.
 * @param {Element} el
 */
function plainTextNow(el) {
  const nodes = flatChildren(el);
  const text = nodes.length === 1 && nodes[0].nodeType === Node.TEXT_NODE ? nodes[0].data : "";
  if (!text || !FOLDED.test(text)) return "";
  const tag = tagOf(el);
  if (tag === "SUP" || tag === "WBR" || tag === "BR" || DRAWN.has(tag) || isField(el)) return "";
  if (hasWritten(addedTo(el))) return "";
  return !isShown(el) || unpainted.has(el) || isLeftOut(el, "") || isUnseen(el) ? "" : text;
}

/**
 * The same with PICTURE_MARK and EDGE_MARK.
 * @param {string} without
 * @returns {string}
 */
function markedText(node, without = "") {
  return linesOfText(node, without, false) || linesOfText(node, without, true);
}

/**
 * @param {string} without
 * @param {boolean} withUnseen
 * @returns {string}
 */
function linesOfText(node, without, withUnseen) {
  const text = Array.isArray(node)
    ? node.map((one) => paintedText(one, without, withUnseen)).join("")
    : paintedText(node, without, withUnseen);
  const whole = withBlanks(text).trim();
  if (!whole.includes("\n")) {
    const line = fold(whole);
    return line.replace(MARKS, "") && line;
  }
  const lines = whole.split("\n").map((line) => fold(line));
  return lines.some((line) => line.replace(MARKS, "")) ? lines.filter(Boolean).join("\n") : "";
}

/**
 * Whether nothing in an element is a part of the text.
 * @param {Element} el
 * @param {string} without
 */
function isLeftOut(el, without) {
  return once(el, "isLeftOut", isLeftOutNow) || (without !== "" && matches(el, without));
}

/** @param {Element} el */
function isLeftOutNow(el) {
  const tag = tagOf(el);
  if (UNPAINTED.has(tag) || ANNOTATION.has(tag)) return true;
  if (attributeOf(el, "aria-hidden") === "true") return true;
  return !isShownOrBoxless(el) || isStruck(el);
}

/**
 * @param {string} without
 * @param {boolean} withUnseen
 * @returns {string}
 */
function paintedText(node, without, withUnseen) {
  if (node.nodeType === Node.TEXT_NODE) return paintedData(node);
  if (node.nodeType !== Node.ELEMENT_NODE) return "";
  const known = knownOf(node);
  if (!known) return paintedTextNow(node, without, withUnseen);
  const texts = withUnseen ? "textsWithUnseen" : "texts";
  let text = known[texts].get(without);
  if (text === undefined) {
    text = paintedTextNow(node, without, withUnseen);
    if (known[texts] === NO_TEXTS) known[texts] = new Map();
    known[texts].set(without, text);
  }
  return text;
}

/** @param {Text} node */
function paintedData(node) {
  const parent = flatParent(node);
  const style = parent && styleOf(parent);
  if (parent && (unpainted.has(parent) || style?.visibility !== "visible")) return "";
  if (parent && hidesOwnTexts(parent)) return "";
  const text = NOT_ASCII.test(node.data) ? node.data.replace(OWN_MARKS, "") : node.data;
  return parent && keepsLines(parent) ? text : text.replace(/\s+/g, " ");
}

/** @param {Element} el Whether the line breaks in its source are those that a person sees */
function keepsLines(el) {
  return /^(pre|break)/.test(styleOf(el).whiteSpace);
}

/**
 * @param {string} without
 * @param {boolean} withUnseen
 * @returns {string}
 */
function paintedTextNow(el, without, withUnseen) {
  const tag = tagOf(el);
  if (tag === "BR") return "\n";
  let text = once(el, "plainText", plainTextNow);
  if (!text || (without && matches(el, without))) {
    if (isLeftOut(el, without) || tag === "WBR" || isField(el)) return "";
    if (!withUnseen && isUnseen(el)) return "";
    if (DRAWN.has(tag)) return drawnText(el);
    text = joined(flatChildren(el), (child) => paintedText(child, without, withUnseen));
    text = withAdded(el, text);
  }
  if (isFootnote(el, text)) text = inRaisedDigits(text);
  if (!text.trim()) return text || (isBoxless(el) ? "" : ` ${pictureName(el)} `);
  const { before, after } = once(el, "edges", edgesOf);
  return before + text + after;
}

function drawnText(el) {
  const name = pictureName(el);
  if (name) return ` ${name} `;
  return tagOf(el) === "IMG" && attributeOf(el, "alt") === "" ? "" : PICTURE_MARK;
}
