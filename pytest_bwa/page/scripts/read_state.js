// Uses: page.js

/** What the page script calls the state of this document; installs it first if it is missing. */
function readState() {
  page();
  return pageApi().state();
}
