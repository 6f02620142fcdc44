const BEFORE = 60; // characters shown before the text that was found
const AFTER = 90;
const AROUND_ROW = 120; // characters of the row that it stands in
const LEVELS_UP = 6; // how far above the text an element of the list may be
const WIDE = 300; // characters; an element with more text is no target of its own
const ACTION_TARGETS =
  "a[href], button, input, select, textarea, summary, [role=button], [role=link], [role=tab]";
const ROW_ELEMENTS = "tr, [role=row]";
/** @type {Record<string, string>} */
const SAME_CHARACTERS = {
  ...{ "‘": "'", "’": "'", "“": '"', "”": '"', "‐": "-", "‑": "-", "–": "-", "—": "-", "−": "-" },
};

/**
 * The text with one spelling of what looks the same; its length stays.
 * @param {string} text
 */
function plainCharacters(text) {
  const seen = text.replace(/\p{DI}/gu, (unseen) => BOUNDARY.repeat(unseen.length));
  return seen.replace(/[^\w\s]/g, (character) => SAME_CHARACTERS[character] ?? character);
}

/**
 * A pattern for the text, in which a blank is any white space or the end of an element.
 * @param {string} text
 */
function patternOf(text) {
  const escaped = [...text].map((one) => one.replace(/[.*+?^${}()|[\]\\/]/, "\\$&"));
  const source = escaped.join(`${BOUNDARY}*`);
  return new RegExp(source.replace(new RegExp(` ${BOUNDARY}\\*`, "g"), `[\\s${BOUNDARY}]+`), "giu");
}

/** The places where a text was found. */
class Matches {
  /**
   * @param {string} text
   * @param {number} max
   */
  constructor(text, max) {
    this.pattern = patternOf(fold(plainCharacters(text)).replaceAll(BOUNDARY, ""));
    this.max = max;
    this.total = 0;
    /** @type {object[]} */
    this.hits = [];
    /** @type {Map<Element, Set<number>>} */
    this.seen = new Map(); // where the lines begin that were found in each element
  }

  /** @param {TextReading} reading */
  addFrom({ text, pieces }) {
    for (const match of plainCharacters(text).matchAll(this.pattern)) {
      const end = match.index + match[0].length;
      const first = pieceAt(pieces, match.index);
      const last = pieceAt(pieces, end - 1);
      const el = first && commonParent(first.el, last?.el ?? first.el);
      if (!el) continue;
      const begin = text.lastIndexOf("\n", match.index);
      this.add(el, lineAround(text, match.index, end), "", first.heading, begin);
    }
  }

  /** @param {Beside} beside */
  addBeside({ el, text, what, heading }) {
    this.pattern.lastIndex = 0;
    const match = this.pattern.exec(plainCharacters(fold(text)));
    if (!match) return;
    const end = match.index + match[0].length;
    this.add(el, lineAround(fold(text), match.index, end), what, heading);
  }

  /**
   * Counts a match, and keeps the first few.
   * @param {Element} el
   * @param {string} line
   * @param {string} what What kind of text it is, if it is not a text of the page
   * @param {string} heading The heading above it
   * @param {number} begin Where its line begins in the text of the page
   */
  add(el, line, what, heading, begin = 0) {
    const seen = this.seen.get(el);
    if (seen && (what || seen.has(begin))) return;
    this.seen.set(el, (seen ?? new Set()).add(begin));
    this.total++;
    if (this.hits.length >= this.max) return;
    const target = targetOf(el);
    const isHidden = isOutOfList(el) || isUnusable(target);
    const opener = isHidden ? openerOf(target) : null;
    if (opener) listFound(opener);
    listFound(target, line);
    const kind = rolesInList.get(target) || attributeOf(target, "role");
    if (isControlRole(kind ?? "") && !what) line = this.nameWithMatch(target) || line;
    const row = rowAround(el);
    this.hits.push({
      ...{ line, what, heading, row: row === line ? "" : row },
      kind:
        kind || (target === el && !call(el, "matches", ACTION_TARGETS) ? "text" : tagOf(target)),
      n: numberOf(target),
      opener: opener && numberOf(opener),
      place: isHidden ? "hidden" : isInViewport(boxOf(el)) ? "" : "out of view",
    });
  }

  /**
   * What a control says itself, without what stands beside it in the same line; empty if that is long,
   * or if the match goes beyond it.
   * @param {Element} control
   */
  nameWithMatch(control) {
    const text = fold(visibleText(control));
    this.pattern.lastIndex = 0;
    return text.length <= AFTER && this.pattern.test(plainCharacters(text)) ? text : "";
  }
}

// Whether a field takes nothing yet, such as that of a search which its button unfolds.
function isUnusable(field) {
  return isField(field) && !isShown(field) && !twinOf(field);
}

/**
 * The text of the line that a match stands in, cut on both sides.
 * @param {string} text
 * @param {number} from
 * @param {number} to
 */
function lineAround(text, from, to) {
  const begin = text.lastIndexOf("\n", Math.max(0, from - 1)) + 1;
  const isFirst = from === 0;
  const rest = text.indexOf("\n", to);
  const line = text.slice(isFirst ? 0 : Math.min(begin, from), rest < 0 ? text.length : rest);
  const at = from - (isFirst ? 0 : Math.min(begin, from));
  const start = at > BEFORE ? cutText(line, at - BEFORE).length : 0;
  const end = cutText(line, at + to - from + AFTER).length;
  const part = fold(line.slice(start, end).replaceAll(BOUNDARY, ""));
  return (start ? "…" : "") + part + (line.length > end ? "…" : "");
}

/**
 * The piece of text that has a character, or the last one before it.
 * @param {Piece[]} pieces
 * @param {number} position
 */
function pieceAt(pieces, position) {
  let low = 0;
  let high = pieces.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((pieces[middle]?.at ?? 0) <= position) low = middle + 1;
    else high = middle;
  }
  return pieces[Math.max(0, low - 1)];
}

/**
 * The smallest element that both are in; the second one if that is large.
 * @param {Element} one
 * @param {Element} other
 */
function commonParent(one, other) {
  for (let up = /** @type {Element | null} */ (one); up; up = flatParent(up)) {
    if (!holds(up, other)) continue;
    return up !== one && (visibleText(up) ?? "").length > WIDE ? other : up;
  }
  return other;
}

/**
 * What an action can be done with: the element of the list that has the text, or what reacts to a
 * click, or the element itself. What is around a hidden element, or has much more text, is not it.
 * @param {Element} el
 */
function targetOf(el) {
  const action = call(el, "closest", ACTION_TARGETS);
  if (isOutOfList(el)) return action || el;
  let up = /** @type {Element | null} */ (el);
  for (let level = 0; up && level < LEVELS_UP; level++, up = flatParent(up)) {
    const role = rolesInList.get(up);
    if (role === "row" || role === "dialog") break;
    if (role && (up === el || fold(visibleText(up)).length <= WIDE)) return up;
  }
  return action || el;
}

/**
 * The control that may show the closed part which an element is hidden in: the one that names it, the
 * one right before it, such as the button of its menu, or the one that it stands in.
 * @param {Element} el
 */
function openerOf(el) {
  let part = el;
  let around = flatParent(part);
  for (; around && isOutOfList(around); around = flatParent(around)) part = around;
  if (!around) return null;
  const id = attributeOf(part, "id");
  const [named] = id
    ? findAll(call(part, "getRootNode"), `[aria-controls~="${CSS.escape(id)}"]`)
    : [];
  if (named && isShown(named)) return named;
  const beside = childrenOf(around);
  const before = beside.slice(0, Math.max(0, beside.indexOf(part))).reverse();
  const nearest = before.find((one) => isShown(one));
  if (nearest && call(nearest, "matches", ACTION_TARGETS)) return nearest;
  return isControlRole(rolesInList.get(around) ?? "") ? around : null;
}

/** @param {Element} el */
function rowAround(el) {
  const row = call(el, "closest", ROW_ELEMENTS);
  if (!row) return "";
  const cells = childrenOf(row).map((cell) => fold(visibleText(cell)));
  return fold(cells.join(" | "), AROUND_ROW, "…");
}
