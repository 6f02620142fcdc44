// What cannot be seen because something else is painted over it, such as the bar that stays at the top
// of a panel while the panel is scrolled.

const OPAQUE_FROM = 0.9; // of a ground: what is behind cannot be read
const MIDDLE = 0.5;
const ALL_ALONG = [0.1, MIDDLE, 0.9]; // of the width

/** @param {Element} el Whether nothing covers it in its whole width */
function showsPastBars(el) {
  return !ALL_ALONG.every((share) => isPaintedOver(el, share));
}

/**
 * Whether something else that cannot be seen through is in front of an element, at one place of it.
 * @param {Element} el
 * @param {number} across Share of the width of its box
 * @param {number} down Share of the height
 */
function isPaintedOver(el, across = MIDDLE, down = MIDDLE, box = markedBoxOf(el)) {
  const own = hittable(el);
  const x = (box.left + box.width * across) / innerWidth;
  const y = (box.top + box.height * down) / innerHeight;
  if (x < 0 || x >= 1 || y < 0 || y >= 1) return false;
  for (const hit of paintedAt(x, y)) {
    if (holds(hit, own) || holds(own, hit)) return false;
    if (backgroundAlpha(hit) >= OPAQUE_FROM && isShown(hit)) return true;
  }
  return false;
}

/** @param {Element} el The innermost element around it, or it, that the pointer can hit */
function hittable(el) {
  let own = el;
  for (let up = flatParent(own); up && styleOf(own).pointerEvents === "none"; up = flatParent(up)) {
    own = up;
  }
  return own;
}
