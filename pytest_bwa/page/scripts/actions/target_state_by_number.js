// Uses: prelude/page_api.js

/**
 * The state of the element with that number; null if it is no longer in that document.
 * @param {{ key: string, number: number }} reference
 */
function targetStateByNumber({ key, number }) {
  const el = pageApi()?.element(key, number);
  return el ? pageApi().targetState(el) : null;
}
