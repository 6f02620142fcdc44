// Uses: prelude/page_api.js

/** What the page script calls the state of this document; null if it is not installed. */
function readState() {
  return pageApi()?.state() ?? null;
}
