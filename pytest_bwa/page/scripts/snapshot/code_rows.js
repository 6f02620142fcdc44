// Rows whose cells have lines, as those of code, logs and differences: lines stay lines, each with its
// number where the row has a cell of numbers.

const NEXT_LINE = " ⏎ ";

/**
 * The lines that are written in a cell, with their indentation; none where the page folds them.
 * @param {Element} cell
 * @returns {string[]}
 */
function writtenLinesOf(cell) {
  return once(cell, "writtenLines", writtenLinesNow);
}

/** @param {Element} cell */
function writtenLinesNow(cell) {
  if (![cell, ...childrenOf(cell)].some(keepsLines) && !hasInside(cell, "pre")) return [];
  const isExact = !flatTexts.holders.has(cell);
  const text = isExact ? (visibleText(cell) ?? "") : writtenText(cell);
  const lines = text.replace(/^\n+|\s+$/g, "").split("\n");
  return lines.map((line) => line.replaceAll("\xa0", " ").trimEnd());
}

/**
 * Whether a cell has several lines, or one that is indented.
 * @param {Element} cell
 */
function isWritten(cell) {
  const [first, ...others] = writtenLinesOf(cell);
  return others.length > 0 || /^\s/.test(first ?? "");
}

/**
 * The same as flatText, with the indentation of written lines.
 * @param {Element} el
 */
function writtenText(el) {
  const text = withBlanks(paintedText(el, "", false)).replace(MARKS, "");
  return text.split("\n").filter(saysAnything).join("\n");
}

/**
 * What a row says line by line, each with a text for each of its cells; null for other rows. Where its
 * cells have as many lines, those beside each other belong together.
 * @param {Element} row
 * @returns {string[][] | null}
 */
function linesOfRow(row) {
  const cells = cellsOf(row).map(writtenLinesOf);
  const most = Math.max(0, ...cells.map((lines) => lines.length));
  if (most < 2) return null;
  const arePaired = cells.every((lines) => lines.length === most || !lines.join(""));
  if (!arePaired) return null;
  return cells[0].map((_, n) => cells.map((lines) => lines[n] ?? ""));
}

/**
 * The text of a table or a part of it in which code stands, often with numbers beside it; empty for others.
 * @param {Element} el
 */
function textOfCodeRows(el) {
  const [table, another] = /^(TABLE|TBODY|TR)$/.test(tagOf(el)) ? [el] : findAll(el, "table");
  if (!table || another || fold(visibleText(table)) !== fold(visibleText(el))) return "";
  const rows = tagOf(table) === "TR" ? [table] : findAll(table, "tr");
  if (!rows.some((row) => cellsOf(row).some(isWritten))) return "";
  const textOf = (cell) =>
    isWritten(cell) ? writtenLinesOf(cell).join("\n") : fold(paintedTextOf(cell));
  const lines = rows.flatMap((row) => linesOfRow(row) ?? [cellsOf(row).map(textOf)]);
  return lines.map((cells) => cells.join("\t")).join("\n");
}
