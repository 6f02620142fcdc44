// Uses: snapshot/flat_texts.js
// Uses: snapshot/screen_order.js
// Uses: snapshot/shorten.js

const ROW_LENGTH = 1000;
const CELL_LENGTH = 200;
const SPANNED = "←";
const MAX_SPAN = 6; // columns; a cell over more of them is no value of one
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

/**
 * A row in one line. A cell that spans several columns is followed by a mark for each further one,
 * so that what comes after it stays below its header.
 * @param {any[]} cells
 * @param {(cell: any) => string} textOf
 */
function lineOfCells(cells, textOf) {
  const spanned = (cell) => (cells.length > 1 ? Math.min(cell.colSpan ?? 1, MAX_SPAN) - 1 : 0);
  return cells
    .flatMap((cell) => [textOf(cell), ...Array(Math.max(0, spanned(cell))).fill(SPANNED)])
    .join(" | ");
}

/** @param {Element} row */
function rowText(row) {
  const line = lineOfCells(cellsOf(row), (cell) => shorten(textOfCell(cell), CELL_LENGTH));
  return shorten(line, ROW_LENGTH);
}
