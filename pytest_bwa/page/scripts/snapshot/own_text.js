/** @param {Element} el */
function hasOwnText(el) {
  if (hidesOwnTexts(el)) return false;
  for (const node of flatChildren(el)) {
    if (node.nodeType === Node.TEXT_NODE && /** @type {Text} */ (node).data.trim()) return true;
  }
  return false;
}

/** @param {Element} el */
function ownText(el) {
  if (hidesOwnTexts(el)) return "";
  const texts = flatChildren(el).filter((node) => node.nodeType === Node.TEXT_NODE);
  const text = texts.map((node) => /** @type {Text} */ (node).data).join(" ");
  return withoutMarks(withBlanks(withAdded(el, text)));
}
