// The line of a row says what its text does not: what its fields contain, what is checked, its
// tooltips, and which of the listed elements stand in which cell.

// Around the number of an element; the observer puts its listed number there.
const NUMBER_BEGIN = "\ufdd1";
const NUMBER_END = "\ufdd2";
const NUMBER_MARKS = /[\ufdd1\ufdd2]/g;
const NUMBERS = /(\ufdd1\d+\ufdd2)/;
const BEYOND_TEXT =
  "input, select, textarea, [title], [aria-label], [role=checkbox], [role=radio], [role=switch]";
/** @type {Record<string, [string, string]>} */
const TICKS = { checkbox: ["☑", "☐"], radio: ["◉", "○"], switch: ["on", "off"] };

const BLANK = /^[|\s]+$/; // the name of a row of empty cells
const MANY_COLUMNS = 12;
const HEAD_LENGTH = 40;
const WIDE_LENGTH = 800; // of a line; the prompt cuts longer ones
const EMPTY_CELL = /^[\s—–−-]*$/;
const MIXED = "⊟"; // some of what a checkbox stands for is checked

/**
 * Completes a row after what is in it has been read.
 * @param {Element} el
 * @param {number} at Where in the reading the row is
 * @param {Reading} reading
 */
function completeRow(el, at, reading) {
  const row = reading.nodes[at];
  if (reading.elements[at] !== el || row?.role !== "row") return;
  const inside = new Map();
  for (let next = at + 1; next < reading.nodes.length; next++) {
    reading.nodes[next].row ??= row.number;
    inside.set(reading.elements[next], reading.nodes[next]);
  }
  const saysAll = row.name && !row.cut && !flatTexts.edited.has(el);
  const isPlain =
    saysAll && !inside.size && !hasInside(el, BEYOND_TEXT) && !cellsOf(el).some(isWritten);
  if (isPlain && BLANK.test(row.name)) {
    reading.dropLast();
    return;
  }
  const line = new RowLine(inside);
  const wide = line.ofWideRow(el);
  if (isPlain && !wide) return;
  row.line = wide || writtenLine(el) || lineOfRow(el, (cell) => line.ofCell(cell));
  row.tooltips = [...line.tooltips];
}

/**
 * The line of a row whose cells have lines of their own that belong together.
 * @param {Element} row
 */
function writtenLine(row) {
  const lines = linesOfRow(row)?.map((cells) => cells.filter(Boolean).join(" | "));
  const line = lines?.join(NEXT_LINE) ?? "";
  return line.length > LINES_LENGTH ? `${cutText(line, LINES_LENGTH)}…` : line;
}

class RowLine {
  /** @param {Map<Node, any>} inside What is listed of the row's elements */
  constructor(inside) {
    this.inside = inside;
    /** @type {Set<string>} */
    this.tooltips = new Set();
  }

  /**
   * The line of a row of so many columns that nobody can count them: each cell with its head, without
   * those that are empty. Empty for other rows.
   * @param {Element} row
   */
  ofWideRow(row) {
    const slots = slotsOf(row);
    if (slots.length <= MANY_COLUMNS || slots.some(({ mark }) => mark)) return "";
    const heads = /** @type {any[]} */ (headsAbove(row));
    if (heads.length !== slots.length || heads.some((head) => head.colSpan > 1)) return "";
    const cells = slots.map(({ cell }) => this.ofCell(cell));
    const named = cells.map((text, n) => {
      const head = fold(textOfCell(heads[n])?.replace(NUMBER_MARKS, ""), HEAD_LENGTH, "…");
      return EMPTY_CELL.test(text) ? "" : head ? `${head}: ${text}` : text;
    });
    const filled = named.filter(Boolean);
    const empty = slots.length - filled.length;
    const line = [...filled, ...(empty ? [`(${empty} empty)`] : [])].join(" | ");
    return line.length <= WIDE_LENGTH ? line : "";
  }

  /** @param {Element} cell */
  ofCell(cell) {
    const text = withBlanks(this.textOf(cell)).replace(MARKS, "");
    if (isWritten(cell) && !NUMBERS.test(text)) {
      return cutCell(writtenLinesOf(cell).join(NEXT_LINE), LINES_LENGTH);
    }
    const line = fold(text) || fold(textOfCell(cell));
    return cutCell(line);
  }

  /** @returns {string} */
  textOf(node) {
    if (node.nodeType === Node.TEXT_NODE) return paintedData(node).replace(NUMBER_MARKS, "");
    if (node.nodeType !== Node.ELEMENT_NODE) return "";
    if (tagOf(node) === "BR") return " ";
    const listed = this.inside.get(node);
    if (!listed && isStruck(node) && isShown(node)) return this.struckText(node);
    if (!listed && (isLeftOut(node, "") || isUnseen(node))) return "";
    const content = this.contentOf(node, listed);
    const text = this.withTooltip(node, listed, listed ? content : withLabel(node, content));
    const isNumbered = listed && isControlRole(listed.role);
    const number = isNumbered ? ` ${NUMBER_BEGIN}${listed.number}${NUMBER_END}` : "";
    const { before, after } = once(node, "edges", edgesOf);
    if (number || before === "\n") return `${number}${number ? "" : " "}${text} `;
    return text && before + (isFootnote(node, text) ? inRaisedDigits(text) : text) + after;
  }

  /** @param {Element} el That is crossed out */
  struckText(el) {
    const text = fold(this.contentOf(el, null));
    return text && ` (${STRUCK_OUT}: ${text}) `;
  }

  contentOf(el, listed) {
    const role = listed?.role ?? roleOf(el);
    const tick = TICKS[role];
    if (tick) return checkedOf(el) === "mixed" ? MIXED : tick[isTicked(el) ? 0 : 1];
    if (isField(el) || role === "textbox") return contentOfFieldInRow(el, role);
    if (DRAWN.has(tagOf(el))) return drawnText(el).replace(MARKS, "");
    const inside = flatChildren(el).map((child) => this.textOf(child));
    const text = withAdded(el, inside.join(""));
    const isHidden = unpainted.has(el) && !isControlRole(role);
    return text.trim() || isHidden ? text : listed?.name || pictureName(el) || text;
  }

  /**
   * The text with the element's tooltip; one that is listed says it in its own line.
   * @param {Element} el
   * @param {string} text
   */
  withTooltip(el, listed, text) {
    const title = fold(tooltipOf(el)).replace(NUMBER_MARKS, "");
    if (!title) return text;
    this.tooltips.add(title);
    if (listed || fold(text).includes(title)) return text;
    return `${text.trimEnd()} (title: ${title})`;
  }
}

/**
 * The text of a cell with what its label says of it ("–": "Not included"). The label of a head may be
 * the word that it shortens ("M": "Monday").
 * @param {Element} el
 * @param {string} text
 */
function withLabel(el, text) {
  const label = fold(attributeOf(el, "aria-label")).replace(NUMBER_MARKS, "");
  const [said, shown] = [label, fold(text)].map((one) => one.toLowerCase());
  if (!said || !shown || shown.includes(said)) return text;
  const isHead = tagOf(el) === "TH" || saidRole(el) === "columnheader";
  return isHead && said.startsWith(shown) ? text : `${text.trimEnd()} (label: ${label})`;
}

/** @param {string} role */
function contentOfFieldInRow(el, role) {
  if (isSecret(el)) return "password";
  if (role === "button") return nameOf(el, role);
  return `value=${fieldValueOf(el, role) || "(empty)"}`;
}

/**
 * A cell's line with at most `max` characters of text, but with all numbers.
 * @param {string} line
 * @param {number} max
 */
function cutCell(line, max = CELL_LENGTH) {
  const parts = line.split(NUMBERS);
  const length = parts.reduce((sum, part) => sum + (NUMBERS.test(part) ? 0 : part.length), 0);
  if (length <= max) return line;
  let left = max;
  const kept = parts.map((part) => {
    if (NUMBERS.test(part)) return part;
    const text = cutText(part, Math.max(0, left));
    left -= part.length;
    return text;
  });
  return `${kept.join("").trimEnd()}… (${withCommas(length)} characters)`;
}
