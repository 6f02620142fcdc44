// Uses: prelude/twins.js

/**
 * The element itself, or the label to be clicked in place of a box that is not painted.
 * @param {Element} el
 */
function clickTarget(el) {
  return twinOf(el) ?? el;
}
