// Whether what is typed into an element must not be shown.
function isSecretField(el) {
  const target = tagOf(el) === "LABEL" ? el.control : el;
  return Boolean(target) && isSecret(target);
}

/** The same for what has the focus. */
function hasSecretFocus() {
  const el = innermostFocus();
  return Boolean(el) && isSecretField(el);
}
