// Controls of which nothing is painted until the pointer is over what they belong to.

const ROW_LEVELS = 4; // above a control, up to what it belongs to
const ON_HOVER = /^\d+ more on hover$/;
const FRAMED = /[1-9]/; // the width of a border that is painted

/**
 * Whether nobody sees a control without a name: its picture is hidden, and it paints nothing else.
 * @param {Element} el
 */
function isSeenOnHoverOnly(el) {
  if (isField(el) || !call(el, "querySelector", HINTED)) return false;
  const { boxShadow, borderWidth } = styleOf(el);
  if (boxShadow !== "none" || FRAMED.test(borderWidth) || backgroundAlpha(el) > 0) return false;
  return !isPaintedByStyle(el) && !findAll(el, "*").some((part) => isShown(part));
}

/**
 * Adds a control to those that the line before says to be there on hover, if that belongs to the same
 * row or card; returns whether it does.
 * @param {Element} el
 * @param {Reading} reading
 */
function isSaidOnHover(el, reading) {
  const before = reading.elements.at(-1);
  let up = flatParent(el);
  for (let level = 1; up && before && level < ROW_LEVELS; level++, up = flatParent(up)) {
    if (!holds(up, before)) continue;
    const { states } = reading.nodes.at(-1);
    const at = states.findIndex((/** @type {string} */ state) => ON_HOVER.test(state));
    const count = at < 0 ? 1 : parseInt(states[at], 10) + 1;
    states.splice(at < 0 ? states.length : at, 1, `${count} more on hover`);
    return true;
  }
  return false;
}
