// Uses: prelude/elements.js
// Uses: prelude/page_api.js

// A password stays secret when the page shows it: "show password" turns its field into a text
// field. What a secret was typed into holds one, too. The set of such fields belongs to the document,
// whichever script has seen the field first.
const KNOWN_SECRETS = pageApi()?.secrets ?? new WeakSet();

/**
 * Whether an element is a field whose value must not leave the page.
 * @param {Node} node
 */
function isSecret(node) {
  if (tagOf(node) !== "INPUT") return KNOWN_SECRETS.has(node);
  const input = /** @type {HTMLInputElement} */ (node);
  if (input.type === "password" || /-password$/.test(input.autocomplete || "")) {
    KNOWN_SECRETS.add(input);
  }
  return KNOWN_SECRETS.has(input);
}
