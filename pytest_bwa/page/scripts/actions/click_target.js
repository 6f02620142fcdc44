// Uses: prelude/twins.js
// Uses: snapshot/numbers.js

/**
 * The number of the label to be clicked in place of a box that is not painted; null for others.
 * @param {Element} el
 */
function clickTarget(el) {
  const twin = twinOf(el);
  return twin && numberOf(twin);
}
