// Uses: prelude/elements.js
// Uses: prelude/text.js
// Uses: prelude/visibility.js

// The flat tree is what the browser paints: shadow roots in place of their hosts' children, and in
// each slot what was assigned to it.

const UNPAINTED = /^(SCRIPT|STYLE|NOSCRIPT|TEMPLATE|HEAD|META|LINK|TITLE)$/;
const ANNOTATION = /^(RT|RP)$/; // how the text below it is pronounced
const STRUCK = /^(S|DEL|STRIKE)$/;
// What is drawn, whatever text stands inside for browsers that cannot draw it.
const DRAWN = /^(IMG|SVG|CANVAS|AUDIO|VIDEO|OBJECT|EMBED|IFRAME|PROGRESS|METER)$/;
// Where the text alone does not say what is seen: a picture without a name, and a box or a raised
// sign without a space before it. Only texts that were asked for with marks have them.
const PICTURE_MARK = "\ufffc";
const EDGE_MARK = "\ufdd0";
const MARKS = /[\ufffc\ufdd0]/g;

/**
 * The nodes inside a node, as they are painted.
 * @param {any} node
 * @returns {any[]}
 */
function flatChildren(node) {
  const root = member(node, "shadowRoot");
  if (root) return [...root.childNodes];
  if (tagOf(node) === "SLOT") {
    const assigned = node.assignedNodes();
    if (assigned.length) return assigned;
  }
  return [...member(node, "childNodes")];
}

/**
 * The element that a node is painted in; null for the root.
 * @param {any} node
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
  return STRUCK.test(tagOf(el)) || getComputedStyle(el).textDecorationLine.includes("line-through");
}

/**
 * What names a picture, or an element that shows something without any text.
 * @param {any} el
 * @returns {string}
 */
function pictureName(el) {
  const name = attributeOf(el, "aria-label") || textOfIds(el, "aria-labelledby");
  if (name) return name;
  if (tagOf(el) === "IMG") return el.alt || attributeOf(el, "title") || "";
  if (tagOf(el) === "SVG") return findAll(el, ":scope > title")[0]?.textContent || "";
  return attributeOf(el, "title") || "";
}

/**
 * Whether an element is only for screen readers: shrunk to a point, or kept outside of the page.
 * @param {Element} el
 * @param {CSSStyleDeclaration} style
 */
function isUnseen(el, style) {
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
  return markedText(node, without).replace(MARKS, "");
}

/**
 * The same with PICTURE_MARK and EDGE_MARK.
 * @param {any} node
 * @param {string} without
 * @returns {string}
 */
function markedText(node, without = "") {
  const nodes = Array.isArray(node) ? node : [node];
  for (const withUnseen of [false, true]) {
    const text = nodes.map((one) => paintedText(one, without, withUnseen)).join("");
    const lines = text.split("\n").map((line) => fold(line));
    if (lines.some((line) => line.replace(MARKS, ""))) return lines.filter(Boolean).join("\n");
  }
  return "";
}

/**
 * Whether nothing in an element is a part of the text.
 * @param {Element} el
 * @param {CSSStyleDeclaration} style
 * @param {string} without
 */
function isLeftOut(el, style, without) {
  if (UNPAINTED.test(tagOf(el)) || ANNOTATION.test(tagOf(el))) return true;
  if (attributeOf(el, "aria-hidden") === "true") return true;
  if (!isShown(el) && style.display !== "contents") return true;
  return isStruck(el) || (without !== "" && call(el, "matches", without));
}

/**
 * The texts that were asked for, by element; null where the page may change in between.
 * @type {WeakMap<any, Map<string, string>> | null}
 */
let paintedTexts = null;

/** From now on, each text is made once: for a script that reads the page at one go. */
function rememberTexts() {
  paintedTexts = new WeakMap();
}

function forgetTexts() {
  paintedTexts = null;
}

/**
 * @param {any} node
 * @param {string} without
 * @param {boolean} withUnseen
 * @returns {string}
 */
function paintedText(node, without, withUnseen) {
  if (!paintedTexts) return newPaintedText(node, without, withUnseen);
  const known = paintedTexts.get(node) ?? new Map();
  paintedTexts.set(node, known);
  const key = `${withUnseen} ${without}`;
  if (!known.has(key)) known.set(key, newPaintedText(node, without, withUnseen));
  return known.get(key);
}

/**
 * @param {any} node
 * @param {string} without
 * @param {boolean} withUnseen
 * @returns {string}
 */
function newPaintedText(node, without, withUnseen) {
  if (node.nodeType === Node.TEXT_NODE) {
    const parent = flatParent(node);
    if (parent && unpainted.has(parent)) return "";
    const keepsLines = parent && /^(pre|break)/.test(getComputedStyle(parent).whiteSpace);
    return keepsLines ? node.data : node.data.replace(/\s+/g, " ");
  }
  if (node.nodeType !== Node.ELEMENT_NODE) return "";
  const tag = tagOf(node);
  if (tag === "BR") return "\n";
  const style = getComputedStyle(node);
  if (isLeftOut(node, style, without) || tag === "WBR" || isField(node)) return "";
  if (!withUnseen && isUnseen(node, style)) return "";
  if (DRAWN.test(tag)) return drawnText(node);
  const text = joined(flatChildren(node), (child) => paintedText(child, without, withUnseen));
  if (!text.trim()) return text || (style.display === "contents" ? "" : ` ${pictureName(node)} `);
  if (!/^(inline|contents|ruby)/.test(style.display)) return `\n${text}\n`;
  return isSetApart(node, style) ? EDGE_MARK + text + EDGE_MARK : text;
}

/**
 * The texts of neighbours, with a mark where one word or number seems to go on in the next element.
 * @param {any[]} nodes
 * @param {(node: any) => string} textOf
 */
function joined(nodes, textOf) {
  let whole = "";
  let isElement = false;
  for (const node of nodes) {
    const text = textOf(node);
    if (!text) continue;
    const isNextElement = node.nodeType === Node.ELEMENT_NODE;
    const areDigits = /\d$/.test(whole) && /^\d/.test(text);
    const areLetters = /\p{L}$/u.test(whole) && /^\p{L}/u.test(text);
    if (areDigits || (areLetters && isElement && isNextElement)) whole += EDGE_MARK;
    whole += text;
    isElement = isNextElement;
  }
  return whole;
}

/** @param {any} el */
function drawnText(el) {
  const name = pictureName(el);
  if (name) return ` ${name} `;
  return tagOf(el) === "IMG" && attributeOf(el, "alt") === "" ? "" : PICTURE_MARK;
}

/**
 * Whether something inline is painted apart from its neighbours: raised, lowered, or in a box.
 * @param {Element} el
 * @param {CSSStyleDeclaration} style
 */
function isSetApart(el, style) {
  if (/^(SUP|SUB)$/.test(tagOf(el)) || /^(super|sub)$/.test(style.verticalAlign)) return true;
  const sides = [style.paddingLeft, style.paddingRight, style.marginLeft, style.marginRight];
  return sides.some((side) => parseFloat(side) > 0);
}
