/**
 * Where things are painted: how far the document is scrolled; the numbers of the elements that a
 * panel has scrolled out of view, or that something is painted over, such as a dialog; and where in
 * the window the other elements inside of panels are: number, left, top, width, height. An element
 * that is cut off without being scrolled away is nowhere, and has its number alone. With it comes what
 * stands still since the document was read, in which state it then was, and where that is now if it
 * has moved.
 */
function readLayout() {
  /** @type {Set<number>} */
  const hidden = new Set(coveredInWindow().map((el) => numberOf(el)));
  /** @type {Map<number, number[]>} */
  const boxes = new Map();
  const painted = paintedInside(document);
  for (const panel of painted.filter((el) => moves(el))) {
    const isScrolled = scrolls(panel);
    for (const el of paintedInside(panel)) {
      const number = numberOf(el);
      const isShownHere = showsIn(panel, el);
      if (isScrolled && !(isShownHere && showsPastBars(el))) hidden.add(number);
      if (boxes.get(number)?.length === 1) continue;
      const box = markedBoxOf(el);
      const place = [box.left, box.top, box.width, box.height];
      boxes.set(number, isShownHere ? [number, ...place] : [number]);
    }
  }
  const frames = painted.filter((el) => isFrameElement(el));
  const { state, still, moved } = standingStill();
  for (const [number, ...place] of moved) {
    if (!boxes.has(number)) boxes.set(number, [number, ...place]);
  }
  const placed = [...boxes.values()].filter(([number]) => !hidden.has(number ?? -1));
  const scroll = [scrollX, scrollY];
  const places = { hidden: [...hidden], boxes: placed, frames: frames.flatMap(viewOfFrame) };
  return toJsonText({ document: documentKey(), scroll, ...places, state, still });
}

/** @param {Element} el */
function isFrameElement(el) {
  return tagOf(el) === "IFRAME" || tagOf(el) === "FRAME";
}

/**
 * What the panels around a frame show of it: its number, left, top, width, height; nothing for one
 * that is in no panel.
 * @param {Element} el
 */
function viewOfFrame(el) {
  const panels = panelsOf(el);
  if (!panels.length) return [];
  const views = panels.map((panel) => viewOf(panel));
  const box = boxOf(el);
  const left = Math.max(box.left, ...views.map((view) => view.left));
  const top = Math.max(box.top, ...views.map((view) => view.top));
  const right = Math.min(box.right, ...views.map((view) => view.right));
  const bottom = Math.min(box.bottom, ...views.map((view) => view.bottom));
  return [[numberOf(el), left, top, Math.max(0, right - left), Math.max(0, bottom - top)]];
}
