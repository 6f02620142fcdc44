const SHAPES = "rect, circle, ellipse, polygon, path";
const GROUP_LEVELS = 3;
const BOX_HEIGHT = 3; // times that of the field in it; a higher box is a part of the page
const SHOWN_FIELDS = "input:not([type=hidden]), select, textarea";

/**
 * The number of what is to be clicked in place of an element: the label of a box that is not painted,
 * the shape under a text that lets the pointer through, the box around such a field; null for others.
 * @param {Element} el
 */
function clickTarget(el) {
  const target = twinOf(el) ?? shapeUnder(el) ?? boxUnder(el);
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

/**
 * What the pointer hits in place of a field that lets it through: the box around it, which opens a
 * list or a calendar, if the box is this field's alone.
 * @param {Element} field
 * @returns {Element | null}
 */
function boxUnder(field) {
  if (!isField(field) || matches(field, ":disabled") || !letsPointerThrough(field)) return null;
  let up = flatParent(field);
  while (up && letsPointerThrough(up)) up = flatParent(up);
  if (!up || closest(field, "[aria-disabled=true]")) return null;
  if (findAll(up, SHOWN_FIELDS).some((other) => other !== field)) return null;
  const { left, top, width, height } = boxOf(up);
  const isNarrow = height <= BOX_HEIGHT * boxOf(field).height;
  return isNarrow && elementAt(left + width / 2, top + height / 2, up) === up ? up : null;
}

/** @param {Element} el */
function letsPointerThrough(el) {
  return styleOf(el).pointerEvents === "none";
}
