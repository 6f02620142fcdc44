/**
 * The elements of `now` that are not in `before`.
 * @param {Element[]} now
 * @param {Element[]} before
 */
function appeared(now, before) {
  return now.filter((el) => !before.includes(el));
}
