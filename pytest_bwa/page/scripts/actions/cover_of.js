/**
 * What the pointer hits in place of an element: the numbers of what was hit and of what it stands in,
 * as far as that does not hold the element, with tag and text of the outermost; null if it hits the
 * element. Of an open dialog only the dialog itself is named.
 * @param {Element} el
 */
function coverOf(el) {
  const hit = hitInFront(el, boxOf(el));
  if (!hit) return null;
  const dialog = atOneGo(() => new Modal().el);
  if (dialog && !holds(dialog, el)) return toJsonText([[numberOf(dialog)], ...identity(dialog)]);
  const around = [];
  for (let up = /** @type {Element | null} */ (hit); up && !holds(up, el); up = flatParent(up))
    around.push(up);
  return toJsonText([around.map((one) => numberOf(one)), ...identity(around.at(-1))]);
}
