// Uses: prelude/page_api.js

/**
 * The state of an element and of what is around it; null without the page script.
 * @param {Element | null} el The focused element if it is null
 */
function targetStateNow(el) {
  return pageApi()?.targetState(el) ?? null;
}
