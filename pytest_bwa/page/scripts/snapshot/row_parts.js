// The rows of a table: those of several panes are one, as where some columns never scroll away.

const PANE_PARENTS = 4; // up to the element that tables have in common which are one
const PANES_AT_MOST = 4;
const TOUCHING = 2; // pixels between the panes of one table at most

/**
 * The rows of a table, each with all of its parts: those with the same number, or that are painted side
 * by side, are one row, of which some columns stand apart, as those do that never scroll away.
 * @returns {any[][]}
 */
function rowsOf(table) {
  return once(table, "rows", rowsNow);
}

function rowsNow(table) {
  const [first] = panesOf(table);
  if (first !== table) return rowsOf(first);
  const rows = panesOf(table).flatMap((pane) => ownRowsOf(pane));
  const numbers = rows.map((row) => tagOf(row) !== "TR" && attributeOf(row, "aria-rowindex"));
  const areNumbered = numbers.every(Boolean);
  if (!areNumbered) return rowsSideBySide(rows);
  const byNumber = [...groupedBy(rows, (_, n) => Number(numbers[n]))];
  return sortedBy(byNumber, ([number]) => number).map(([, parts]) => parts);
}

// The rows of one pane that show something.
function ownRowsOf(table) {
  const rows = tagOf(table) === "TABLE" ? [...table.rows] : findAll(table, "[role=row]");
  return rows.filter((row) => (isShown(row) || isBoxless(row)) && cellsOf(row).length);
}

/**
 * The row itself, and what else is a part of the same row.
 * @param {Element} row
 */
function partsOfRow(row) {
  const table = call(row, "closest", TABLES);
  if (!table) return [row];
  const byRow = once(table, "rowParts", partsByRow);
  return byRow.get(row) ?? [row];
}

/** @param {Element} table Of which those rows are noted that have several parts */
function partsByRow(table) {
  const rows = rowsOf(table).filter((parts) => parts.length > 1);
  return new Map(rows.flatMap((parts) => parts.map((row) => [row, parts])));
}

/**
 * The tables that are panes of one, in their order: they touch each other, their rows are painted side by
 * side, and their heads are those of different columns.
 * @returns {readonly any[]}
 */
function panesOf(table) {
  return once(table, "panes", panesNow);
}

function panesNow(table) {
  const near = tablesNear(table);
  const panes = [table];
  for (const pane of panes) {
    const others = near.filter((one) => !panes.includes(one) && isPaneBeside(pane, one));
    panes.push(...others);
  }
  return panes.length > 1 ? near.filter((one) => panes.includes(one)) : panes;
}

/**
 * The few tables in the innermost element around a table that has others; none for most.
 * @param {Element} table
 */
function tablesNear(table) {
  let up = flatParent(table);
  for (let n = 0; up && n < PANE_PARENTS; n++, up = flatParent(up)) {
    const all = findAll(up, TABLES);
    if (all.length < 2) continue;
    const apart = all.filter((one) => one === table || !(holds(one, table) || holds(table, one)));
    return all.length <= PANES_AT_MOST && apart.length > 1 ? apart : [];
  }
  return [];
}

/**
 * Whether two tables are panes of one.
 * @param {Element} a
 * @param {Element} b
 */
function isPaneBeside(a, b) {
  const [one, other] = [frameOf(a), frameOf(b)];
  const gap = Math.max(other.left - one.right, one.left - other.right);
  if (Math.abs(gap) > TOUCHING || isNamedTable(a) || isNamedTable(b)) return false;
  const [rows, others] = [ownRowsOf(a), ownRowsOf(b)];
  if (rows.length < 2 || rows.length !== others.length) return false;
  const heads = [rows[0], others[0]].flatMap((row) => cellsOf(row));
  const texts = heads.map((head) => fold(textOfCell(head)));
  const areOther = heads.every(isHead) && new Set(texts).size === texts.length;
  return areOther && rows.every((row, n) => isAsHighAs(areaOf(row), areaOf(others[n])));
}

/** @param {Element} table */
function isNamedTable(table) {
  const name = attributeOf(table, "aria-label") ?? attributeOf(table, "aria-labelledby");
  return name !== null || labelElementOf(table) !== undefined;
}

/**
 * What is shown of a table or a row across the page, which may scroll in an element around it.
 * @param {Element} el
 */
function frameOf(el) {
  let { left, right } = areaOf(el);
  let up = flatParent(el);
  for (let n = 0; up && n < PANE_PARENTS; n++, up = flatParent(up)) {
    if (styleOf(up).overflowX === "visible") continue;
    const box = boxOf(up);
    [left, right] = [Math.max(box.left, left), Math.min(box.right, right)];
  }
  return { left, right };
}

/** @param {any[]} rows */
function rowsSideBySide(rows) {
  const isNext = (row, n) => !n || isBelow(areaOf(rows[n - 1]), areaOf(row));
  if (rows.every(isNext)) return rows.map((row) => [row]); // as nearly always
  /** @type {Map<number, any[][]>} */
  const byTop = new Map();
  const joined = [];
  for (const row of rows) {
    const top = Math.round(areaOf(row).top);
    const near = [top - 1, top, top + 1].flatMap((at) => byTop.get(at) ?? []);
    const own = near.find((parts) => parts.every((part) => standSideBySide(part, row)));
    if (own) {
      own.push(row);
      continue;
    }
    joined.push([row]);
    byTop.set(top, [...(byTop.get(top) ?? []), joined[joined.length - 1]]);
  }
  return fromAbove(joined);
}

/**
 * Rows below the first one, which is that of the heads, as they are painted: a list that re-uses its rows
 * has them in any order. A row that stays in sight while others scroll says nothing by its place.
 * @param {any[][]} rows
 */
function fromAbove([first = [], ...others]) {
  const isSticky = (el) => el && styleOf(el).position === "sticky";
  const staysInSight = (/** @type {any[]} */ [row]) => isSticky(row) || isSticky(flatParent(row));
  const topOf = (/** @type {any[]} */ [row]) => (boxOf(row).height ? boxOf(row) : areaOf(row)).top;
  return [first, ...(others.some(staysInSight) ? others : sortedBy(others, topOf))];
}

/**
 * @param {Element} a
 * @param {Element} b
 */
function standSideBySide(a, b) {
  const [one, other] = [frameOf(a), frameOf(b)];
  const areApart = one.right <= other.left + 1 || other.right <= one.left + 1;
  return areApart && isAsHighAs(areaOf(a), areaOf(b));
}

/**
 * The cells of a row with all of its parts; none where these stand in no line and not every cell says
 * its column.
 * @param {any[]} parts
 * @returns {readonly any[]}
 */
function cellsOfParts(parts) {
  if (parts.length === 1) return cellsInLine(parts[0]);
  const cells = parts.flatMap((row) => cellsInLine(row));
  const columns = cells.map((cell) => Number(columnOf(cell)));
  const areKnown = columns.every(Boolean) && new Set(columns).size === columns.length;
  if (areKnown) return sortedBy(cells, (_, n) => columns[n]);
  const isOneLine = parts.every((row) => isAsHighAs(areaOf(row), areaOf(parts[0])));
  const ofPane = (row) => frameOf(row).left * (isRightToLeft(row) ? -1 : 1);
  return isOneLine ? sortedBy(parts, ofPane).flatMap((row) => cellsInLine(row)) : [];
}

function isHead(cell) {
  return tagOf(cell) === "TH" || /^(columnheader|rowheader)$/.test(attributeOf(cell, "role") || "");
}

/**
 * The heads of the columns in which the cells of a row stand, one for each; none where this is not
 * certain.
 * @param {Element} row
 */
function headsAbove(row) {
  const table = call(row, "closest", TABLES);
  const first = table && rowsOf(table)[0];
  if (!first || first.includes(row)) return [];
  const [cells, heads] = [cellsOfParts(partsOfRow(row)), cellsOfParts(first)];
  const isColumn = (head) => isHead(head) && attributeOf(head, "role") !== "rowheader";
  const over = heads.every(isColumn) ? headsOver(cells, heads) : [];
  return over.length ? cellsInLine(row).map((cell) => over[cells.indexOf(cell)]) : [];
}
