// What of the page something else is painted over: an open dialog, a wall, a bar that stays.

const TALL = 60; // pixels; of what is higher, the first and the last lines are looked at, too

/** The elements in the window in whose place something else is seen. */
function coveredInWindow() {
  return paintedInside(document).filter(isOutOfPicture);
}

/**
 * Whether something else is seen all along an element, or its text.
 * @param {Element} el
 */
function isOutOfPicture(el) {
  const whole = markedBoxOf(el);
  if (!whole.width || !whole.height || !isInViewport(whole)) return false;
  const box = hasOwnText(el) ? boxOfText(el) : whole;
  const heights = box.height > TALL ? ALL_ALONG : [MIDDLE];
  return heights.every((down) => ALL_ALONG.every((across) => isPaintedOver(el, across, down, box)));
}

/**
 * Where the text of an element is painted, which may be a small part of its line.
 * @param {Element} el
 */
function boxOfText(el) {
  const range = call(document, "createRange");
  range.selectNodeContents(el);
  return range.getBoundingClientRect();
}
