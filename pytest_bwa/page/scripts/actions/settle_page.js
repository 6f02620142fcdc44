// Uses: prelude/page_api.js

/**
 * Waits until the page is quiet; null if page.js or settle.js is not installed.
 * @param {SettleOptions} options
 */
function settlePage(options) {
  const api = pageApi();
  const quiet = window[Symbol.for("bwa.quiet")];
  return api && quiet ? quiet.settle(options, api) : null;
}
