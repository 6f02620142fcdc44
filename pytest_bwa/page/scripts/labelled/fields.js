// Uses: labelled/report.js
// Uses: prelude/secrets.js
// Uses: prelude/twins.js

const VALUE_FIELDS =
  "input, select, textarea, [role=checkbox], [role=switch], [role=radio], [role=combobox]";
const ASKING = "button, input[type=submit], input[type=search]";
const FIXED = ":disabled, :read-only:is(input:not([type=checkbox], [type=radio]), textarea)";
const UNREAD = /^(password|hidden|button|submit|reset|image|file|range)$/;

function isReadable(el) {
  if (!call(el, "matches", VALUE_FIELDS) || UNREAD.test(el.type) || isSecret(el)) return false;
  return isShown(el) || isBehindTwin(el);
}

// The one field that an element shows instead of text.
function onlyField(el) {
  const fields = all([el], VALUE_FIELDS).filter(isReadable);
  return fields.length === 1 && !flatText(el, "label") ? fields[0] : null;
}

// Reports a field's value. In a form that leads to other pages, as a search or a filter does, it is
// none of the page's own values: the form has something to press, or Enter is enough.
function addField(el, scope, beside = "") {
  const form = call(el, "closest", "form");
  const isGet = form && (attributeOf(form, "method") || "get").toLowerCase() === "get";
  const asked = isGet ? findAll(form, "input:not([type=hidden]), select, textarea") : [];
  const isAsking = isGet && (asked.length === 1 || findAll(form, ASKING).length > 0);
  const regions = [...scope.regions, ...(isAsking ? ["search"] : [])];
  if (isAsking && asked.length === 1 && /^(text|search)$/.test(el.type)) addSearch(el, form, scope);
  const kind = !form && call(el, "matches", FIXED) ? "pair" : "input";
  const doubt = el.indeterminate ? "it is neither on nor off" : "";
  const [label, value] = [labelOfField(el), valueOfField(el)];
  const isRadio = el.type === "radio" || attributeOf(el, "role") === "radio";
  const group = isRadio && call(el, "closest", "fieldset, [role=radiogroup]");
  const name = beside || (group ? nameOfSection(group) : "");
  const headings = scope.headings.filter(({ text }) => !isRadio || text !== name);
  const place = { ...scope, regions, headings };
  if (!isRadio) add(kind, name || label, [el], place, { value, doubt });
  else if (value === "true") add(kind, name, [el], place, { value: label, doubt });
}

function labelOfField(el) {
  const labels = [...(el.labels || [])].map((label) => textOf(label));
  const named = textOfIds(el, "aria-labelledby") || attributeOf(el, "aria-label");
  const isNamedInside = call(el, "matches", "[role=checkbox], [role=switch], [role=radio]");
  return fold(named || labels.join(" ") || (isNamedInside ? textOf(el) : ""));
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
  const query = new URLSearchParams(/** @type {any} */ (new FormData(form)));
  const address = member(form, "action");
  if (!el.name || !URL.canParse(address)) return;
  query.set(el.name, "{}");
  const url = Object.assign(new URL(address), { search: query.toString() }).href;
  const label = labelOfField(el) || el.placeholder || el.name;
  add("search", label, [el], scope, { value: "", url, doubt: "" });
}
