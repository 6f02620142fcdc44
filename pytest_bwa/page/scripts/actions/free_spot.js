// Uses: prelude/page_api.js
// Uses: actions/checked_state.js
// Uses: actions/click_point.js

/**
 * The click point, the checked state and the whole state of the element with that number; null if
 * it cannot be clicked at once, or is not in that document.
 * @param {{ key: string, number: number }} reference
 */
function freeSpot({ key, number }) {
  const el = pageApi()?.element(key, number);
  if (!el) return null;
  const state = pageApi().targetState(el); // before anything is scrolled into view
  const point = clickPoint(el);
  return point ? [...point, checkedState(el), state] : null;
}
