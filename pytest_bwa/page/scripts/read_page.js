// Uses: page.js
// Uses: prelude/json.js

/**
 * Reads one frame, as JSON text; installs the page script first if it is missing.
 * @param {{ maxNodes: number }} options
 */
function readPage(options) {
  page();
  return toJsonText(pageApi().snapshot(options));
}
