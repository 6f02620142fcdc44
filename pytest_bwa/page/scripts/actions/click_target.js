// Uses: prelude/overlap.js
// Uses: prelude/twins.js
// Uses: snapshot/numbers.js

const SHAPES = "rect, circle, ellipse, polygon, path";
const GROUP_LEVELS = 3;

/**
 * The number of what is to be clicked in place of an element: the label of a box that is not painted,
 * the shape under a text that lets the pointer through; null for others.
 * @param {Element} el
 */
function clickTarget(el) {
  const target = twinOf(el) ?? shapeUnder(el);
  return target && numberOf(target);
}

/**
 * The shape that a text of a drawing stands on, in one of the groups around it.
 * @param {Element} text
 * @returns {Element | null}
 */
function shapeUnder(text) {
  if (!(text instanceof SVGElement) || styleOf(text).pointerEvents !== "none") return null;
  const box = boxOf(text);
  const isUnderIt = (/** @type {Element} */ shape) =>
    styleOf(shape).pointerEvents !== "none" && overlap(boxOf(shape), box);
  let up = parentOf(text);
  for (let level = 0; up && tagOf(up) === "G" && level < GROUP_LEVELS; level++, up = parentOf(up)) {
    const shape = findAll(up, SHAPES).find(isUnderIt);
    if (shape) return shape;
  }
  return null;
}
