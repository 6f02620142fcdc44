// Uses: prelude/members.js

/** The element that has the focus, also inside shadow roots; null for the body. */
function focusedElement() {
  let focused = document.activeElement;
  while (focused && member(focused, "shadowRoot")?.activeElement) {
    focused = member(focused, "shadowRoot").activeElement;
  }
  return focused === member(document, "body") ? null : focused;
}
