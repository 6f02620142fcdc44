// The order in which neighbours stand on the screen, where it is not that of the document: rows of a
// virtual list stand where their style says, and a style may turn a line around.

const GRID_INDEXED = "[aria-rowindex], [aria-colindex]";
const FEW = 12; // parts without any of their own, as labels and values are
const MIN_PLACED = 3; // elements; fewer that are placed one by one are layers

/**
 * The children of an element in the order of the screen, as far as that is cheap to know.
 * @param {Element} el
 * @param {any[]} children Elements
 */
function inScreenOrder(el, children) {
  if (children.length < 2) return children;
  const numbered = byGridIndex(children);
  if (numbered) return numbered;
  const style = styleOf(el);
  const isArranged = /flex|grid/.test(style.display);
  const isFew = children.length <= FEW && children.every((child) => !childrenOf(child).length);
  if (!isArranged && !isFew && tagOf(el) !== "DL" && !arePlaced(children)) return children;
  const isRtl = isRightToLeft(el);
  const boxed = children.filter(hasPlace);
  if (linesAsPainted(boxed, isRtl)?.[0] === boxed) return children; // as nearly always
  const placed = boxed.filter(isInFlow);
  const lines = linesAsPainted(placed, isRtl);
  if (lines?.[0] === placed) return children;
  if (lines) return withOthers(lines.flat(), children);
  if (isArranged) return byStyle(style, children);
  return arePlaced(children) ? byPlace(children) : children;
}

/**
 * Whether the place of an element says where it is read: not of what is fixed in the window, or only
 * there for screen readers.
 * @param {Element} el
 */
function isInFlow(el) {
  return !isUnseen(el) && styleOf(el).position !== "fixed";
}

/**
 * Elements with those that are not among them, each behind the one before it in the document.
 * @param {any[]} ordered
 * @param {any[]} children All
 */
function withOthers(ordered, children) {
  const known = new Set(ordered);
  let last = null;
  const followed = groupedBy(children, (child) => (last = known.has(child) ? child : last));
  return [null, ...ordered].flatMap((el) => followed.get(el) ?? []);
}

/**
 * The rows or cells of a grid by the numbers that they give themselves; null for anything else. What
 * has no number stays behind the one before it.
 * @param {Element[]} children
 */
function byGridIndex(children) {
  if (!mayHave(GRID_INDEXED)) return null;
  for (const attribute of ["aria-rowindex", "aria-colindex"]) {
    if (!children.slice(0, MIN_PLACED).some((child) => attributeOf(child, attribute))) continue;
    const own = children.map((child) => Number(attributeOf(child, attribute) ?? Number.NaN));
    if (own.filter((index) => index >= 0).length < 2) continue;
    let last = -1;
    const indexes = own.map((index) => (last = index >= 0 ? index : last));
    return sortedBy(children, (_, at) => indexes[at]);
  }
  return null;
}

/**
 * @param {CSSStyleDeclaration} style Of the parent
 * @param {Element[]} children
 */
function byStyle(style, children) {
  const orders = children.map((child) => Number(styleOf(child).order));
  const isMoved = orders.some((order) => order !== 0);
  const sorted = isMoved ? sortedBy(children, (_, at) => orders[at]) : children;
  const isReversed = style.display.includes("flex") && style.flexDirection.endsWith("-reverse");
  return isReversed ? [...sorted].reverse() : sorted;
}

/**
 * Whether a style places each child alone.
 * @param {Element[]} children
 */
function arePlaced(children) {
  if (children.length < MIN_PLACED) return false;
  return children.every((child) => styleOf(child).position === "absolute");
}

/** @param {Element[]} children */
function byPlace(children) {
  const boxes = new Map(children.map((child) => [child, boxOf(child)]));
  const left = sortedBy(children, (child) => boxes.get(child)?.left ?? 0);
  return sortedBy(left, (child) => boxes.get(child)?.top ?? 0);
}
