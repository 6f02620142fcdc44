// What other elements and pictures say of an element: the steps of "Accessible Name and Description
// Computation 1.2" (accname), which are named as there. It uses flat_tree.js, which uses it.
//
// - 2A: what is hidden says nothing, unless a reference leads to it: then all of it counts.
// - 2B: the elements that aria-labelledby lists, each once and in that order; no reference is followed
//   from there.
// - 2C: a field among the words of a label says what it contains: a text, a choice, a number.
// - 2D: aria-label.
// - 2E: what HTML has for it, such as alt, the title of a drawing, the value of a button.
// - 2F to 2H: the content, in the flat tree and with what style sheets add.
// - 2I: the tooltip.
//
// In two things the list is unlike it: what an element shows goes before what is only said of it (2D in
// a label), because the pictures of a page are what an answer is held against; and a placeholder goes
// before a tooltip. In which order the sources of an element's own name are asked, and what stands in
// for a label that nothing ties to its field, snapshot/names.js says. The browser's own tree takes 1 s
// for 3,000 elements and 8 s for 20,000.

const UNVALUED_TYPES = /^(button|submit|reset|image|checkbox|radio|file|hidden)$/;
const RANGE_ROLES = wordSet("slider spinbutton scrollbar progressbar meter");
const CHOSEN_OPTIONS = "[role=option][aria-selected=true]";
const WIDGETS =
  "input, textarea, select, [contenteditable], [role=textbox], [role=searchbox], [role=combobox], " +
  "[role=listbox], [role=slider], [role=spinbutton], [role=progressbar], [role=meter]";

/**
 * How a text is read that names something.
 * @typedef {object} Way
 * @property {Element} of What is named
 * @property {boolean} isHidden Whether all of the text is hidden, and counts anyway (2A)
 * @property {boolean} isLabel Whether it is a label, which is seen beside what it names
 */

/**
 * The text of the elements whose ids `attribute` lists, such as aria-labelledby (2B).
 * @param {Element} el
 * @param {string} attribute
 */
function textOfIds(el, attribute) {
  return elementsOfIds(el, attribute)
    .map((one) => fold(spokenText(one, el, false)))
    .join(" ");
}

/**
 * The elements whose ids `attribute` lists, in that order.
 * @param {Element} el
 * @param {string} attribute
 * @returns {Element[]}
 */
function elementsOfIds(el, attribute) {
  const listed = attributeOf(el, attribute);
  const root = listed && call(el, "getRootNode");
  if (!root || !member(root, "getElementById")) return []; // the element is in no page
  const ids = /** @type {string[]} */ (listed.split(/\s+/).filter(Boolean));
  return ids.map((id) => call(root, "getElementById", id)).filter(Boolean);
}

/**
 * The text of a label, or of what a reference leads to.
 * @param {Element} node
 * @param {Element} of What is named
 * @param {boolean} isLabel
 */
function spokenText(node, of, isLabel) {
  const way = { of, isLabel, isHidden: !isShown(node, RENDERED) && !isBoxless(node) };
  return withoutMarks(withBlanks(spokenElement(node, way, true)));
}

/**
 * @param {Way} way
 * @returns {string}
 */
function spoken(node, way) {
  if (node.nodeType === Node.TEXT_NODE)
    return way.isHidden ? node.data.replace(/\s+/g, " ") : paintedData(node);
  const tag = tagOf(node);
  if (tag === "BR") return "\n";
  if (!tag || node === way.of || UNPAINTED.has(tag)) return "";
  const isOut = !way.isHidden && isLeftOut(node, ""); // 2A
  return isOut ? "" : spokenElement(node, way, false);
}

/**
 * @param {Way} way
 * @param {boolean} isReferred Whether it is where the text begins
 * @returns {string}
 */
function spokenElement(el, way, isReferred) {
  const value = el === way.of ? null : embeddedValue(el);
  if (value !== null) return ` ${value} `; // 2C
  const label = attributeOf(el, "aria-label")?.trim();
  if (label && !way.isLabel) return ` ${label} `; // 2D
  const native = nativeName(el);
  if (native !== null) return ` ${label || native} `; // 2E
  const inside = joined(flatChildren(el), (child) => spoken(child, way)); // 2F to 2H
  const text = withAdded(el, inside);
  if (!text.trim()) return ` ${label || tooltipOf(el) || ""} `; // 2I
  const { before, after } = isReferred ? INLINE : once(el, "edges", edgesOf);
  return before + text + after;
}

/**
 * What a field says in the label of something else (2C); null for what has no value.
 * @returns {string | null}
 */
function embeddedValue(el) {
  if (isSecret(el)) return "";
  if (tagOf(el) === "SELECT") return chosenOptions(el);
  if (isField(el)) return UNVALUED_TYPES.test(el.type) ? null : el.value;
  const role = saidRole(el) ?? "";
  if (RANGE_ROLES.has(role))
    return attributeOf(el, "aria-valuetext") || attributeOf(el, "aria-valuenow") || "";
  if (role === "listbox") return textOfChosen(el);
  if (role === "combobox")
    return findAll(el, "input")[0]?.value || textOfChosen(el) || flatText(el);
  const isEditor = role === "textbox" || role === "searchbox" || member(el, "isContentEditable");
  return isEditor ? flatText(el) : null;
}

/** @param {Element} list */
function textOfChosen(list) {
  return findAll(list, CHOSEN_OPTIONS)
    .map((option) => flatText(option))
    .join(" ");
}

/**
 * What HTML itself has as the name of a picture or a field (2E); null for what is named by its content.
 * @returns {string | null}
 */
function nativeName(el) {
  const tag = tagOf(el);
  if (DRAWN.has(tag)) return nativePictureName(el);
  if (!isField(el)) return null;
  return /^(button|submit|reset)$/.test(el.type) ? el.value : el.type === "image" ? el.alt : "";
}

function nativePictureName(el) {
  const title = tagOf(el) === "SVG" && findAll(el, ":scope > title")[0]?.textContent;
  return title || (tagOf(el) === "IMG" && el.alt) || tooltipOf(el) || "";
}

/**
 * What names a picture, or an element that shows something without any text.
 * @returns {string}
 */
function pictureName(el) {
  return textOfIds(el, "aria-labelledby") || attributeOf(el, "aria-label") || nativePictureName(el);
}

/**
 * Whether a text that names something else holds fields of its own (2C).
 * @param {Element} el
 */
function holdsWidget(el) {
  return matches(el, WIDGETS) || hasInside(el, WIDGETS);
}
