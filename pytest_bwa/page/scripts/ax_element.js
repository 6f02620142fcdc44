// Uses: prelude/page_api.js
// Uses: prelude/secrets.js
// Uses: prelude/visibility.js

const FIELDS = "input, textarea, select";

/**
 * The element of a node of the browser's accessibility tree: its number, so that it can be acted on
 * like any other, and what the tree does not have. Null for what is inside a field: that is the
 * field's value, which is shown, or kept secret, with the field.
 * @param {Node} node
 */
function axElement(node) {
  const root = /** @type {any} */ (node).getRootNode();
  const el = node.nodeType === Node.ELEMENT_NODE ? node : (node.parentElement ?? root.host);
  const host = el.getRootNode().host;
  if ((el !== node && el.matches(FIELDS)) || host?.matches(FIELDS)) return null;
  const box = el.getBoundingClientRect();
  const hasValue = "value" in el && !isSecret(el) && tagOf(el) !== "LI";
  return JSON.stringify({
    number: pageApi().number(el),
    url: typeof el.href === "string" ? el.href : null,
    box: [box.left + scrollX, box.top + scrollY, box.width, box.height],
    value: hasValue ? String(el.value) : null,
    in_viewport: isInViewport(box),
  });
}
