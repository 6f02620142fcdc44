// Uses: prelude/elements.js
// Uses: prelude/flat_tree.js
// Uses: prelude/visibility.js

/** @param {Node} node */
function isTickable(node) {
  return tagOf(node) === "INPUT" && /^(checkbox|radio)$/.test(/** @type {any} */ (node).type);
}

/**
 * Whether the element takes part of the page that can be scrolled to.
 * @param {Element} el
 */
function hasArea(el) {
  const box = boxOf(el);
  return (
    (box.width > 1 && box.height > 1 && box.right + scrollX > 0 && box.bottom + scrollY > 0) ||
    getComputedStyle(el).display === "contents"
  );
}

/**
 * The label that is painted in place of a checkbox or radio button that is not: component libraries
 * make theirs transparent, or clip them to nothing.
 * @param {any} el
 * @returns {Element | null}
 */
function twinOf(el) {
  if (!isTickable(el) || (isShown(el) && hasArea(el))) return null;
  return [...(el.labels ?? [])].find((label) => isShown(label) && hasArea(label)) ?? null;
}

/**
 * Where a user sees an element. A slot has no box of its own.
 * @param {Element} el
 */
function markedBoxOf(el) {
  return boxOf(twinOf(el) ?? (tagOf(el) === "SLOT" ? (flatParent(el) ?? el) : el));
}

/**
 * Whether a checkbox or radio button is there for its user although nothing of its own is painted.
 * @param {any} el
 */
function isBehindTwin(el) {
  if (!isTickable(el)) return false;
  if (twinOf(el)) return true;
  const parent = parentOf(el);
  return !!parent && isShown(el, RENDERED) && hasArea(el) && isShown(parent);
}

/**
 * Whether a user can reach an element: it is painted, or a transparent field whose look is made by
 * what is painted with it. A transparent field of text may be there for robots.
 * @param {any} el
 */
function isReachable(el) {
  if (isShown(el) || isBehindTwin(el)) return true;
  const isChoice = tagOf(el) === "SELECT" || attributeOf(el, "role") === "combobox";
  if (!isChoice && !(tagOf(el) === "INPUT" && /^(file|range)$/.test(el.type))) return false;
  const parent = parentOf(el);
  return !!parent && isShown(el, RENDERED) && hasArea(el) && isShown(parent);
}
