/**
 * Scrolls panels back.
 * @param {[number, number, number][]} before The number of each, and where it was
 */
function restorePanels(before) {
  for (const [number, left, top] of before) {
    elementOf(documentKey(), number)?.scrollTo({ left, top, behavior: "instant" });
  }
}
