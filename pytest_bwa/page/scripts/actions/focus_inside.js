const FOCUSABLE =
  "input, textarea, select, button, a[href], [contenteditable], [tabindex]:not([tabindex='-1'])";

/**
 * Focuses the first element inside that takes the focus, such as the handle of a slider, which a
 * click would move.
 * @param {Element} el
 */
function focusInside(el) {
  findAll(el, FOCUSABLE)
    .find((inside) => isShown(inside))
    ?.focus();
}
