// The same as INTERACTIVE_ROLES in pytest_bwa/steps/observation.py, which adds "clickable".
const INTERACTIVE_ROLES = new Set([
  "button",
  "link",
  "textbox",
  "searchbox",
  "checkbox",
  "radio",
  "switch",
  "slider",
  "spinbutton",
  "combobox",
  "listbox",
  "option",
  "tab",
  "menuitem",
  "menuitemcheckbox",
  "menuitemradio",
  "treeitem",
]);
/** @param {string} role Whether it is that of something to act on */
function isControlRole(role) {
  return INTERACTIVE_ROLES.has(role) || role === "clickable";
}

// Roles whose whole text is their name: what is inside them is not repeated as text.
const ROLES_NAMED_BY_TEXT = new Set([
  "button",
  "link",
  "heading",
  "tab",
  "menuitem",
  "menuitemcheckbox",
  "menuitemradio",
  "option",
  "switch",
  "checkbox",
  "radio",
  "treeitem",
  "row",
  "status",
  "alert",
  "clickable",
]);
const LISTED_ROLES = new Set([
  ...INTERACTIVE_ROLES,
  ...["heading", "table", "row", "listitem", "status", "alert", "img", "dialog", "alertdialog"],
  ...["clickable", "progressbar", "meter"],
]);
const NO_ROLE = /^(none|presentation|generic)$/;
const ALWAYS_FOCUSABLE = "a[href], button, input, select, textarea, summary, [tabindex]";
/** @type {Record<string, string>} */
const ROLE_BY_TAG = {
  BUTTON: "button",
  SUMMARY: "button",
  TEXTAREA: "textbox",
  TABLE: "table",
  TR: "row",
  LI: "listitem",
  H1: "heading",
  H2: "heading",
  H3: "heading",
  H4: "heading",
  H5: "heading",
  H6: "heading",
  IMG: "img",
  NAV: "navigation",
  HEADER: "banner",
  FOOTER: "contentinfo",
  OPTION: "option",
  DIALOG: "dialog",
  OUTPUT: "status",
  PROGRESS: "progressbar",
  METER: "meter",
};
/** @type {Record<string, string>} */
const ROLE_BY_INPUT_TYPE = {
  checkbox: "checkbox",
  radio: "radio",
  range: "slider",
  number: "spinbutton",
  search: "searchbox",
  button: "button",
  submit: "button",
  reset: "button",
  image: "button",
  file: "button",
  hidden: "",
};

// The element's role, from its attribute or its tag; empty if it has none of interest.
function roleOf(el) {
  const said = saidRole(el);
  if (said && !NO_ROLE.test(said)) return said;
  if (said && !isNeverPresentation(el)) return "";
  const tag = tagOf(el);
  if (tag === "A" || tag === "AREA") return attributeOf(el, "href") !== null ? "link" : "";
  if (tag === "INPUT") return ROLE_BY_INPUT_TYPE[el.type] ?? "textbox";
  if (tag === "SELECT") return el.multiple || el.size > 1 ? "listbox" : "combobox";
  if (tag === "HEADER" || tag === "FOOTER") {
    // In a shadow root it is the component's own.
    const isInside = call(el, "getRootNode") !== document;
    return isInside || el.closest("article, section, main, aside") ? "" : ROLE_BY_TAG[tag];
  }
  const parent = parentOf(el);
  if (member(el, "isContentEditable") && !(parent && member(parent, "isContentEditable"))) {
    return "textbox";
  }
  if (tag === "LI" && isTabInList(el)) return "tab";
  return ROLE_BY_TAG[tag] || "";
}

/**
 * Whether an element keeps its role though it says that it has none: what can have the focus, or has a
 * name of its own.
 * @param {Element} el
 */
function isNeverPresentation(el) {
  return matches(el, ALWAYS_FOCUSABLE) || Boolean(attributeOf(el, "aria-label"));
}

/**
 * Whether an entry of a list of tabs is one, although nothing says so: it can have the focus.
 * @param {Element} el
 */
function isTabInList(el) {
  const parent = parentOf(el);
  if (attributeOf(el, "tabindex") === null || !parent) return false;
  return attributeOf(parent, "role") === "tablist" && !findAll(el, "[role=tab]").length;
}
