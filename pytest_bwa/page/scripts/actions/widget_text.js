// Uses: prelude/secrets.js

/**
 * What a list that is built of other elements shows as chosen; empty for a secret field.
 * @param {any} el
 */
function widgetText(el) {
  if (isSecret(el)) return "";
  return member(el, "value") || visibleText(el) || member(el, "textContent") || "";
}
