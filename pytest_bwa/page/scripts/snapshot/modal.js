// An open dialog that must be closed first, and what it covers. Lists that belong to the dialog may
// stand beside it in the page, so what can still be hit by the pointer is not behind it.

const MAX_LAYER = 20; // elements that are tried, in a layer without a box

/** The innermost open modal dialog; null if there is none. */
function openModal() {
  const found = rootsOfPage().flatMap((root) => [
    ...findAll(root, "[aria-modal=true]"),
    ...findAll(root, "dialog:modal"),
  ]);
  return found.filter((el) => isShown(el) && hasVisiblePart(el)).at(-1) ?? null;
}

/** @param {Element} el */
function hasVisiblePart(el) {
  return [el, ...childrenOf(el)].some((part) => hasArea(part) && isInViewport(boxOf(part)));
}

/** What an open dialog leaves of the page, for one snapshot. */
class Modal {
  constructor() {
    this.el = openModal() ?? shadedDialog();
    /** @type {Set<Element>} */
    this.path = new Set();
    for (let up = this.el; up; up = flatParent(up)) this.path.add(up);
  }

  /**
   * Whether a part of the page, beside the dialog that is open, is covered by it.
   * @param {Element} el
   */
  covers(el) {
    if (this.path.has(el)) return false;
    const parent = flatParent(el);
    if (!parent || parent === this.el || !this.path.has(parent)) return false;
    return !isHitInside(el) && !holds(this.el, el);
  }
}

/**
 * Whether the pointer can hit something in a part of the page.
 * @param {Element} layer
 */
function isHitInside(layer) {
  const inside = hasArea(layer) ? [] : paintedInside(layer).filter((el) => hasArea(el));
  return [layer, ...inside.slice(0, MAX_LAYER)].some((el) => {
    const box = boxOf(el);
    return POINTS.some((x) =>
      POINTS.some((y) => isHit(layer, box.left + box.width * x, box.top + box.height * y)),
    );
  });
}

/**
 * @param {Element} layer
 * @param {number} x
 * @param {number} y
 */
function isHit(layer, x, y) {
  const hit = call(document, "elementFromPoint", x, y);
  return !!hit && holds(layer, hit);
}
