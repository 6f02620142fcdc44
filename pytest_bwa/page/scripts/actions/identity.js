const IDENTITY_TEXT_LENGTH = 60;

// An element's tag and text.
function identity(el) {
  const text = isSecret(el) || isField(el) ? attributeOf(el, "placeholder") : visibleText(el);
  return [tagOf(el).toLowerCase(), fold(text, IDENTITY_TEXT_LENGTH, "…")];
}
