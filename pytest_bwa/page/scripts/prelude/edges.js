// What stands between the texts of neighbours, which are written without a blank between them.

// Where the text alone does not say what is seen: a picture without a name, and a box or a raised
// sign without a space before it. Only texts that were asked for with marks have them.
const PICTURE_MARK = "\ufffc";
const EDGE_MARK = "\ufdd0";
const MARKS = /[\ufffc\ufdd0\ufdd3]/g;
const GAP_MARK = "\ufdd3"; // an edge as wide as a blank; before the blank that it was made to
const GAPS = /([^\s\ufdd0\ufdd3]?)[\ufdd0\ufdd3]*\ufdd3[\ufdd0\ufdd3]*(?=([^\s\ufdd0\ufdd3]?))/gu;
const OWN_MARKS = /[\ufdd0\ufdd3]/g; // which no page has a use for, and could forge
const MIN_GAP = 0.15; // of the size of the type: a blank has about 0.25
const SHIFTED = wordSet("SUP SUB super sub"); // tags, and what a style sheet calls it
const RAISED_DIGITS = "⁰¹²³⁴⁵⁶⁷⁸⁹"; // else the footnote of 12,480 makes 12,4801 of it
const FOOTNOTE = /^\s*\d{1,2}\s*$/;

/** @typedef {{ before: string, after: string }} Edges */
const BLOCK = { before: "\n", after: "\n" };
const INLINE = { before: "", after: "" };

/** @param {Element} el */
function edgesOf(el) {
  return edgesOfStyle(styleOf(el), isOffTheLine(el));
}

/**
 * What stands before and after a text: it begins a new line, or is at least painted apart from its
 * neighbours, raised, lowered, or in a box.
 * @param {CSSStyleDeclaration} style
 * @param {boolean} isShifted
 * @returns {Edges}
 */
function edgesOfStyle(style, isShifted) {
  if (!/^(inline|contents|ruby)/.test(style.display)) return BLOCK;
  if (!isShifted && style.padding === "0px" && style.margin === "0px") return INLINE;
  const left = width(style.paddingInlineStart) + width(style.marginInlineStart);
  const right = width(style.paddingInlineEnd) + width(style.marginInlineEnd);
  if (!isShifted && left <= 0 && right <= 0) return INLINE;
  const gap = MIN_GAP * width(style.fontSize);
  const edge = (/** @type {number} */ pixels) => EDGE_MARK + (pixels >= gap ? GAP_MARK : "");
  return { before: edge(left), after: edge(right) };
}

/**
 * Whether an element is raised or lowered in its line.
 * @param {Element} el
 */
function isOffTheLine(el) {
  return SHIFTED.has(tagOf(el)) || SHIFTED.has(styleOf(el).verticalAlign);
}

/**
 * Whether an element is a raised number, as that of a footnote is.
 * @param {Element} el
 * @param {string} text What it says
 */
function isFootnote(el, text) {
  return FOOTNOTE.test(text) && (tagOf(el) === "SUP" || styleOf(el).verticalAlign === "super");
}

/** @param {string} text */
function inRaisedDigits(text) {
  return text.replace(/\d/g, (digit) => RAISED_DIGITS[Number(digit)] ?? digit);
}

/** @param {string} pixels */
function width(pixels) {
  return parseFloat(pixels) || 0;
}

/**
 * A text with blanks for gaps, as a person reads it: "Pump leaks" and "#42" with a margin between
 * them. Two numbers with one between them may be one, and keep the mark of an edge.
 * @param {string} marked
 */
function withBlanks(marked) {
  if (!marked.includes(GAP_MARK)) return marked;
  return marked.replace(GAPS, (_, before, after) => {
    const areApart = before && after && !isOpening(before) && !isClosing(after);
    const areDigits = /\d/.test(before) && /\d/.test(after);
    return before + (areApart && !areDigits ? `${GAP_MARK} ` : EDGE_MARK);
  });
}

function isOpening(mark) {
  return /[([{]/.test(mark) || (NOT_ASCII.test(mark) && /[\p{Ps}\p{Pi}]/u.test(mark));
}

function isClosing(mark) {
  return /[)\]},.;:!?%]/.test(mark) || (NOT_ASCII.test(mark) && /[\p{Pe}\p{Pf}]/u.test(mark));
}

// A text without the marks of pictures and edges, and without the lines that had nothing else.
function withoutMarks(marked) {
  const text = marked.replace(MARKS, "").trim();
  return text.includes("\n") ? text.split("\n").filter(saysAnything).join("\n") : text;
}

function saysAnything(line) {
  return line.trim() !== "";
}

/**
 * The texts of neighbours, with a mark where one word or number seems to go on in the next element.
 * @param {readonly any[]} nodes
 * @param {(node: any) => string} textOf
 */
function joined(nodes, textOf) {
  let whole = "";
  let isElement = false;
  for (const node of nodes) {
    const text = textOf(node);
    if (!text) continue;
    const isNextElement = node.nodeType === Node.ELEMENT_NODE;
    if (whole && goesOn(whole, text, isElement && isNextElement)) whole += EDGE_MARK;
    whole += text;
    isElement = isNextElement;
  }
  return whole;
}

/**
 * Whether a number, or a word of two elements, seems to go on from one text to the next.
 * @param {string} before
 * @param {string} after
 * @param {boolean} areElements
 */
function goesOn(before, after, areElements) {
  if (/\d$/.test(before)) return /^\d/.test(after);
  if (!areElements || /\s$/.test(before) || /^\s/.test(after)) return false;
  const last = [...before.slice(-2)].at(-1) ?? ""; // may be a pair of surrogates
  return isLetter(last) && isLetter(String.fromCodePoint(after.codePointAt(0) ?? 0));
}
