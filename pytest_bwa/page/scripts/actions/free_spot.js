// Uses: prelude/page_api.js
// Uses: actions/checked_state.js
// Uses: actions/click_point.js

/**
 * The click point and the checked state of the element with that number; null if it cannot be
 * clicked at once.
 * @param {number} number
 */
function freeSpot(number) {
  const el = pageApi()?.element(number);
  const point = el && clickPoint(el);
  return point ? [...point, checkedState(el)] : null;
}
