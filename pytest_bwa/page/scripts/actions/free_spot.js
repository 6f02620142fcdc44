/**
 * The click point, the checked state and the whole state of an element; null if it cannot be clicked
 * at once.
 * @param {Element} el
 */
function freeSpot(el) {
  if (!isInPage(el)) return null;
  const state = targetState(el); // before anything is scrolled into view
  const point = clickPoint(el);
  return point ? [...point, checkedState(el), state] : null;
}
