// The blanks and line breaks of a text that the list folds or leaves out: who is to copy the text must
// know of them.

const ENDS = /^(\s*).*?(\s*)$/s;
const BLANK_RUN = /\S[^\S\n]{2,}\S/;
const ALIKE_RUN = /(\n+|\t+|[^\S\n\t]+)/;
const KEEPS_BLANKS = /^(pre|pre-wrap|break-spaces)$/;

/**
 * @param {string} value Of a field
 * @param {boolean} isInLines Whether the list shows the blanks between its words as they are
 * @returns {string[]}
 */
function unshownBlanks(value, isInLines) {
  if (value && !value.trim()) return [`only ${sayBlanks(value)}`];
  const [, before, after] = ENDS.exec(value) ?? [];
  const said = [];
  if (before) said.push(`${sayBlanks(before)} at its beginning`);
  if (after) said.push(`${sayBlanks(after)} at its end`);
  if (!isInLines && BLANK_RUN.test(value)) said.push("several blanks in a row");
  return said;
}

/**
 * What stands at the end of a text whose blanks are painted, unless it only arranges the source.
 * @param {Element} el
 */
function blanksAtEnd(el) {
  const { whiteSpace } = styleOf(el);
  if (!KEEPS_BLANKS.test(whiteSpace)) return [];
  const text = member(el, "textContent").replace(/\r\n?/g, "\n");
  const end = /\s*$/.exec(tagOf(el) === "PRE" ? text.replace(/\n$/, "") : text)?.[0] ?? "";
  const isArranged = end.includes("\n") && /[^\n]/.test(end);
  return end && end !== text && !isArranged ? [`${sayBlanks(end)} at its end`] : [];
}

/** @param {string} blanks */
function sayBlanks(blanks) {
  const runs = blanks.replace(/\r\n?/g, "\n").split(ALIKE_RUN).filter(Boolean);
  return runs.map(sayRun).join(" and ");
}

/** @param {string} run Of one kind of blank */
function sayRun(run) {
  const { length } = run;
  if (run[0] === "\n") return length > 1 ? `${length} ⏎` : "⏎";
  const kind = run[0] === "\t" ? "tab" : "blank";
  return length > 1 ? `${length} ${kind}s` : `a ${kind}`;
}
