const CONTENT = "input, textarea, select, button, canvas, svg, img, [contenteditable]";
const FRAMES = "iframe, frame";

/** @param {Document | ShadowRoot} root */
function textOfRoot(root) {
  const painted = [...root.childNodes].filter((node) => {
    if (node.nodeType === Node.TEXT_NODE) return true;
    const el = node.nodeType === Node.ELEMENT_NODE ? /** @type {Element} */ (node) : null;
    return el && !UNPAINTED.has(tagOf(el)) && isShown(el);
  });
  return painted.map(visibleText).join("\n");
}

/** Whether the page shows nothing yet, in its shadow roots and its own frames either. */
function isEmpty() {
  return rootsOfPage().every((root) => {
    const text = root === document ? pageText() : textOfRoot(root);
    return !text.trim() && !findAll(root, CONTENT).length && !findAll(root, FRAMES).some(isFilled);
  });
}

/** @param {Element} frame Of another site it is often a banner, and counts as nothing. */
function isFilled(frame) {
  const inner = /** @type {HTMLIFrameElement} */ (frame).contentDocument;
  if (!inner?.body || !isShown(frame)) return false;
  return Boolean((visibleText(inner.body) || "").trim()) || findAll(inner, CONTENT).length > 0;
}
