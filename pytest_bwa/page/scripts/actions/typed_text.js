// Whether the field is secret, and the text that it contains after typing. Python compares the text
// and shows it only if it is not secret.
function typedText(el) {
  return [isSecret(el), contentOf(el)];
}

/** The same of the field that has the focus; null if none has. */
function focusedText() {
  const el = focusedElement();
  return el && typedText(el);
}
