const LABEL_EDGE = 6; // pixels from the left, where a styled box or the first letter is

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
  if (window !== top || !(el instanceof HTMLElement) || call(el, "matches", ":disabled, option")) {
    return null;
  }
  // Movement by a style sheet; movement by a script keeps the page from being quiet.
  const animations = /** @type {Animation[]} */ (call(document, "getAnimations"));
  if (animations.some((animation) => animation.playState === "running")) return null;
  const twin = twinOf(el);
  return pointOn(el) ?? (twin && pointOn(twin));
}

/**
 * Where the pointer hits the element and nothing in it that does something else; null if nowhere.
 * @param {Element} el
 */
function pointOn(el) {
  if (!isInsideViewport(boxOf(el))) {
    const place = { block: "center", inline: "nearest", behavior: "instant" };
    call(el, "scrollIntoView", place);
  }
  const box = boxOf(el);
  // The middle of an inline link that is broken over lines may be outside of it.
  const isWhole = call(el, "getClientRects").length === 1;
  if (!isInsideViewport(box) || !box.width || !box.height || !isWhole) return null;
  const y = box.y + box.height / 2;
  const isLabel = tagOf(el) === "LABEL";
  for (const x of [box.x + box.width / 2, ...(isLabel ? [box.x + LABEL_EDGE] : [])]) {
    const hit = elementAt(x, y, el);
    if (!hit || !call(el, "contains", hit)) continue;
    if (!isLabel || !call(hit, "closest", "a[href], button")) return [x, y];
  }
  return null;
}

/**
 * The element that the pointer would hit, looked for inside shadow roots unless it is `wanted`.
 * @param {number} x
 * @param {number} y
 * @param {Element} wanted
 */
function elementAt(x, y, wanted) {
  let hit = call(document, "elementFromPoint", x, y);
  while (hit && hit !== wanted && member(hit, "shadowRoot")) {
    const deeper = member(hit, "shadowRoot").elementFromPoint(x, y);
    if (!deeper || deeper === hit) break;
    hit = deeper;
  }
  return hit;
}

/**
 * What the pointer hits in the middle of an element, if that is neither in it nor around it.
 * @param {Element} el
 * @param {DOMRect} box Of the element
 * @returns {Element | null}
 */
function hitInFront(el, box) {
  const hit = elementAt(box.x + box.width / 2, box.y + box.height / 2, el);
  return hit && !holds(el, hit) && !holds(hit, el) ? hit : null;
}
