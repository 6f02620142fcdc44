// A password stays secret when the page shows it: "show password" turns its field into a text
// field. What a secret was typed into holds one, too.
const KNOWN_SECRETS = new WeakSet();

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
