// Uses: prelude/page_api.js

/**
 * What a picture must not show, as JSON text; null if the page script is not installed.
 * @param {string[]} texts
 */
function secretPlaces(texts) {
  return pageApi()?.secretPlaces(texts) ?? null;
}
