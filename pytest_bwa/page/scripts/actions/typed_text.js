// Uses: prelude/secrets.js

/**
 * Whether the field is secret, and the text that it contains after typing. Python compares the text
 * and shows it only if it is not secret.
 * @param {any} el
 */
function typedText(el) {
  return [isSecret(el), contentOf(el)];
}
