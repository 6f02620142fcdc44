const LABELLED_ROLES = wordSet(
  "switch checkbox radio combobox listbox slider spinbutton textbox searchbox progressbar meter",
);
/** @type {Record<string, string>} */
const DEFAULT_BUTTONS = { submit: "Submit", reset: "Reset", button: "button" };
const HOLDS_OTHERS = /^(combobox|listbox)$/; // whose names are theirs
const MADE_NAME = /\bid[-_]\d+$/;
// Of an entry of a tree or menu.
const INNER_ENTRIES = "[role=group], [role=menu], [role=treeitem], [role=menuitem], ul, ol";

/**
 * The element's name, by the steps that prelude/accessible_name.js names, from the sources in this
 * order: a reference or a label (2B, 2D), what HTML ties to it (2E), what it shows (2F), the names of
 * its pictures, its tooltip (2I), what stands beside it.
 * @param {string} role
 */
function nameOf(el, role) {
  if (role === "row") return rowText(el) || shorten(attributeOf(el, "aria-label"));
  const labelled = shorten(textOfOtherIds(el)) || shorten(attributeOf(el, "aria-label"));
  if (labelled) return labelled;
  if (isField(el)) return nameOfField(el);
  const labels = LABELLED_ROLES.has(role) ? labelsOf(el) : labelsBeside(el);
  const ofLabels = shorten(labels.map((label) => textOfLabel(label, el)).join(" "));
  if (ofLabels) return ofLabels;
  if (tagOf(el) === "IMG") return shorten(el.alt) || shorten(tooltipOf(el));
  if (role === "table") return shorten(tagOf(el) === "TABLE" ? el.caption?.innerText : "");
  if (role === "dialog" || role === "alertdialog") {
    const [heading] = findAll(el, "h1, h2, h3");
    return heading ? shorten(paintedTextOf(heading)) : "";
  }
  const mayHaveEntries = /^(tree|menu)item/.test(role);
  if (mayHaveEntries && findAll(el, INNER_ENTRIES).length)
    return shorten(flatText(flatChildren(el), INNER_ENTRIES));
  const text = ROLES_NAMED_BY_TEXT.has(role) ? shorten(textWithFields(el)) : "";
  return (
    text ||
    (HOLDS_OTHERS.test(role) ? "" : shorten(namesOfPicturesIn(el))) ||
    shorten(tooltipBeside(el, role)) ||
    (isControlRole(role) && flatTexts.holders.has(el) ? shorten(visibleText(el)) : "") ||
    (LABELLED_ROLES.has(role) ? shorten(sureLabelOf(el) || nameOfFrame(el)) : "") ||
    shorten(attributeOf(el, "aria-placeholder"))
  );
}

/** @param {Element} el Whose text may have fields in it: they say what they contain, and offer nothing */
function textWithFields(el) {
  return hasInside(el, FIELD_TAGS) ? spokenText(el, el, true) : paintedTextOf(el);
}

/** @param {Element} el What the page calls the frame whose whole document is an editor */
function nameOfFrame(el) {
  const frame = tagOf(el) === "BODY" ? window.frameElement : null; // null for another site's page
  return frame ? attributeOf(frame, "aria-label") || attributeOf(frame, "title") : "";
}

/**
 * An element's tooltip; null if it only repeats what was chosen in a combobox.
 * @param {Element} el
 * @param {string} role
 */
function tooltipBeside(el, role) {
  const tooltip = tooltipOf(el);
  if (!tooltip || role !== "combobox" || isField(el)) return tooltip;
  return fold(tooltip) === fold(flatText(el)) ? null : tooltip;
}

/** @param {Element} el */
function sureLabelOf(el) {
  const { text, isSure } = textBesideField(el);
  return isSure ? text : "";
}

// Whether a program has numbered a box, so that its name says nothing
function isMadeName(field) {
  return isTickable(field) && MADE_NAME.test(field.name);
}

function nameOfField(field) {
  if (/^(button|submit|reset)$/.test(field.type)) {
    return shorten(field.value) || DEFAULT_BUTTONS[field.type] || "";
  }
  const labels = shorten(textOfLabels(field));
  if (labels) return labels;
  const beside = textBesideField(field);
  // Beside a combobox may stand the value that was chosen.
  const isNear = beside.isSure || saidRole(field) !== "combobox";
  return (
    (beside.isSure ? beside.text : "") ||
    shorten(field.getAttribute("placeholder")) ||
    shorten(tooltipOf(field)) ||
    shorten(field.alt) ||
    (isNear ? beside.text : "") ||
    (field.type === "file" ? "file" : isMadeName(field) ? "" : shorten(field.name))
  );
}

/**
 * What pictures inside a button or link without text are called.
 * @param {Element} el
 */
function namesOfPicturesIn(el) {
  const pictures = findAll(el, "img[alt], svg[aria-label], [aria-label], svg > title");
  const name = (/** @type {Element} */ node) =>
    attributeOf(node, "alt") || attributeOf(node, "aria-label") || member(node, "textContent");
  return pictures.map(name).join(" ");
}
