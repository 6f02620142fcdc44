// Uses: prelude/flat_tree.js
// Uses: prelude/known.js
// Uses: prelude/members.js

// What is in the page, has a size of its own, and is painted nowhere: cut off by what it stands in, or
// shifted out of it.

const CLIP_TO_NOTHING = /^(?:inset\((?:[5-9]\d|100)(?:\.\d+)?%|circle\(0(?:px|%)?[ )])/;
const LEAST_SIDE = 2; // pixels; a smaller box shows no letter

/** @param {Element} el Whether nothing inside of it can be seen because of its own style */
function cutsAllAway(el) {
  const { overflowX, overflowY, clipPath, transform, scale, textIndent } = styleOf(el);
  if (CLIP_TO_NOTHING.test(clipPath)) return true;
  const isSmaller = transform !== "none" || scale !== "none";
  const cuts = /hidden|clip/.test(overflowX + overflowY);
  const indent = -parseFloat(textIndent);
  if (!isSmaller && !cuts && !(indent > 0)) return false;
  const { width, height } = boxOf(el);
  return indent > width || ((isSmaller || cuts) && Math.min(width, height) < LEAST_SIDE);
}

/**
 * Whether an element is cut off by itself or by what it stands in.
 * @param {Element} el
 * @returns {boolean}
 */
function isCutAway(el) {
  return once(el, "isCutAway", isCutAwayNow);
}

/** @param {Element} el */
function isCutAwayNow(el) {
  const outer = clipParent(el);
  return cutsAllAway(el) || (outer !== null && isCutAway(outer));
}

/**
 * What an element is cut off by: what it stands in, or for one that is placed, what it is placed in.
 * @param {any} el
 * @returns {Element | null}
 */
function clipParent(el) {
  const { position } = styleOf(el);
  if (position === "fixed") return null;
  return position === "absolute" ? (member(el, "offsetParent") ?? null) : flatParent(el);
}
