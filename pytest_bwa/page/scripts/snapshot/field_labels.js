// What names a field: its labels, or the text that stands beside, above or before it.

const MAX_LABEL = 60; // characters of a text that is taken for a label
const LABEL_PARENTS = 3;
const FAR_LABEL_PARENTS = 12; // where a <label> that is tied to nothing may still be the field's
const NEAR_BLOCKS = 4; // on each side
const MIN_BLOCKS = 3;
const MANY_PARTS = 200; // of a block; their places are not compared for each field
const NO_LABEL = "a, button, option, select, h1, h2, h3, h4, h5, h6, table, ul, ol, [role=button]";
const ANY_FIELD = "input:not([type=hidden]), textarea, select, [contenteditable], [role=combobox]";
const LINE_ENDS = "br, div, p, small"; // in a label; their texts must not run together
const NAMED_FIELD =
  "input:not([type=hidden], [type=submit], [type=button], [type=reset], [type=image]), textarea, " +
  "select, [contenteditable], [role=combobox], [role=checkbox], [role=switch], [role=radio], " +
  "[role=textbox], [role=slider], [role=spinbutton]";

// The texts of the labels that are tied to an element, also to one that is no native field.
function textOfLabels(el) {
  return labelsOf(el)
    .map((label) => textOfLabel(label, el))
    .join(" ");
}

/** @returns {any[]} */
function labelsOf(el) {
  const labels = new Set(el.labels ?? []);
  const id = attributeOf(el, "id");
  if (!labels.size && id) {
    for (const label of findAll(call(el, "getRootNode"), `label[for="${CSS.escape(id)}"]`)) {
      labels.add(label);
    }
  }
  const behind = labels.size ? null : (choiceBehind(el) ?? sourceBehind(el, hasLabels));
  for (const label of behind ? labelsOf(behind) : []) labels.add(label);
  const around = labels.size ? null : call(el, "closest", "label");
  if (around && !around.control && attributeOf(around, "for") === null) labels.add(around);
  return [...labels];
}

/**
 * The labels that are tied to a button and stand beside it. One around it may be that of a field.
 * @returns {HTMLLabelElement[]}
 */
function labelsBeside(el) {
  const labels = tagOf(el) === "BUTTON" ? [...el.labels] : [];
  return labels.filter((label) => !label.contains(el));
}

function hasLabels(el) {
  return labelsOf(el).length > 0;
}

/**
 * What aria-labelledby names; a combobox may name itself there, or the text in it, which is its value.
 * @param {Element} el
 */
function textOfOtherIds(el) {
  const text = textOfIds(el, "aria-labelledby");
  if (!text || isField(el) || !isCombobox(el)) return text;
  const own = fold(member(el, "textContent"));
  if (!own) return text;
  if (elementsOfIds(el, "aria-labelledby").every((one) => one !== el && holds(el, one))) return "";
  return fold(text).endsWith(own) ? fold(text).slice(0, -own.length) : text;
}

/**
 * A label's text without the field that it may contain; of a label that is only a picture, its own
 * label.
 * @param {HTMLLabelElement} label
 * @param {Element} field
 */
function textOfLabel(label, field) {
  return (
    textInLabel(label, field).trim() ||
    (flatTexts.edited.has(label) ? label.textContent : "") || // all of it is crossed out
    attributeOf(label, "aria-label") ||
    tooltipOf(label) ||
    ""
  );
}

/**
 * @param {HTMLLabelElement} label
 * @param {Element} field
 * @returns {string}
 */
function textInLabel(label, field) {
  if (!label.contains(field)) {
    if (!isShown(label) || holdsWidget(label)) return spokenText(label, field, true);
    const isWhole = findAll(label, "*").every((part) => isShown(part, RENDERED));
    const isPlain = isWhole && !hasInside(label, LINE_ENDS) && !flatTexts.holders.has(label);
    return (isPlain && label.textContent?.trim() && label.textContent) || flatText(label);
  }
  const way = { of: field, isLabel: true, isHidden: false };
  const parts = [...label.childNodes].filter((node) => !call(node, "contains", field));
  const text = parts.map((node) => spoken(node, way)).join("");
  return withoutMarks(withBlanks(withAdded(label, text.trim() ? text : flatText(parts))));
}

/**
 * The only <label> in an element that is tied to no field; null if there are none or several.
 * @param {Element} el
 */
function freeLabelIn(el) {
  const labels = hasInside(el, "label") ? once(el, "freeLabels", freeLabelsNow) : [];
  return labels.length === 1 ? labels[0] : null;
}

/** @param {Element} el */
function freeLabelsNow(el) {
  const isFree = (/** @type {any} */ label) =>
    !label.control && attributeOf(label, "for") === null && isShown(label);
  return findAll(el, "label").filter(isFree);
}

/**
 * The text of a <label> that follows the only field of its block, and is painted inside of the field
 * or above it, as a label that floats is; empty if there is none.
 * @param {Element} block
 * @param {Element} field
 */
function textOfFloatingLabel(block, field) {
  const label = freeLabelIn(block);
  if (!label || findAll(block, NAMED_FIELD).length !== 1) return "";
  const follows = call(field, "compareDocumentPosition", label) & Node.DOCUMENT_POSITION_FOLLOWING;
  const [own, other] = [boxOf(label), boxOf(field)];
  const isAbove = (own.top + own.bottom) / 2 < other.bottom;
  const isInLine = own.left < other.right && other.left < own.right;
  return follows && isAbove && isInLine ? labelText(label) || "" : "";
}

// The text beside, above or before a field that no label is tied to. `isSure` says whether it is
// written as a label: in a <label>, with a colon, in the cell before the field's, or as the labels of
// the fields beside it are.
function textBesideField(field) {
  const isTick = isTickable(field) || saidRole(field) === "radio";
  let at = /** @type {Element} */ (field);
  let near = { text: "", isSure: false };
  for (let up = 0; up < (isTick ? LABEL_PARENTS : FAR_LABEL_PARENTS); up++) {
    const head = headOf(at);
    if (head) return { text: head, isSure: true };
    const found = neighbourText(at, isTick);
    if (found.isSure) return found;
    if (up < LABEL_PARENTS && !near.text) near = found;
    const parent = flatParent(at);
    // A block with other fields has their labels too.
    if (!parent || hasOtherField(parent, field) || /^(TR|FORM|BODY)$/.test(tagOf(parent))) break;
    if (!isTick && found.text && isLikeItsNeighbours(parent, found.text)) {
      return { text: found.text, isSure: true };
    }
    const mayFloat = !isTick && !near.text && up < LABEL_PARENTS;
    const floating = mayFloat ? textOfFloatingLabel(parent, field) : "";
    if (floating) return { text: floating, isSure: true };
    at = parent;
  }
  return near;
}

/**
 * Whether a block has another field than one, and than the <select> that this one is painted for.
 * @param {Element} block
 * @param {Element} field
 */
function hasOtherField(block, field) {
  const fields = findAll(block, ANY_FIELD);
  if (fields.length < 2) return false;
  const behind = choiceBehind(field);
  return fields.filter((one) => one !== behind).length > 1;
}

/**
 * Whether a block begins with a text as those beside it do, which hold fields, too, under texts of
 * their own: so the blocks of a form are made.
 * @param {Element} block
 * @param {string} text
 */
function isLikeItsNeighbours(block, text) {
  const parent = flatParent(block);
  const kind = classesOf(block)[0];
  if (!parent || !kind || firstTextOf(block) !== text) return false;
  const all = childrenOf(parent);
  const at = all.indexOf(block);
  const near = all.slice(Math.max(0, at - NEAR_BLOCKS), at + NEAR_BLOCKS + 1);
  const alike = near.filter((one) => classesOf(one)[0] === kind && hasInside(one, ANY_FIELD));
  const texts = new Set(alike.map((one) => firstTextOf(one)).filter(Boolean));
  return texts.size === alike.length && texts.size >= MIN_BLOCKS;
}

/**
 * The text that a block begins with; empty if it begins with something else.
 * @param {Element} block
 */
function firstTextOf(block) {
  for (const child of childrenOf(block)) {
    const text = labelText(child);
    if (text !== "") return text ?? "";
  }
  return "";
}

/**
 * What stands at the head of the column that a cell is in; empty for all else.
 * @param {Element} el
 */
function headOf(el) {
  if (tagOf(el) !== "TD" && !/^(grid)?cell$/.test(attributeOf(el, "role") ?? "")) return "";
  const row = call(el, "closest", ROWS_INSIDE);
  const head = row && headsAbove(row)[cellsInLine(row).indexOf(el)];
  return head ? labelText(head) || "" : "";
}

/**
 * The nodes before an element, or behind it, the nearest first: as they are painted, where a style puts
 * them in another order than the document.
 * @param {Element} el
 * @param {boolean} isAfter
 */
function neighboursAsPainted(el, isAfter) {
  const parent = flatParent(el);
  if (!parent) return [];
  const written = childrenOf(parent);
  const painted = written.length > MANY_PARTS ? written : inScreenOrder(parent, [...written]);
  const isMoved = painted.some((one, n) => one !== written[n]);
  const all = isMoved ? painted : flatChildren(parent);
  const at = all.indexOf(el);
  if (at < 0) return [];
  return isAfter ? all.slice(at + 1) : all.slice(0, at).reverse();
}

/**
 * @param {Element} el
 * @param {boolean} isTick Whether its text follows it
 */
function neighbourText(el, isTick) {
  for (const node of neighboursAsPainted(el, isTick)) {
    const text = labelText(node);
    if (text === null) break;
    if (!text) continue;
    const isLabel = tagOf(node) !== "" && holdsFreeLabel(node);
    const isCell = /^(TD|TH)$/.test(tagOf(node));
    if (tagOf(node) === "TH" && tagOf(el) === "TH") break; // the head of another column
    return {
      text: text.replace(/\s*[:：]$/, ""),
      isSure: isLabel || isCell || /[:：]$/.test(text),
    };
  }
  return { text: "", isSure: false };
}

/** @param {Element} el Whether it is or holds a label that is tied to no native field */
function holdsFreeLabel(el) {
  return [el, ...findAll(el, "label")].some((label) => tagOf(label) === "LABEL" && !label.control);
}

// The text of a neighbour; null if it is more than a label, empty if it shows nothing.
function labelText(node) {
  if (node.nodeType === Node.TEXT_NODE) {
    const text = fold(node.data);
    return text.length > MAX_LABEL ? null : text;
  }
  if (node.nodeType !== Node.ELEMENT_NODE || UNPAINTED.has(tagOf(node))) return "";
  if (call(node, "matches", `${NO_LABEL}, ${ANY_FIELD}`)) return null;
  if (tagOf(node) === "LABEL" && node.control) return null; // of another field
  if (findAll(node, `${NO_LABEL}, ${ANY_FIELD}`).length) return null;
  const text = fold(flatText(node));
  return text.length > MAX_LABEL ? null : text;
}
