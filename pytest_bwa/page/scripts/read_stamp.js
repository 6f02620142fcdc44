// Uses: prelude/page_api.js

/** The document's stamp; null if the page script is not installed. */
function readStamp() {
  return pageApi()?.stamp() ?? null;
}
