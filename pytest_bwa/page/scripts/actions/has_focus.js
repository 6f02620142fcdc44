const TYPED_FIELDS = "input, textarea, select, [contenteditable]";

/**
 * Whether keys that are pressed now reach the element: it or something inside it has the focus. For
 * a text that must be the one field inside it, such as the hidden one of a terminal or an editor.
 * @param {Element} el
 * @param {boolean} isForText
 */
function hasFocus(el, isForText) {
  const focused = focusedElement();
  if (focused === el || !focused) return focused === el;
  if (isForText) {
    const takesText = /^(field|editable)$/.test(typingTarget(focused));
    const isOnlyOne = findAll(el, TYPED_FIELDS).length < 2;
    if (!takesText || !isOnlyOne || /^(BODY|HTML)$/.test(tagOf(el))) return false;
  }
  return holds(el, focused);
}
