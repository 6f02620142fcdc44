// Tables: lists of records below the headers of columns, and panels of labels and values.

const RECORD_LENGTH = 600; // characters
const SPANS = "shared_cell";
const DATE_OR_TIME = /\d([-/.])\d{1,2}\1\d|\d:\d\d/;

// Whether a line has the headers of columns. In the corner may stand anything, of two columns nothing.
function isHeader(line) {
  const areMany = line?.length > 2;
  const isCorner = (cell, n) => n === 0 && (areMany || !textOf(cell));
  const isColumn = (cell) => isHead(cell) || (areMany && call(cell, "closest", "thead") !== null);
  return line?.length > 1 && line.every((cell, n) => isColumn(cell) || isCorner(cell, n));
}

// A table with column headers is a list: each row is somebody's or something's. One without, or whose
// two columns are labels and values, is a panel: of its rows that a cell spans, nothing is read.
function table(grid, scope) {
  if (panesOf(grid)[0] !== grid) return; // read with the first
  const isRead = (row) => isShownOrBoxless(row) && !isStruck(row);
  const rows = rowsOf(grid).filter((parts) => parts.every(isRead));
  const shown = rows.map(([row]) => row);
  const lines = rows.map(cellsOfParts);
  const [first, second] = lines;
  const isPanel = isHeader(first) && first.every(textOf) && arePairs(lines.slice(1));
  const isList = isHeader(first) && second && !isPanel;
  const areNamed = lines.every((line, n) => n === 0 || isNamed(line) || isInFoot(shown[n]));
  if (isSpanned(shown[0]) || isHeader(second)) return;
  let heads = first;
  let inside = scope;
  for (const [n, line] of lines.entries()) {
    if (isList && line.length > 1 && line.every(isHead)) heads = line;
    if (isPanel && !n) continue;
    const isWhole = !isSpanned(shown[n]);
    const isGroup = isWhole && isCaptionRow(lines, n, shown);
    const group = { level: CAPTION_LEVEL, text: isGroup ? textOf(line) : "" };
    if (isGroup) inside = { ...scope, headings: under(scope.headings, group) };
    else if (isWhole && (!isList || (isNamed(line) && (areNamed || isInFoot(shown[n]))))) {
      keyed(line, inside, n > 0);
    }
    if (isList && n && !isInFoot(shown[n])) listed(line, heads, inside);
  }
}

// Whether rows are labels with their values, though heads stand above them: no label stands twice, and
// the values are of several kinds, which those of a column are not.
function arePairs(rows) {
  const pairs = rows.filter((row) => row.length !== 1); // the others are captions
  const isHeads = (row) => row.length !== 2 || row.every(isHead);
  if (pairs.length < 2 || pairs.some(isHeads)) return false;
  if (!pairs.every(([label, value]) => isLabelOf(label, value, true))) return false;
  const labels = new Set(pairs.map(([label]) => textOf(label)));
  return labels.size === pairs.length && areOfSeveralKinds(pairs.map(([, value]) => textOf(value)));
}

// Whether texts are two of numbers, dates and codes, or such and several words. In a column, some words
// may stand in for a number: they are few, or the same again.
function areOfSeveralKinds(texts) {
  const ofKind = (kind) => texts.filter((text) => kindOfText(text) === kind);
  const measured = ["number", "moment", "code"].map(ofKind).filter((found) => found.length);
  if (measured.length > 1) return true;
  const words = ofKind("words");
  const areOwn = new Set(words).size === words.length;
  return measured.length > 0 && words.length >= measured[0].length && areOwn;
}

function kindOfText(text) {
  if (!/\d/.test(text)) return saysSomething(text) ? "words" : "";
  const words = text.match(/\p{L}+/gu) ?? [];
  if (words.length > 1) return /\s/.test(text.trim()) ? "" : "code";
  const isMoment = DATE_OR_TIME.test(text) || text.match(/\d[\d.,'’]*/g).length > 1;
  return isMoment ? "moment" : "number";
}

// Whether a line may be a label with its value below the headers of columns, too, as all lines then are,
// or a sum at the foot of the table. Between others, the sum of a list is none of the page's own.
function isNamed(line) {
  return line.length === 2 && isHead(line[0]);
}

function isInFoot(row) {
  return call(row, "closest", "tfoot") !== null;
}

// Whether a cell of a row or of one above spans more than one row.
function isSpanned(row) {
  return (
    row && (cellsFromAbove(row).length > 0 || cellsOf(row).some((cell) => goesOnBelow(cell, row)))
  );
}

// Whether a row is the caption of those below it: one wide cell, or one with a text beside an empty one
// or a button, in a row unlike most, or of headers above labels and values.
function isCaptionRow(lines, n, shown) {
  const [line, below] = [lines[n], lines[n + 1]];
  if (line.length === 1) return isHead(line[0]) || isWide(line[0]);
  const named = line.filter((cell) => flatText(cell, BUTTONS));
  if (line.length !== 2 || named.length !== 1) return false;
  const alike = shown.filter((row) => signOf(row) === signOf(shown[n])).length;
  if (named[0] === line[0] && shown.length > 2 && 2 * alike <= shown.length) return true;
  const isHeader = line.every(isHead) || call(shown[n], "closest", "thead") !== null;
  return isHeader && below?.length === 2 && !below.every(isHead);
}

function isWide(cell) {
  return cell.colSpan > 1;
}

// The cells of a row of a list, each under its head. What stands in several rows may be said of all of
// them together: a row that is called so is left, and another such value is doubted.
function listed(line, heads, scope) {
  const over = [...line, ...heads].some(isWide) ? [] : headsOver(line, heads);
  if (!over.length || line.every(isHead)) return;
  const isOfSeveral = (cell) => goesOnBelow(cell, parentOf(cell) ?? cell);
  const own = line.find((cell) => isHead(cell) && !isOfSeveral(cell));
  const named = own ?? line.find(isHead) ?? line[0];
  if (isOfSeveral(named)) return;
  const texts = line.map((cell) => textOf(cell));
  const record_name = textOf(named) || texts.find(Boolean) || "";
  const record = cutText(texts.join(" | ").replace(/\n/g, " "), RECORD_LENGTH);
  for (const [n, cell] of line.entries()) {
    const from = report.found.length;
    describe("table", wholeLabel(over[n]), [cell], scope, { record, record_name });
    if (isOfSeveral(cell)) for (const value of report.found.slice(from)) value.doubt ||= SPANS;
  }
}

// Labels, each with the one cell behind it: a second one with a text of its own, such as a unit, says
// more. Two plain cells may be the headers of what follows, unless another line stands above them.
function keyed(line, scope, isBelow) {
  const mayBeLabel = line.length === 2 || areInTurn(line) ? (n) => n % 2 === 0 : () => false;
  const isLabel = (cell, n) =>
    line.some(isHead)
      ? isHead(cell)
      : line[n + 1] && mayBeLabel(n) && isLabelOf(cell, line[n + 1], isBelow);
  const isText = (cell) => cell && flatText(cell, `a[href], ${BUTTONS}`) !== "";
  for (const [n, cell] of line.entries()) {
    const isFollowed = isText(line[n + 1]) && !isLabel(line[n + 1], n + 1);
    if (n && isLabel(line[n - 1], n - 1) && !isLabel(cell, n) && !isFollowed)
      describe("definition", wholeLabel(line[n - 1]), [cell], scope);
  }
  const [label, value] = line;
  const mayBeHeads = !isBelow && line.length === 2 && !line.some(isHead) && !isLabel(label, 0);
  if (mayBeHeads && isLabelOf(label, value, true) && isText(value))
    addFirstRow(wholeLabel(label), value, scope);
}

// Whether the cells of a line have two classes or looks in turn, one for labels and one for values.
function areInTurn(line) {
  if (line.length < 4 || line.length % 2) return false;
  const labels = sharedSigns(line.filter((_, n) => n % 2 === 0));
  const values = sharedSigns(line.filter((_, n) => n % 2));
  const isOwn = (sign, others) => !others.includes(sign);
  return labels.some((sign) => isOwn(sign, values)) && values.some((sign) => isOwn(sign, labels));
}

function sharedSigns([first, ...others]) {
  const isShared = (sign) => others.every((cell) => signsOf(cell).includes(sign));
  if (attributeOf(first, "class")) return signsOf(first).filter(isShared);
  return others.every((cell) => typeOf(cell) === typeOf(first)) ? [typeOf(first)] : [];
}

// The ground of a cell, and the weight of its text.
function typeOf(cell) {
  return `${styleOf(cell).backgroundColor} ${styleOf(innermost(cell)).fontWeight}`;
}
