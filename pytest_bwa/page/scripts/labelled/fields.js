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

// Whether a form leads to other pages, as a search or a filter does: it has something to press, or
// one field in which Enter is enough.
function isAskingForm(form) {
  const isGet = (attributeOf(form, "method") || "get").toLowerCase() === "get";
  return isGet && (findAll(form, ASKING).length > 0 || askedFields(form).length === 1);
}

function askedFields(form) {
  return findAll(form, "input:not([type=hidden]), select, textarea");
}

// Reports a field's value. In a form that asks for something (a search, a filter), it is none of
// the page's own values.
function addField(el, scope, beside = "") {
  const form = call(el, "closest", "form");
  const isAsking = form && isAskingForm(form);
  const isFixed = !form && call(el, "matches", FIXED);
  const regions = [...scope.regions, ...(isAsking ? ["search"] : [])];
  if (isAsking && /^(text|search)$/.test(el.type)) addSearch(el, form, scope);
  const more = { value: valueOfField(el), items: [], cut: false, doubt: "" };
  if (el.indeterminate) more.doubt = "it is neither on nor off";
  const kind = isFixed ? "pair" : "input";
  const isRadio = el.type === "radio" || attributeOf(el, "role") === "radio";
  if (!isRadio) add(kind, beside || labelOfField(el), [el], { ...scope, regions }, more);
  else if (more.value === "true") {
    const group = call(el, "closest", "fieldset, [role=radiogroup]");
    const name = beside || (group ? nameOfSection(group) : "");
    const headings = scope.headings.filter((heading) => heading.text !== name);
    if (name)
      add(kind, name, [el], { ...scope, regions, headings }, { ...more, value: labelOfField(el) });
  }
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
  if (!el.name || !URL.canParse(address) || askedFields(form).length > 1) return;
  query.set(el.name, "{}");
  const action = new URL(address);
  action.search = query.toString();
  const more = { value: "", url: action.href, items: [], doubt: "", cut: false };
  add("search", labelOfField(el) || el.placeholder || el.name, [el], scope, more);
}
