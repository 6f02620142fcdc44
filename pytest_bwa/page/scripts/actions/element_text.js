// Uses: prelude/secrets.js

/**
 * What an element contains, for the action that reads it; empty for a secret field.
 * @param {any} el
 */
function elementText(el) {
  if (isSecret(el)) return "";
  const tag = tagOf(el);
  if (tag === "SELECT") return chosenOptions(el);
  const value = member(el, "value");
  if (value !== undefined && tag !== "LI" && tag !== "BUTTON") return String(value);
  return visibleText(el) ?? "";
}
