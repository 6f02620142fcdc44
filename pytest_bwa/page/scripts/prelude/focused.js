/** The element that has the focus, also inside shadow roots; the body if nothing else has it. */
function innermostFocus() {
  let focused = member(document, "activeElement");
  while (focused && member(focused, "shadowRoot")?.activeElement) {
    focused = member(focused, "shadowRoot").activeElement;
  }
  return focused;
}

/** The same, but null for the body. */
function focusedElement() {
  const focused = innermostFocus();
  return focused === member(document, "body") ? null : focused;
}
