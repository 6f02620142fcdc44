// Uses: prelude/elements.js
// Uses: prelude/text.js
// Uses: prelude/visibility.js

// The flat tree is what the browser paints: shadow roots in place of their hosts' children, and in
// each slot what was assigned to it.

const UNPAINTED = /^(SCRIPT|STYLE|NOSCRIPT|TEMPLATE|HEAD|META|LINK|TITLE)$/;
const STRUCK = /^(S|DEL|STRIKE)$/;

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
  const slot = member(node, "assignedSlot");
  if (slot) return slot;
  const parent = member(node, "parentNode");
  return parent instanceof ShadowRoot ? parent.host : parentOf(node);
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
 * The text that an element shows, in the flat tree: without what is hidden, crossed out or only
 * decoration, and with the names of its pictures. Each block and each <br> begins a new line.
 * @param {any} node
 * @returns {string}
 */
function flatText(node) {
  const lines = paintedText(node)
    .split("\n")
    .map((line) => fold(line));
  return lines.filter(Boolean).join("\n");
}

/**
 * @param {any} node
 * @returns {string}
 */
function paintedText(node) {
  if (node.nodeType === Node.TEXT_NODE) {
    const parent = flatParent(node);
    const keepsLines = parent && /^(pre|break)/.test(getComputedStyle(parent).whiteSpace);
    return keepsLines ? node.data : node.data.replace(/\s+/g, " ");
  }
  if (node.nodeType !== Node.ELEMENT_NODE) return "";
  const tag = tagOf(node);
  if (tag === "BR") return "\n";
  if (UNPAINTED.test(tag) || attributeOf(node, "aria-hidden") === "true") return "";
  const style = getComputedStyle(node);
  const hasNoBox = style.display === "contents";
  if (!hasNoBox && !isShown(node)) return "";
  if (isStruck(node)) return "";
  if (tag === "IMG" || tag === "SVG") return ` ${pictureName(node)} `;
  if (isField(node)) return "";
  const inside = flatChildren(node).map(paintedText).join("");
  if (!inside.trim()) return inside || (hasNoBox ? "" : ` ${pictureName(node)} `);
  return /^(inline|contents|ruby)/.test(style.display) ? inside : `\n${inside}\n`;
}
