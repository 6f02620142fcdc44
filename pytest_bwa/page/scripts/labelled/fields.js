// Uses: labelled/report.js
// Uses: prelude/secrets.js
// Uses: prelude/twins.js
// Uses: snapshot/field_labels.js

const VALUE_FIELDS =
  "input, select, textarea, [role=checkbox], [role=switch], [role=radio], [role=combobox]";
const ASKING = "button, input[type=submit], input[type=search]";
const ASKED = "input:not([type=hidden], [type=submit]), select, textarea";
const FIXED = ":disabled, :read-only:is(input:not([type=checkbox], [type=radio]), textarea)";
const UNREAD = /^(password|hidden|button|submit|reset|image|file|range)$/;

function isReadable(el) {
  if (!matches(el, VALUE_FIELDS) || UNREAD.test(el.type) || isSecret(el)) return false;
  return isShown(el) || isBehindTwin(el);
}

// Reports a field's value. In a form that leads to other pages, as a search or a filter does, it is
// none of the page's own values: the form has something to press, or Enter is enough.
function addField(el, scope) {
  const form = call(el, "closest", "form");
  const isGet = form && (attributeOf(form, "method") || "get").toLowerCase() === "get";
  const asked = isGet ? findAll(form, ASKED) : [];
  const isAsking = isGet && (asked.length === 1 || findAll(form, ASKING).length > 0);
  const regions = [...scope.regions, ...(isAsking ? ["search"] : [])];
  if (asked.length === 1 && /^(text|search)$/.test(el.type)) addSearch(el, form, scope);
  const kind = !form && call(el, "matches", FIXED) ? "pair" : "input";
  const isUnsure = el.indeterminate || (!isTickable(el) && hasTextBehind(el));
  const doubt = isUnsure ? "it is neither on nor off, or a text follows it" : "";
  const [label, value] = [labelOfField(el), valueOfField(el)];
  if (el.type !== "radio" && attributeOf(el, "role") !== "radio")
    return add(kind, label, [el], { ...scope, regions }, { value, doubt });
  const group = call(el, "closest", "fieldset, [role=radiogroup]");
  const name = group ? nameOfSection(group) : "";
  const headings = scope.headings.filter(({ text }) => text !== name);
  if (value === "true") add(kind, name, [el], { regions, headings }, { value: label, doubt });
}

// Whether a text stands behind a field in its line, such as a unit.
function hasTextBehind(el) {
  let after = el.nextSibling;
  while (after && !textOf(after)) after = after.nextSibling;
  if (!after || /^(LABEL|BUTTON|A)$/.test(tagOf(after))) return false;
  return !tagOf(after) || !BLOCKS.test(styleOf(after).display);
}

// What names a field for certain; nothing does where two fields have the same id.
function labelOfField(el) {
  const id = attributeOf(el, "id");
  const isOne = !id || findAll(call(el, "getRootNode"), `[id="${CSS.escape(id)}"]`).length === 1;
  const isNamedInside = call(el, "matches", "[role=checkbox], [role=switch], [role=radio]");
  const named = textOfIds(el, "aria-labelledby") || attributeOf(el, "aria-label");
  const label = fold(named || (isOne ? textOfLabels(el) : "") || (isNamedInside ? textOf(el) : ""));
  const beside = label ? null : textBesideField(el);
  return beside?.isSure ? beside.text : label;
}

function valueOfField(el) {
  if (/^(checkbox|radio)$/.test(el.type)) return String(el.checked);
  const state = attributeOf(el, "aria-checked");
  if (state !== null) return state;
  if (tagOf(el) !== "SELECT") return isField(el) ? el.value : textOf(el);
  return [...el.selectedOptions].some((option) => option.value) ? chosenOptions(el) : "";
}

// The address that a form which only asks leads to, with {} for what would be typed.
function addSearch(el, form, scope) {
  const address = member(form, "action");
  if (!el.name || !URL.canParse(address)) return;
  const query = new URLSearchParams(/** @type {any} */ (new FormData(form)));
  query.set(el.name, "{}");
  const url = Object.assign(new URL(address), { search: query.toString() }).href;
  const label = labelOfField(el) || el.placeholder || el.name;
  add("search", label, [el], scope, { value: "", url, doubt: "" });
}
