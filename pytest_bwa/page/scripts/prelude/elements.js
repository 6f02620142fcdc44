// A field called "children" hides its form's property of that name, so the getter is called directly.
const GET_CHILDREN = /** @type {() => HTMLCollection} */ (
  Object.getOwnPropertyDescriptor(Element.prototype, "children")?.get
);

/**
 * The tag's name in capitals: XHTML and SVG have it in small letters, and a comment has none.
 * @param {Node | null | undefined} node
 */
function tagOf(node) {
  return /** @type {Element | null | undefined} */ (node)?.localName?.toUpperCase() ?? "";
}

/** @param {Element} el */
function childrenOf(el) {
  return [...GET_CHILDREN.call(el)];
}

/**
 * The text of the elements whose ids `attribute` lists, such as aria-labelledby.
 * @param {Element} el
 * @param {string} attribute
 */
function textOfIds(el, attribute) {
  const ids = (el.getAttribute(attribute) || "").split(/\s+/).filter(Boolean);
  const root = /** @type {Document} */ (el.getRootNode());
  return ids.map((id) => root.getElementById?.(id)?.textContent || "").join(" ");
}

/** @param {Node} node */
function isField(node) {
  return /^(INPUT|TEXTAREA|SELECT)$/.test(tagOf(node));
}

/**
 * The labels of the chosen options of a <select>.
 * @param {HTMLSelectElement} select
 */
function chosenOptions(select) {
  return [...select.selectedOptions].map((option) => option.label).join(", ");
}
