// Uses: actions/target_state_by_number.js
// Uses: prelude/page_api.js

/**
 * Waits until the page is quiet, and reads the state of an element then; null if page.js or
 * settle.js is not installed.
 * @param {SettleOptions & { target: { key: string, number: number } | null }} options
 */
async function settlePage(options) {
  const api = pageApi();
  const quiet = window[Symbol.for("bwa.quiet")];
  if (!api || !quiet) return null;
  const found = await quiet.settle(options, api);
  return { ...found, target: options.target && targetStateByNumber(options.target) };
}
