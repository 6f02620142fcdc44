// Which head stands over a cell, which term beside a description, and in which order neighbours are read:
// by where they are painted. A style sheet puts them anywhere, whatever their order in the document is.

const ALIGNED = 2; // pixels between the edges of a head and those of the cells below it

/**
 * Where an element is painted; of one without a box, or whose box a style moves its parts out of, what
 * is in it.
 * @param {Element} el
 */
function areaOf(el) {
  const box = boxOf(el);
  if (!box.width && !box.height) return isBoxless(el) ? areaOfContents(el) : box;
  const part = childrenOf(el)[0];
  if (!part || !isApart(boxOf(part), box)) return box; // as nearly always
  const area = areaOfContents(el);
  return isApart(area, box) ? area : box;
}

/**
 * @param {DOMRect} a
 * @param {DOMRect} b
 */
function isApart(a, b) {
  const isAside = isBehind(a, b, false) || isBehind(b, a, false);
  return a.width > 0 && (isAside || isBelow(a, b) || isBelow(b, a));
}

/**
 * Where what is in an element is painted.
 * @param {Element} el
 */
function areaOfContents(el) {
  const range = call(document, "createRange");
  range.selectNodeContents(el);
  const area = range.getBoundingClientRect();
  return area.width || area.height ? area : boxOf(el);
}

/** @param {Element} el */
function hasPlace(el) {
  const { width, height } = areaOf(el);
  return width > 0 || height > 0;
}

/** @param {Element} el */
function isRightToLeft(el) {
  return styleOf(el).direction === "rtl";
}

/**
 * @param {DOMRect} a
 * @param {DOMRect} b Whether it stands behind the other one
 * @param {boolean} isRtl
 */
function isBehind(a, b, isRtl) {
  return isRtl ? b.right <= a.left + 1 : b.left >= a.right - 1;
}

/**
 * @param {DOMRect} a
 * @param {DOMRect} b
 */
function isBelow(a, b) {
  return b.top >= a.bottom - 1;
}

/**
 * @param {DOMRect} a
 * @param {DOMRect} b
 */
function isAsHighAs(a, b) {
  return Math.abs(a.top - b.top) <= 1 && Math.abs(a.bottom - b.bottom) <= 1;
}

/**
 * Elements by line, as they are painted; null where they lie over each other. One line, if each
 * stands behind or below the one before it: they are read in their own order then.
 * @param {readonly any[]} elements
 * @param {boolean} isRtl
 */
function linesAsPainted(elements, isRtl) {
  const boxes = elements.map((el) => areaOf(el));
  const isNext = (box, n) => !n || isBelow(boxes[n - 1], box) || isBehind(boxes[n - 1], box, isRtl);
  if (boxes.every(isNext)) return [elements];
  /** @type {any[][]} */
  const lines = [];
  for (const el of sortedBy(elements, (_, n) => boxes[n].top)) {
    const line = lines.at(-1);
    line && !isBelow(areaOf(line[0]), areaOf(el)) ? line.push(el) : lines.push([el]);
  }
  const sorted = lines.map((line) => across(line, isRtl));
  return sorted.includes(null) ? null : /** @type {any[][]} */ (sorted);
}

/**
 * Elements from one side to the other; null if one stands above or in another.
 * @param {readonly any[]} elements
 * @param {boolean} isRtl
 */
function across(elements, isRtl) {
  const boxes = elements.map((el) => areaOf(el));
  const isNext = (box, n, all) => !n || isBehind(all[n - 1], box, isRtl);
  if (boxes.every(isNext)) return [...elements];
  const sorted = sortedBy(elements, (_, n) => (isRtl ? -boxes[n].right : boxes[n].left));
  return sorted.map((el) => areaOf(el)).every(isNext) ? sorted : null;
}

/**
 * The head of each cell of a row: by the numbers of their columns, and by what stands over what; where
 * boxes do not tell, by their order, if that is how both are written. None where this is not certain.
 * @param {readonly any[]} cells As they are painted
 * @param {readonly any[]} heads
 */
function headsOver(cells, heads) {
  if (cells.length !== heads.length) return [];
  const painted = headsByPlace(cells, heads);
  const numbered = headsByNumber(cells, heads);
  if (numbered) {
    const isOther = painted.length > 0 && painted.some((head, n) => head !== numbered[n]);
    return isOther ? [] : numbered;
  }
  if (painted.length) return painted;
  return [cells, heads].every(isAsWritten) && !cells.some(isUnderAnother) ? [...heads] : [];

  function isUnderAnother(cell, n) {
    const over = heads.filter((head) => isAligned(areaOf(cell), areaOf(head)));
    return over.length === 1 && over[0] !== heads[n];
  }
}

/** @param {Element} cell Which may say the number of its column */
function columnOf(cell) {
  return attributeOf(cell, "aria-colindex");
}

/**
 * The heads whose columns have the same numbers as the cells, none if one has no such head; null where
 * not all say their column.
 * @param {readonly any[]} cells
 * @param {readonly any[]} heads
 */
function headsByNumber(cells, heads) {
  if (!mayHave("[aria-colindex]")) return null;
  const columns = [cells, heads].map((all) => all.map((el) => columnOf(el)));
  const [own = [], others = []] = columns;
  if (!columns.flat().every(Boolean)) return null;
  const areSame = new Set(own).size === own.length && own.every((one) => others.includes(one));
  return areSame ? own.map((one) => heads[others.indexOf(one)]) : [];
}

/**
 * The one head over each cell; none if a cell has no such head, or not for itself.
 * @param {readonly any[]} cells
 * @param {readonly any[]} heads
 */
function headsByPlace(cells, heads) {
  const [boxes, places] = [cells, heads].map((all) => all.map((el) => areaOf(el)));
  const isInOrder = (box, n) => isAligned(box, places[n]);
  if (boxes.every(isInOrder) && across(heads, places.at(-1).left < places[0].left))
    return [...heads];
  const found = boxes.map((box) => {
    const over = heads.filter((_, n) => shareMiddles(box, places[n]));
    const aligned = over.filter((head) => isAligned(box, areaOf(head)));
    const [head, ...others] = aligned.length ? aligned : over;
    return others.length ? null : head;
  });
  const isCertain = found.every(Boolean) && new Set(found).size === found.length;
  return isCertain ? found : [];
}

/**
 * Whether two boxes begin and end at the same place across the page.
 * @param {DOMRect} a
 * @param {DOMRect} b
 */
function isAligned(a, b) {
  return Math.abs(a.left - b.left) <= ALIGNED && Math.abs(a.right - b.right) <= ALIGNED;
}

/**
 * Whether the middle of each of two boxes is above or below the other one.
 * @param {DOMRect} a
 * @param {DOMRect} b
 */
function shareMiddles(a, b) {
  const [ofA, ofB] = [a, b].map(({ left, right }) => (left + right) / 2);
  return b.left <= ofA && ofA <= b.right && a.left <= ofB && ofB <= a.right;
}

/**
 * @param {DOMRect} a
 * @param {DOMRect} b
 */
function shareColumn(a, b) {
  return a.left < b.right - 1 && b.left < a.right - 1;
}

/**
 * Whether elements are in the order of the document.
 * @param {readonly any[]} elements
 */
function isAsWritten(elements) {
  const follows = (el, n) =>
    !n || call(elements[n - 1], "compareDocumentPosition", el) & Node.DOCUMENT_POSITION_FOLLOWING;
  return elements.every(follows);
}

/**
 * The label of each value by their places: the nearest before it on its line, else the nearest above
 * it; null where none is, and where they stand in the text or in each other, where no style moves them.
 * A box of their own parts labels and values from others.
 * @param {readonly any[]} labels
 * @param {readonly any[]} values
 */
function labelsOfValues(labels, values) {
  const places = new Map([...labels, ...values].map((el) => [el, areaOfContents(el)]));
  const isFree = (el) => styleOf(el).display !== "inline";
  const free = labels.filter(isFree);
  const found = new Map();
  for (const value of values) {
    const box = places.get(value);
    const around = boxAround(value);
    const near = around ? childrenOf(around).filter((el) => free.includes(el)) : free;
    const isUnclear = !isFree(value) || near.some((label) => liesOver(places.get(label), box));
    found.set(value, isUnclear ? null : nearestLabel(value, near, places));
  }
  return found;
}

/**
 * The box around a value and its label in a list of definitions, if it has one and stands in it.
 * @param {Element} value
 */
function boxAround(value) {
  const box = flatParent(value);
  if (!box || tagOf(box) === "DL" || isBoxless(box)) return null;
  const [inner, outer] = [boxOf(value), boxOf(box)];
  const isWithin = inner.top >= outer.top - 1 && inner.bottom <= outer.bottom + 1;
  return isWithin && inner.left >= outer.left - 1 && inner.right <= outer.right + 1 ? box : null;
}

/**
 * Whether a text lies over another one, not only the upper parts of its letters over a line above.
 * @param {DOMRect} a
 * @param {DOMRect} b
 */
function liesOver(a, b) {
  const shared = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return 2 * shared > Math.min(a.height, b.height) && shareColumn(a, b);
}

/**
 * @param {readonly any[]} labels
 * @param {Map<any, DOMRect>} places
 */
function nearestLabel(value, labels, places) {
  const [box, isRtl] = [places.get(value) ?? boxOf(value), isRightToLeft(value)];
  /** @type {{ label: any, gap: number, isBeside: boolean } | null} */
  let nearest = null;
  for (const label of labels) {
    const own = places.get(label) ?? box;
    const shared = Math.min(own.bottom, box.bottom) - Math.max(own.top, box.top);
    const isBeside = 2 * shared > Math.min(own.height, box.height) && isBehind(own, box, isRtl);
    const isAbove = isBelow(boxOf(label), boxOf(value)) && shareColumn(boxOf(label), boxOf(value));
    if (!isBeside && !isAbove) continue;
    const aside = isRtl ? own.left - box.right : box.left - own.right;
    const gap = isBeside ? aside : box.top - own.bottom;
    const isNearer = !nearest || (nearest.isBeside === isBeside ? gap < nearest.gap : isBeside);
    if (isNearer) nearest = { label, gap, isBeside };
  }
  return nearest?.label ?? null;
}
