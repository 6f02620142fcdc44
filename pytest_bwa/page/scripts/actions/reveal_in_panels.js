/**
 * Scrolls panels until they show the elements with these numbers, and the window until no bar that
 * stays is painted over them. Each is scrolled once: if it cannot show two of them at the same time,
 * it shows the first.
 * @param {{ key: string, numbers: number[] }} wanted
 * @returns {[number, number, number][]} Where the panels were before, each by its number
 */
function revealInPanels({ key, numbers }) {
  /** @type {Map<Element, [number, number, number]>} */
  const before = new Map();
  for (const number of numbers) {
    const el = elementOf(key, number);
    for (const panel of el ? panelsOf(el) : []) {
      if (!el || before.has(panel)) continue;
      before.set(panel, [numberOf(panel), panel.scrollLeft, panel.scrollTop]);
      if (!showsIn(panel, el) || !showsPastBars(el)) centre(panel, el);
    }
    const page = document.scrollingElement;
    if (!el || !page || before.has(page) || !isOutOfPicture(el)) continue;
    before.set(page, [numberOf(page), page.scrollLeft, page.scrollTop]);
    centre(page, el);
  }
  return [...before.values()];
}

/**
 * Scrolls a panel so that an element is in its middle.
 * @param {Element} panel
 * @param {Element} el
 */
function centre(panel, el) {
  const box = boxOf(el);
  const view = viewOf(panel);
  const left = box.left + box.width / 2 - (view.left + view.right) / 2;
  const top = box.top + box.height / 2 - (view.top + view.bottom) / 2;
  panel.scrollBy({ left, top, behavior: "instant" });
}
