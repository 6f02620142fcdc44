// Uses: snapshot/flat_texts.js
// Uses: snapshot/screen_order.js
// Uses: snapshot/shorten.js

const ROW_LENGTH = 1000;
const CELL_LENGTH = 200;
const ROWS_INSIDE = "tr, [role=row]";
const CELL_ROLES = /^(cell|gridcell|columnheader|rowheader)$/;

/**
 * Whether a row only arranges the page: tables stand in its cells.
 * @param {Element} row
 */
function isLayoutRow(row) {
  return hasInside(row, ROWS_INSIDE);
}

/**
 * The visible cells of a row, which may stand in groups (pinned columns).
 * @param {Element} row
 * @returns {Element[]}
 */
function cellsOf(row) {
  const isGroup = (/** @type {Element} */ el) =>
    !/^T[DH]$/.test(tagOf(el)) && !CELL_ROLES.test(attributeOf(el, "role") || "");
  const parts = flatChildren(row).filter((node) => node.nodeType === Node.ELEMENT_NODE);
  const inGroups = parts.flatMap((el) => {
    const inside = isGroup(el) ? flatChildren(el).filter((node) => tagOf(node)) : [];
    return inside.length && !inside.some(isGroup) ? inside : [el];
  });
  const cells = inGroups.filter((cell) => isPaintedCell(cell));
  return byGridIndex(cells) ?? cells;
}

/** @param {Element} cell */
function isPaintedCell(cell) {
  return isShown(cell) || styleOf(cell).display === "contents";
}

/**
 * What a cell shows, without what its fields contain or offer.
 * @param {Element} cell
 */
function textOfCell(cell) {
  return hasInside(cell, "select, textarea") ? flatText(cell) : paintedTextOf(cell);
}

/** @param {Element} row */
function rowText(row) {
  const cells = cellsOf(row).map((cell) => shorten(textOfCell(cell), CELL_LENGTH));
  return shorten(cells.join(" | "), ROW_LENGTH);
}
