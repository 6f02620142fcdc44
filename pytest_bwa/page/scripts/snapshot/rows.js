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
/**
 * A row in one line. A cell that spans several columns is followed by a mark for each further one,
 * and one that spans rows is repeated in them after a mark, so that what comes after it stays below
 * its header. Behind another mark a further part of a row begins with the first one.
 * @param {Element} row
 * @param {(cell: any) => string} textOf
 */
function lineOfRow(row, textOf) {
  const short = (cell) => fold(textOfCell(cell), ABOVE_LENGTH, "…");
  const marked = slotsOf(row).map(({ cell, mark }) =>
    mark ? (mark === SPANNED ? mark : `${mark} ${short(cell)}`) : textOf(cell),
  );
  const [first] = partsOfRow(row);
  return [...(first === row ? [] : [`${SPANNED} ${short(first)}`]), ...marked].join(" | ");
}

/** @returns {Slot[]} */
function slotsOf(row) {
  const own = cellsOf(row);
  return cellsInLine(row).flatMap((cell, _, { length }) => {
    const columns = length > 1 ? Math.min(cell.colSpan ?? 1, MAX_SPAN) : 1;
    const first = { cell, mark: own.includes(cell) ? "" : FROM_ABOVE };
    return [first, ...Array(columns - 1).fill({ cell, mark: SPANNED })];
  });
}

/** @param {Element} row */
function rowText(row) {
  return shorten(
    lineOfRow(row, (cell) => shorten(textOfCell(cell), CELL_LENGTH)),
    ROW_LENGTH,
  );
}
