// Uses: snapshot/flat_texts.js
// Uses: snapshot/screen_order.js
// Uses: snapshot/shorten.js

const ROW_LENGTH = 1000;
const CELL_LENGTH = 200;
const SPANNED = "←";
const FROM_ABOVE = "↑"; // before the text of a cell that spans rows, in the rows below its first
const ABOVE_LENGTH = 40; // of such a text, which is whole in the first row
const MAX_SPAN = 6; // columns; a cell over more of them is no value of one

/**
 * A place in a row: a cell where it begins, a further column of it, or its column in a further row.
 * @typedef {{ cell: any, mark: "" | "←" | "↑" }} Slot
 */
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
 * The visible cells of a row, which may stand in groups (pinned columns).
 * @param {Element} row
 * @returns {Element[]}
 */
function cellsOf(row) {
  const isGroup = (/** @type {Element} */ el) =>
    !/^T[DH]$/.test(tagOf(el)) && !CELL_ROLES.has(attributeOf(el, "role") || "");
  const parts = flatChildren(row).filter((node) => node.nodeType === Node.ELEMENT_NODE);
  const inGroups = parts.flatMap((el) => {
    const inside = isGroup(el) ? flatChildren(el).filter((node) => tagOf(node)) : [];
    return inside.length && !inside.some(isGroup) ? inside : [el];
  });
  const cells = inGroups.filter((cell) => isShownOrBoxless(cell));
  return byGridIndex(cells) ?? cells;
}

/**
 * The heads of the columns in which the cells of a row stand, one for each; none where they differ.
 * @param {Element} row
 * @returns {Element[]}
 */
function headsAbove(row) {
  const table = call(row, "closest", TABLES);
  const first = table && call(table, "querySelector", ROWS_INSIDE); // all of them may be thousands
  if (!first || first === row) return [];
  const heads = cellsOf(first);
  const isHead = (cell) => tagOf(cell) === "TH" || attributeOf(cell, "role") === "columnheader";
  return heads.length === cellsOf(row).length && heads.every(isHead) ? heads : [];
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
 * and one that spans rows is repeated in them after a mark, so that what comes after it stays below
 * its header.
 * @param {Element} row
 * @param {(cell: any) => string} textOf
 */
function lineOfRow(row, textOf) {
  const above = (cell) => fold(textOfCell(cell), ABOVE_LENGTH, "…");
  return slotsOf(row)
    .map(({ cell, mark }) =>
      mark ? (mark === SPANNED ? mark : `${mark} ${above(cell)}`) : textOf(cell),
    )
    .join(" | ");
}

/**
 * @param {any} row
 * @returns {Slot[]}
 */
function slotsOf(row) {
  const group = parentOf(row);
  const mayBeBelow = tagOf(row) === "TR" && group && hasInside(group, "[rowspan]");
  const known = mayBeBelow && once(group, "slots", slotsInGroup).get(row);
  return known || slotsBeside(cellsOf(row), []);
}

/**
 * The slots of each row of a group, which no cell spans beyond.
 * @param {Element} group
 */
function slotsInGroup(group) {
  const rows = new Map();
  /** @type {{ slot: Slot, left: number }[]} */
  const spans = []; // by column, those that go on below the row
  for (const row of childrenOf(group))
    if (tagOf(row) === "TR" && isShown(row)) rows.set(row, slotsBeside(cellsOf(row), spans));
  return rows;
}

/**
 * @param {any[]} cells
 * @param {{ slot: Slot, left: number }[]} spans From the rows above, by column; changed to those of this one
 */
function slotsBeside(cells, spans) {
  /** @type {Slot[]} */
  const slots = [];
  const addSpanned = () => {
    for (let span = spans[slots.length]; span?.left > 0; span = spans[slots.length]) {
      span.left--;
      slots.push(span.slot);
    }
  };
  for (const cell of cells) {
    addSpanned();
    const width = cells.length > 1 ? Math.min(cell.colSpan ?? 1, MAX_SPAN) : 1;
    const left = cell.rowSpan === 0 ? Infinity : (cell.rowSpan ?? 1) - 1;
    for (let n = 0; n < width; n++) {
      spans[slots.length] = { slot: { cell, mark: n ? SPANNED : FROM_ABOVE }, left };
      slots.push({ cell, mark: n ? SPANNED : "" });
    }
  }
  addSpanned();
  return slots;
}

/** @param {Element} row */
function rowText(row) {
  return shorten(
    lineOfRow(row, (cell) => shorten(textOfCell(cell), CELL_LENGTH)),
    ROW_LENGTH,
  );
}
