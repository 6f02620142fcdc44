// Uses: prelude/flat_tree.js

const CLEAR = /^rgba\(.*, 0\)$/; // a colour that nobody sees
const MIN_FONT = 4; // pixels

/**
 * The colour behind a text; empty if a picture, or only the page, is behind it.
 * @param {any} el
 * @param {string} paper The colour of a page that sets none
 */
function backgroundOf(el, paper = "rgb(255, 255, 255)") {
  for (let up = el; up; up = flatParent(up)) {
    const style = getComputedStyle(up);
    if (style.backgroundImage !== "none") return "";
    if (!CLEAR.test(style.backgroundColor)) return style.backgroundColor;
  }
  return paper;
}
