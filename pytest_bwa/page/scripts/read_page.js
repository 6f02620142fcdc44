// Uses: prelude/page_api.js

/**
 * What one frame shows, as JSON text; null if the page script is not installed.
 * @param {{ maxNodes: number }} options
 */
function readPage(options) {
  return pageApi()?.snapshot(options) ?? null;
}
