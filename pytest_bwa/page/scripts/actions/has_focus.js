// Uses: actions/target_state.js

const TYPED_FIELDS = "input, textarea, select, [contenteditable]";

/**
 * Whether keys that are pressed now reach the element: it has the focus, or the one field inside
 * it, such as the hidden one of a terminal or an editor. Of several fields none is meant.
 * @param {Element} el
 */
function hasFocus(el) {
  const focused = focusedElement();
  if (focused !== el && (/^(BODY|HTML)$/.test(tagOf(el)) || findAll(el, TYPED_FIELDS).length > 1)) {
    return false;
  }
  for (let up = focused; up; up = flatParent(up)) if (up === el) return true;
  return false;
}
