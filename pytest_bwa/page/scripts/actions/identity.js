// Uses: prelude/page_api.js
// Uses: prelude/secrets.js
// Uses: prelude/text.js

const IDENTITY_TEXT_LENGTH = 60;

/**
 * The document's key and the element's number, if the page script is installed; its tag and text.
 * @param {any} el
 */
function identity(el) {
  const text = isSecret(el) || isField(el) ? attributeOf(el, "placeholder") : visibleText(el);
  const api = pageApi();
  const tag = tagOf(el).toLowerCase();
  return [api?.document() ?? "", api?.number(el) ?? -1, tag, fold(text, IDENTITY_TEXT_LENGTH, "…")];
}
