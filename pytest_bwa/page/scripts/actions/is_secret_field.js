// Uses: prelude/elements.js
// Uses: prelude/focused.js
// Uses: prelude/secrets.js

/**
 * Whether what is typed into an element must not be shown; without one, of what has the focus.
 * @param {any} el
 */
function isSecretField(el) {
  const target = tagOf(el) === "LABEL" ? el.control : (el ?? innermostFocus());
  return Boolean(target) && isSecret(target);
}
