// Uses: labelled/report.js
// Uses: labelled/scope.js
// Uses: prelude/flat_tree.js

// Rows that are set in below another one: they say more of what that one names.

const INDENT = 6; // pixels
const A_LETTER = /[\p{L}\p{N}]/u; // where a label begins, behind blanks and marks such as └ or –

/**
 * A label in a row: its nodes, and what they say.
 * @typedef {{ nodes: any[], text: string }} RowLabel
 */

// Tells of one label after the other what the earlier one says that it is set in below; empty for what
// is set in below none.
function indentation() {
  /** @type {{ text: string, left: number, bottom: number }[]} */
  let outer = []; // each set in further than the one before
  return (/** @type {RowLabel} */ { nodes, text }) => {
    const own = startOf(nodes);
    const last = outer.at(-1);
    if (!own || (last && own.top < last.bottom - 1)) return ""; // it stands beside that one
    outer = outer.filter(({ left }) => left < own.left - INDENT);
    outer.push({ text, left: own.left, bottom: own.bottom });
    return outer.at(-2)?.text ?? "";
  };
}

// Where the first letter of a label stands, in pixels that grow in the direction of writing; null where
// its type is not set from there.
function startOf(nodes) {
  const node = nodes.flatMap(textNodes).find(({ data }) => A_LETTER.test(data));
  if (!node) return null;
  const { direction, textAlign } = styleOf(elementOfNode(node));
  const isRightToLeft = direction === "rtl";
  if (!["start", "justify", isRightToLeft ? "right" : "left"].includes(textAlign)) return null;
  const at = node.data.search(A_LETTER);
  const range = call(document, "createRange");
  range.setStart(node, at);
  range.setEnd(node, at + 1);
  const [box] = range.getClientRects();
  return box
    ? { left: isRightToLeft ? -box.right : box.left, top: box.top, bottom: box.bottom }
    : null;
}

function captioned(headings, text) {
  return text ? under(headings, { level: CAPTION_LEVEL, text }) : headings;
}

// The scope of a label that may be set in below another one.
function scopeBelow(outerOf, label, scope) {
  const outer = outerOf({ nodes: [label], text: nameOfLabel(wholeLabel(label)) });
  return outer ? { ...scope, headings: captioned(scope.headings, outer) } : scope;
}

// Adds to the headings of the values in a row what the row says that it is set in below. The first
// value tells where the row begins.
function setInBelow(outerOf, values, first) {
  const label = first && report.labels.get(first);
  const outer = label ? outerOf(label) : "";
  if (outer) for (const value of values) value.headings = [...value.headings, outer];
}

// Whether an element is a row like another one, or has such rows inside.
function isRowLike(el, row) {
  const signs = signsOf(row);
  const isAlike = signsOf(el).some((sign) => signs.includes(sign));
  return isAlike || childrenOf(el).some((one) => signOf(one) === signOf(row));
}

// Whether an element is a box between two rows of a record, or one with such rows of its own right
// below a row: it says more of what that row names.
function isInset(el, previous, next) {
  if (!previous || !attributeOf(previous, "class") || signOf(el) === signOf(previous)) return false;
  const isRow = (one) => one && signOf(one) === signOf(previous);
  return (isRow(next) || childrenOf(el).some(isRow)) && isBox(el);
}
