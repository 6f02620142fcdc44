// Uses: prelude/page_api.js

/** @param {number} number */
function elementByNumber(number) {
  return pageApi()?.element(number) ?? null;
}
