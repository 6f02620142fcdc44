// Uses: actions/target_state.js

/**
 * Whether keys that are pressed now reach the element: it or something inside it has the focus.
 * @param {Element} el
 */
function hasFocus(el) {
  const focused = focusedElement();
  for (let up = focused; up; up = flatParent(up)) if (up === el) return true;
  return false;
}
