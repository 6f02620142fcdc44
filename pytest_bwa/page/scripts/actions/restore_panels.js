/**
 * Scrolls panels back.
 * @param {{ panel: Element, left: number, top: number }[]} before
 */
function restorePanels(before) {
  for (const { panel, left, top } of before) panel.scrollTo({ left, top, behavior: "instant" });
}
