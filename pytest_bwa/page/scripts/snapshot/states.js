// Uses: prelude/elements.js
// Uses: prelude/secrets.js
// Uses: snapshot/names.js

const VALUE_LENGTH = 200;
const NOTE_LENGTH = 120;
const ARIA_STATES = ["selected", "expanded", "pressed", "current", "checked", "invalid", "busy"];
const INPUT_TYPES_SHOWN = /^(file|date|time|email|number|datetime-local|month)$/;

/**
 * What a field contains; null if it is empty, secret or no field.
 * @param {any} el
 * @param {string} role
 * @returns {string | null}
 */
function fieldValueOf(el, role) {
  if (tagOf(el) === "SELECT") return shorten(chosenOptions(el), VALUE_LENGTH);
  if (isSecret(el) || !/^(textbox|searchbox|spinbutton|slider|combobox)$/.test(role)) return null;
  const value = contentOf(el);
  return value ? shorten(value, VALUE_LENGTH) : null;
}

/**
 * @param {any} el
 * @param {string} role
 */
function statesOf(el, role) {
  /** @type {string[]} */
  const states = [];
  if (role === "checkbox" || role === "radio" || role === "switch") {
    states.push(`checked=${member(el, "checked") ?? attributeOf(el, "aria-checked") === "true"}`);
  }
  addAriaStates(el, states);
  const tag = tagOf(el);
  if (tag === "DETAILS" || tag === "SUMMARY") {
    states.push(`expanded=${(tag === "SUMMARY" ? parentOf(el) : el)?.open === true}`);
  }
  if (member(el, "disabled") || attributeOf(el, "aria-disabled") === "true")
    states.push("disabled");
  if (member(el, "required") || attributeOf(el, "aria-required") === "true")
    states.push("required");
  if (member(el, "readOnly")) states.push("readonly");
  if (isSecret(el)) states.push(el.value ? "password, filled" : "password, empty");
  else if (tag === "INPUT" && INPUT_TYPES_SHOWN.test(el.type)) states.push(el.type);
  return states;
}

/**
 * @param {Element} el
 * @param {string[]} states
 */
function addAriaStates(el, states) {
  const hasChecked = states.length > 0;
  for (const state of ARIA_STATES) {
    const value = attributeOf(el, `aria-${state}`);
    if (!value || (state === "checked" && hasChecked)) continue;
    if (value === "false" && (state === "invalid" || state === "busy")) continue;
    states.push(`${state}=${value}`);
  }
}

/**
 * What describes the element beyond its name.
 * @param {Element} el
 * @param {string} name
 */
function noteOf(el, name) {
  const note = shorten(
    textOfIds(el, "aria-describedby") ||
      attributeOf(el, "aria-description") ||
      attributeOf(el, "title"),
    NOTE_LENGTH,
  );
  return note && note !== name ? note : null;
}
