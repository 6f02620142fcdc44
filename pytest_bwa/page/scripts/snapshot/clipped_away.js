// Text that is in the page and painted nowhere: cut off by what it stands in, shifted out of it, or
// shrunk to nothing. Asked of each element with a text, so as few styles as possible are read.

const CLIP_TO_NOTHING = /^(?:inset\((?:[5-9]\d|100)(?:\.\d+)?%|circle\(0(?:px|%)?[ )])/;
const LEAST_SIDE = 2; // pixels; a smaller box shows no letter

/**
 * Whether nothing of an element's text can be seen.
 * @param {Element} el
 */
function isCutAway(el) {
  return once(el, "isCutAway", isCutAwayNow);
}

/** @param {Element} el */
function isCutAwayNow(el) {
  return isClippedOut(el) || isShifted(el) || isShrunk(el);
}

/**
 * Whether an element is cut off by itself or by what it stands in.
 * @param {Element} el
 * @returns {boolean}
 */
function isClippedOut(el) {
  return once(el, "isClippedOut", isClippedOutNow);
}

/** @param {Element} el */
function isClippedOutNow(el) {
  const outer = clipParent(el);
  return clipsAllOut(el) || (outer !== null && isClippedOut(outer));
}

/** @param {Element} el Whether its own style cuts off all that is in it */
function clipsAllOut(el) {
  const { overflowY, clipPath } = styleOf(el);
  if (overflowY === "visible") return clipPath !== "none" && CLIP_TO_NOTHING.test(clipPath);
  const { width, height } = boxOf(el);
  return Math.min(width, height) < LEAST_SIDE || CLIP_TO_NOTHING.test(clipPath);
}

/**
 * What an element is cut off by: what it stands in, or for one that is placed, what it is placed in.
 * @returns {Element | null}
 */
function clipParent(el) {
  const { position } = styleOf(el);
  if (position === "fixed") return null;
  return position === "absolute" ? (member(el, "offsetParent") ?? null) : flatParent(el);
}

/** @param {Element} el Whether its text begins more than its width before it */
function isShifted(el) {
  const indent = -parseFloat(styleOf(el).textIndent);
  return indent > 0 && indent > boxOf(el).width;
}

/** @param {Element} el */
function isShrunk(el) {
  const { width, height } = boxOf(el);
  if (Math.min(width, height) > 0) return false;
  for (let up = /** @type {Element | null} */ (el); up; up = flatParent(up)) {
    const { transform, scale } = styleOf(up);
    if (transform !== "none" || scale !== "none") return true;
  }
  return false;
}
