/** What page.js has installed in this document, if it has. */
function pageApi() {
  return window[Symbol.for("bwa")];
}
