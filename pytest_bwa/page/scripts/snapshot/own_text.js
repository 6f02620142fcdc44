// Uses: prelude/flat_tree.js

/**
 * The nodes directly in an element; what a shadow root or a slot shows in their place.
 * @param {Element} el
 * @returns {Iterable<Node>}
 */
function paintedNodesIn(el) {
  const isReplaced = member(el, "shadowRoot") || tagOf(el) === "SLOT";
  return isReplaced ? flatChildren(el) : member(el, "childNodes");
}

/** @param {Element} el */
function hasOwnText(el) {
  for (const node of paintedNodesIn(el)) {
    if (node.nodeType === Node.TEXT_NODE && /** @type {Text} */ (node).data.trim()) return true;
  }
  return false;
}

/** @param {Element} el */
function ownText(el) {
  const texts = [...paintedNodesIn(el)].filter((node) => node.nodeType === Node.TEXT_NODE);
  return texts.map((node) => /** @type {Text} */ (node).data).join(" ");
}
