// Uses: prelude/panels.js
// Uses: snapshot/painted_over.js

// What of the page something else is painted over: an open dialog, a wall, a bar that stays.

const TALL = 60; // pixels; of what is higher, the first and the last lines are looked at, too

/** The elements in the window in whose place something else is seen. */
function coveredInWindow() {
  return paintedInside(document).filter((el) => {
    const box = markedBoxOf(el);
    if (!box.width || !box.height || !isInViewport(box)) return false;
    const heights = box.height > TALL ? ALL_ALONG : [MIDDLE];
    return heights.every((height) => isPaintedOver(el, MIDDLE, height));
  });
}
