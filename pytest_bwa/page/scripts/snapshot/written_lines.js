// Text whose line breaks and indentation say something, such as code and messages, and what was
// added to a text, deleted from it or crossed out in it.

const LINES_LENGTH = 1000; // characters
const EDIT_LENGTH = 120;
const STRUCK_OUT = "struck out"; // in the list of elements

/**
 * The text of an element with its lines; empty if it has only one, or if the page folds them.
 * @param {Element} el
 */
function writtenLines(el) {
  if (!keepsLines(el) && !isBroken(el)) return "";
  const lines = (visibleText(el) ?? "").split("\n").map((line) => line.trimEnd());
  const text = lines
    .join("\n")
    .replace(/^\n+|\n+$/g, "")
    .replace(/\n{3,}/g, "\n\n");
  if (!text.includes("\n")) return "";
  return text.length > LINES_LENGTH ? `${cutText(text, LINES_LENGTH)}…` : text;
}

/**
 * Whether a text is broken into lines by its source, and by nothing else.
 * @param {Element} el
 */
function isBroken(el) {
  const children = childrenOf(el);
  const isText = children.every((child) => INLINE_TAGS.has(tagOf(child)));
  return isText && children.some((child) => tagOf(child) === "BR");
}

/**
 * What an element says was added to its text, deleted from it or crossed out in it. The last two are
 * no part of its text, unless it is to be pressed and has no other.
 * @param {Element} el
 * @param {string} role
 * @param {string} name
 * @param {boolean} isStruck Whether it is crossed out, alone or with what is around it
 */
function editsOf(el, role, name, isStruck) {
  if (isStruck) return [name || role !== "text" ? STRUCK_OUT : editIn(el)];
  const saysText = role === "text" || (role !== "row" && ROLES_NAMED_BY_TEXT.has(role));
  const edits = isField(el) ? labelsOf(el).flatMap(editsOfLabel) : saysText ? editsIn(el) : [];
  const said = edits.map((edit) => (edit === `${STRUCK_OUT}="${name}"` ? STRUCK_OUT : edit));
  return saysText && tagOf(el) === "INS" ? ["added", ...said] : said;
}

/** @param {Element} label Of a field */
function editsOfLabel(label) {
  for (let up = /** @type {Element | null} */ (label); up; up = flatParent(up)) {
    if (flatTexts.struck.has(up)) return [editIn(label)];
  }
  return editsIn(label);
}

/** @param {Element} el */
function editsIn(el) {
  if (!flatTexts.edited.has(el)) return [];
  const edits = findAll(el, "*").filter(
    (part) => (tagOf(part) === "INS" || flatTexts.struck.has(part)) && isShown(part),
  );
  const isOutermost = (/** @type {Element} */ edit) =>
    !edits.some((other) => other !== edit && other.contains(edit));
  return edits.filter(isOutermost).map(editIn);
}

/** @param {Element} edit */
function editIn(edit) {
  const text = fold(member(edit, "textContent"), EDIT_LENGTH, "…");
  const kind = { INS: "added", DEL: "deleted" }[tagOf(edit)] ?? STRUCK_OUT;
  return `${kind}="${text}"`;
}
