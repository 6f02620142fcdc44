const CHECK_VISIBILITY = Element.prototype.checkVisibility;
const OPAQUE = {
  checkOpacity: true,
  checkVisibilityCSS: true,
  visibilityProperty: true,
  opacityProperty: true,
};
const OPAQUE_BOX = { checkOpacity: true, opacityProperty: true };
const RENDERED = { visibilityProperty: true };
const CLEAR = /^rgba\(.*, 0\)$/; // a colour that nobody sees
const MIN_FONT = 4; // pixels

/**
 * Whether the element is visible. With `RENDERED` for `how`, a fully transparent one counts too.
 * @param {Element} el
 * @param {CheckVisibilityOptions} how
 */
function isShown(el, how = OPAQUE) {
  const known = el === lastAsked ? lastKnown : knownOf(el);
  if (!known) return CHECK_VISIBILITY.call(el, how);
  known.isShown ??= CHECK_VISIBILITY.call(el, OPAQUE);
  return known.isShown || (how !== OPAQUE && CHECK_VISIBILITY.call(el, how));
}

/** @param {Element} el Whether something is kept free for it on the page, be it transparent or not */
function takesRoom(el) {
  const { width, height } = boxOf(el);
  return isShown(el, RENDERED) && width > 0 && height > 0;
}

/**
 * Whether an element has no box of its own, but those of its children.
 * @param {Element} el
 */
function isBoxless(el) {
  return styleOf(el).display === "contents";
}

// Whether an element shows nothing of the texts directly in it, as closed <details> do.
function hidesOwnTexts(el) {
  if (tagOf(el) === "DETAILS") return !el.open;
  return styleOf(el).contentVisibility === "hidden";
}

/**
 * Whether an element is visible, or paints nothing itself and may have visible parts.
 * @param {Element} el
 */
function isShownOrBoxless(el) {
  return isShown(el) || isBoxless(el) || isUnseenAround(el);
}

/**
 * Whether something is visible in an element although the element itself is `visibility: hidden`.
 * @param {Element} el
 */
function isUnseenAround(el) {
  if (styleOf(el).visibility !== "hidden" || !CHECK_VISIBILITY.call(el, OPAQUE_BOX)) return false;
  return findAll(el, "*").some((inner) => isShown(inner));
}

/**
 * Whether a rectangle is at least partly inside the viewport.
 * @param {DOMRect} box
 */
function isInViewport(box, width = innerWidth, height = innerHeight) {
  return box.bottom > 0 && box.top < height && box.right > 0 && box.left < width;
}
