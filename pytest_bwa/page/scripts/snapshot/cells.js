// The cells of a row as they are painted, with those of rows above that go on in it.

const ROWS_INSIDE = "tr, [role=row]";
const TABLES = "table, [role=grid], [role=treegrid], [role=table]";
const CELL_ROLES = wordSet("cell gridcell columnheader rowheader");

/**
 * Whether a row only arranges the page: tables stand in its cells.
 * @param {Element} row
 */
function isLayoutRow(row) {
  return hasInside(row, ROWS_INSIDE);
}

/**
 * The visible cells of a row, which may stand in groups (pinned columns), as they are painted.
 * @param {Element} row
 * @returns {readonly any[]}
 */
function cellsOf(row) {
  return once(row, "cells", cellsNow);
}

/** @param {Element} row */
function cellsNow(row) {
  const isGroup = (/** @type {Element} */ el) =>
    !/^T[DH]$/.test(tagOf(el)) && !CELL_ROLES.has(attributeOf(el, "role") || "");
  const parts = flatChildren(row).filter((node) => node.nodeType === Node.ELEMENT_NODE);
  const inGroups = parts.flatMap((el) => {
    const inside = isGroup(el) ? flatChildren(el).filter((node) => tagOf(node)) : [];
    return inside.length && !inside.some(isGroup) ? inside : [el];
  });
  return inRow(
    inGroups.filter((cell) => isShownOrBoxless(cell)),
    row,
  );
}

/**
 * Cells by the numbers of their columns, else from one side to the other, which is the same for all rows
 * of a table, whichever of them a style turns around.
 * @param {any[]} cells
 * @param {Element} row
 */
function inRow(cells, row) {
  if (cells.length < 2) return cells;
  const isRtl = isRightToLeft(call(row, "closest", TABLES) ?? row);
  const areNumbered = mayHave(GRID_INDEXED) && cells.every((cell) => columnOf(cell));
  const painted = areNumbered ? null : across(cells, isRtl);
  return painted ?? byGridIndex(cells) ?? linesAsPainted(cells, isRtl)?.flat() ?? cells;
}

/**
 * The cells that stand in a row, with those of rows above it that go on in it.
 * @param {Element} row
 */
function cellsInLine(row) {
  const above = cellsFromAbove(row);
  return above.length ? inRow([...cellsOf(row), ...above], row) : cellsOf(row);
}

/** @returns {readonly any[]} */
function cellsFromAbove(row) {
  const group = parentOf(row);
  const mayBeBelow = tagOf(row) === "TR" && group && hasInside(group, "[rowspan]");
  return (mayBeBelow && once(group, "spans", spansInGroup).get(row)) || [];
}

/**
 * The cells that go on in each row of a group, by what is painted: none goes on in the next group.
 * @param {Element} group
 */
function spansInGroup(group) {
  const spans = new Map();
  /** @type {any[]} */
  let open = [];
  for (const row of childrenOf(group)) {
    if (tagOf(row) !== "TR" || !isShown(row)) continue;
    const { top, bottom } = areaOf(row);
    open = open.filter((cell) => areaOf(cell).bottom > (top + bottom) / 2);
    if (open.length) spans.set(row, open);
    open = [...open, ...cellsOf(row).filter((cell) => goesOnBelow(cell, row))];
  }
  return spans;
}

/**
 * Whether a cell spans rows below its own.
 * @param {Element} row
 */
function goesOnBelow(cell, row) {
  const maySpan = tagOf(row) === "TR" && cell.rowSpan !== 1;
  return maySpan && areaOf(cell).bottom > areaOf(row).bottom + 1;
}

/**
 * What a cell shows, without what its fields contain or offer.
 * @param {Element} cell
 */
function textOfCell(cell) {
  return hasInside(cell, "select, textarea") ? flatText(cell) : paintedTextOf(cell);
}
