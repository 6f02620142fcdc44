// Uses: prelude/flat_tree.js

const CLEAR = /^rgba\(.*, 0\)$/; // a colour that nobody sees
const MIN_FONT = 4; // pixels

/** @type {WeakMap<Element, string | null>} */
let knownBackgrounds = new WeakMap();

/** The page may have changed since backgrounds were asked for. */
function forgetBackgrounds() {
  knownBackgrounds = new WeakMap();
}

/**
 * The colour behind a text; empty if a picture, or only the page, is behind it.
 * @param {Element | null} el
 * @param {string} paper The colour of a page that sets none
 */
function backgroundOf(el, paper = "rgb(255, 255, 255)") {
  return paintedBackground(el) ?? paper;
}

/**
 * @param {Element | null} el
 * @returns {string | null} null where nothing is painted
 */
function paintedBackground(el) {
  if (!el) return null;
  let known = knownBackgrounds.get(el);
  if (known === undefined) {
    const { backgroundImage, backgroundColor } = getComputedStyle(el);
    const own = CLEAR.test(backgroundColor) ? null : backgroundColor;
    known = backgroundImage !== "none" ? "" : (own ?? paintedBackground(flatParent(el)));
    knownBackgrounds.set(el, known);
  }
  return known;
}
