// Uses: prelude/page_api.js

/** Where things are painted, as JSON text; null if the page script is not installed. */
function readLayout() {
  return pageApi()?.layout() ?? null;
}
