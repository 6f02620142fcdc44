const VALUE_FIELDS =
  "input, select, textarea, [role=checkbox], [role=switch], [role=radio], [role=combobox]";
const RADIOS = "input[type=radio], [role=radio]";
const ASKING = "button, input[type=submit], input[type=search]";
const SENDING = "button, input[type=submit], input[type=image]";
const ASKED = "input:not([type=hidden], [type=submit]), select, textarea";
const FIXED = ":disabled, :read-only:is(input:not([type=checkbox], [type=radio]), textarea)";
const EXACT = /^(date|datetime-local|month|number|time|week)$/; // no script writes these otherwise
const UNREAD = /^(password|hidden|button|submit|reset|image|file|range)$/;

// A button has no value, unless it is a switch, a checkbox or a radio button and says its state.
function isReadable(el) {
  if (!matches(el, VALUE_FIELDS) || isSecret(el)) return false;
  const isUnread = UNREAD.test(el.type);
  if (isUnread && (isField(el) || saidTick(el) === null)) return false;
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
  const isRadio = matches(el, RADIOS);
  const doubt = el.indeterminate ? "undecided_box" : isUnsaved(el) ? "changed_field" : "";
  if (isRadio) return addChoice(el, kind, { ...scope, regions }, doubt);
  add(kind, labelOfField(el), [el], { ...scope, regions }, { value: valueOfField(el), doubt });
}

// Reports a radio button that is on as the value of its group, and the first of a group in which
// none is on as an empty one. Buttons with several names are several groups under one legend.
function addChoice(el, kind, scope, doubt) {
  const group = call(el, "closest", "fieldset, [role=radiogroup]");
  const name = group ? nameOfSection(group) : "";
  const all = group ? findAll(group, RADIOS).filter(isReadable) : [];
  if (new Set(all.filter(isField).map((one) => one.name)).size > 1) return;
  const headings = scope.headings.filter(({ text }) => text !== name);
  const isOn = (one) => valueOfField(one) === "true";
  const isEmpty = el === all[0] && !all.some(isOn);
  const value = isOn(el) ? labelOfField(el) : "";
  if (isOn(el) || isEmpty) add(kind, name, [el], { ...scope, headings }, { value, doubt });
}

// Whether a field has something else than the page itself wrote into it: a draft, which may not be
// saved. A script that only writes it in another form keeps the digits, or the letters of a text.
function isUnsaved(el) {
  if (tagOf(el) === "SELECT") {
    return [...el.options].some((option) => option.defaultSelected && !option.selected);
  }
  if (isTickable(el)) return Boolean(el.defaultChecked) && !el.checked;
  const isChanged = el.defaultValue && el.value && el.value !== el.defaultValue;
  if (!isChanged || EXACT.test(el.type)) return Boolean(isChanged);
  const [written, now] = [el.defaultValue, el.value].map(charactersOf);
  return written !== now && !now.startsWith(written) && !written.startsWith(now);
}

// The digits of a text, or its letters if it has none.
function charactersOf(text) {
  return text.replace(/\D/g, "") || text.toLowerCase().replace(/[^\p{L}]/gu, "");
}

// What names a field for certain; nothing does where two fields have the same id.
function labelOfField(el) {
  const id = attributeOf(el, "id");
  const isOne = !id || findAll(call(el, "getRootNode"), `[id="${CSS.escape(id)}"]`).length === 1;
  const isNamedInside = call(el, "matches", "[role=checkbox], [role=switch], [role=radio]");
  const named = textOfOtherIds(el) || attributeOf(el, "aria-label");
  const added = isField(el) ? [...(el.labels ?? [])].map(addedWords) : [];
  const tied = isOne ? [textOfLabels(el), ...added].join(" ").trim() : "";
  const label = fold(named || tied || (isNamedInside ? textOf(el) : ""));
  const beside = label ? null : textBesideField(el);
  return beside?.isSure ? beside.text : label;
}

// A <label> names the field to which it is tied, or one beside it; it is then no label of a text, such as
// of the hint below the field.
function isLabelOfField(label) {
  const block = flatParent(label);
  return member(label, "control") || (block && hasInside(block, NAMED_FIELD));
}

function valueOfField(el) {
  if (/^(checkbox|radio)$/.test(el.type)) return String(el.checked);
  const state = saidTick(el);
  if (state !== null) return state;
  if (el.type === "color" && attributeOf(el, "value") === null) return ""; // that of a browser
  if (isField(el) && tagOf(el) !== "SELECT") return el.value;
  if (!isField(el)) return mayClear(el, textOf(el)) ? shownContent(el, roleOf(el)) : textOf(el);
  return [...el.selectedOptions].some((option) => option.value) ? chosenOptions(el) : "";
}

// The address that a search leads to, with {} for what would be typed. A form by GET may write, too: it
// must be called a search, or its field must be one and the form ask this very page again.
function addSearch(el, form, scope) {
  const address = member(form, "action");
  if (!el.name || !URL.canParse(address) || findAll(form, SENDING).length > 1) return;
  const isHere = new URL(address).pathname === location.pathname;
  if (!closest(el, "search, [role=search]") && !(el.type === "search" && isHere)) return;
  const query = new URLSearchParams(/** @type {any} */ (new FormData(form)));
  query.set(el.name, "{}");
  const url = Object.assign(new URL(address), { search: query.toString() }).href;
  const label = labelOfField(el) || el.placeholder || el.name;
  add("search", label, [el], scope, { value: "", url, doubt: "" });
}
