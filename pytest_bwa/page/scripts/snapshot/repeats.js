// Uses: snapshot/controls.js
// Uses: snapshot/field_states.js

// What a control says already, and is not listed again.

/**
 * Whether a control says a text itself: as its name, or as what was chosen in it.
 * @param {string} text
 */
function isSaidBy(text) {
  return (/** @type {any} */ control) =>
    nameOf(control, roleOf(control)) === text ||
    (tagOf(control) === "INPUT" && isCombobox(control) && shownBeside(control) === text);
}

/**
 * Whether the name of what is around an element says its text, which nobody can see: a name may
 * be such a text.
 * @param {Element} el
 * @param {Place} place
 */
function isSaidByName(el, place) {
  const text = fold(member(el, "textContent")).toLowerCase();
  return place.spoken.toLowerCase() === text;
}

/**
 * Whether a field in a label, or tied to it, has the label's text as its name. A field that refers to
 * the label by its id has it anyway.
 * @param {any} label
 */
function isSaidByField(label) {
  const field = label.control;
  if (field && tagOf(field) === "SELECT" && isBehindChoice(field)) return true;
  if (!labelsField(label)) return false;
  return !field || nameOf(field, roleOf(field)) === shorten(textOfLabels(field));
}
