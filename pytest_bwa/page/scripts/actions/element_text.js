// Uses: prelude/flat_tree.js
// Uses: prelude/secrets.js

/**
 * What an element contains, for the action that reads it; empty for a secret field.
 * @param {any} el
 */
function elementText(el) {
  if (isSecret(el)) return "";
  const tag = tagOf(el);
  if (tag === "SELECT") return chosenOptions(el);
  if (tag === "INPUT" && /^(checkbox|radio)$/.test(el.type)) {
    return el.checked ? "checked" : "not checked";
  }
  const value = member(el, "value");
  const isContent = typeof value === "string" && value !== "" && tag !== "LI" && tag !== "BUTTON";
  // The text of a shadow root is no innerText.
  return isContent ? value : visibleText(el) || flatText(el);
}
