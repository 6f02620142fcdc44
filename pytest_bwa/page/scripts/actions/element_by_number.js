// Uses: prelude/page_api.js

/**
 * The element with that number, if it is still in that document.
 * @param {{ key: string, number: number }} reference
 */
function elementByNumber({ key, number }) {
  return pageApi()?.element(key, number) ?? null;
}
