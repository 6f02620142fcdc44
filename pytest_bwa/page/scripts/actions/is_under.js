/**
 * Whether the pointer, at a place of the viewport, hits the element or what stands in for it.
 * @param {Element} el
 * @param {[number, number]} place
 */
function isUnder(el, [x, y]) {
  const hit = elementAt(x, y, el);
  const twin = twinOf(el);
  return !!hit && (call(el, "contains", hit) || (!!twin && call(twin, "contains", hit)));
}
