/** @param {DOMRect} box */
function isInsideViewport(box) {
  return box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight && box.right <= innerWidth;
}

/**
 * Where the pointer can click the element at once, in pixels of the viewport; null if it moves, is
 * disabled or covered, or is in a frame. Scrolls it into view first if it is not.
 * @param {Element} el
 */
function clickPoint(el) {
  if (window !== top || !(el instanceof HTMLElement) || el.matches(":disabled, option")) {
    return null;
  }
  // Movement by a style sheet; movement by a script keeps the page from being quiet.
  if (document.getAnimations().some((animation) => animation.playState === "running")) return null;
  if (!isInsideViewport(el.getBoundingClientRect())) {
    el.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
  }
  const box = el.getBoundingClientRect();
  // The middle of an inline link that is broken over lines may be outside of it.
  if (!isInsideViewport(box) || !box.width || !box.height || el.getClientRects().length !== 1) {
    return null;
  }
  const x = box.x + box.width / 2;
  const y = box.y + box.height / 2;
  const hit = elementAt(x, y, el);
  return hit && el.contains(hit) ? [x, y] : null;
}

/**
 * The element that the pointer would hit, looked for inside shadow roots unless it is `wanted`.
 * @param {number} x
 * @param {number} y
 * @param {Element} wanted
 */
function elementAt(x, y, wanted) {
  let hit = document.elementFromPoint(x, y);
  while (hit?.shadowRoot && hit !== wanted) {
    const deeper = hit.shadowRoot.elementFromPoint(x, y);
    if (!deeper || deeper === hit) break;
    hit = deeper;
  }
  return hit;
}
