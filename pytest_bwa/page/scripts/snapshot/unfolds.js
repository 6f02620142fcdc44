const OPENS_SOMETHING_ELSE =
  "a:not([href^='#']), [ping], input, label, [aria-haspopup]:not([aria-haspopup=false])";
const PRESSED_INSTEAD =
  "a, button, input, select, textarea, summary, label, [tabindex], [onclick], [contenteditable], " +
  "[role=button], [role=link], [role=checkbox], [role=switch], [role=radio], [role=menuitem]";

const UNFOLDING = new Set(["tab", "button", "link"]);
const DIALOGS = "dialog, [role=dialog], [role=alertdialog], [aria-modal=true]";

/**
 * Whether a press on an element does nothing but unfold a part of this page: the element is the summary
 * of its own details, or names a part that is not shown now. It sends no form, leads nowhere, and no
 * other control is inside it, which the press could meet.
 * @param {string} role
 */
function unfolds(el, role) {
  if (!UNFOLDING.has(role)) return false;
  if (member(el, "form") || closest(el, "form") || closest(el, OPENS_SOMETHING_ELSE)) return false;
  if (hasInside(el, PRESSED_INSTEAD)) return false;
  /** @type {any} */
  const details = tagOf(el) === "SUMMARY" ? parentOf(el) : null;
  if (details && tagOf(details) === "DETAILS") return !details.open;
  if (role === "button" && attributeOf(el, "aria-expanded") !== "false") return false;
  const parts = role === "link" ? partsLinkedBy(el) : partsNamedBy(el);
  return parts.length > 0 && !parts.some((part) => isShown(part) || matches(part, DIALOGS));
}

/**
 * The parts of the page that a tab or a button names as what it opens, or that are called like it.
 * @param {Element} el
 * @returns {Element[]}
 */
function partsNamedBy(el) {
  const parts = elementsOfIds(el, "aria-controls");
  if (parts.length) return parts;
  const id = attributeOf(el, "id");
  const name = (member(el, "textContent") ?? "").trim();
  return findAll(call(el, "getRootNode"), "[role=tabpanel]").filter(
    (panel) =>
      (id && (attributeOf(panel, "aria-labelledby") || "").split(/\s+/).includes(id)) ||
      (name && attributeOf(panel, "aria-label") === name),
  );
}

/**
 * The part of the page that a link leads to.
 * @param {Element} el
 * @returns {Element[]}
 */
function partsLinkedBy(el) {
  const id = (attributeOf(el, "href") || "").slice(1);
  return id ? findAll(call(el, "getRootNode"), `#${CSS.escape(id)}`) : [];
}
