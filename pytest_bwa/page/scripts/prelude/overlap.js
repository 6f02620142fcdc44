/**
 * Whether two boxes share more than an edge.
 * @param {{ left: number, right: number, top: number, bottom: number }} a
 * @param {{ left: number, right: number, top: number, bottom: number }} b
 */
function overlap(a, b) {
  return (
    a.left < b.right - 1 && a.right > b.left + 1 && a.top < b.bottom - 1 && a.bottom > b.top + 1
  );
}
