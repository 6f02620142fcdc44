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
 * Whether the control around another one says its name: as its own, or as the value of a combobox.
 * @param {string} name
 * @param {Place} place
 */
function isSaidAround(name, { control }) {
  if (!control || control.name === name) return !!control;
  return isCombobox(control.el) && fieldValueOf(control.el, "combobox") === name;
}

/**
 * Whether a text only repeats the name of the field before it, with which it is alone in a part of
 * the page: it is its label, although nothing ties it to it.
 * @param {Element} el
 * @param {string} text
 * @param {Reading} reading
 */
function isNameOfFieldBefore(el, text, reading) {
  const [field, before] = [reading.elements.at(-1), reading.nodes.at(-1)];
  if (!field || !VALUE_ROLES.has(before.role) || before.name !== text) return false;
  let around = flatParent(el);
  for (let up = 0; around && up < LABEL_PARENTS; up++, around = flatParent(around))
    if (holds(around, field)) return flatText(around, ANY_FIELD) === text;
  return false;
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

// Whether a field in a label, or tied to it, has the label's text as its name. A field that refers to
// the label by its id has it anyway.
function isSaidByField(label) {
  const field = label.control;
  if (field && tagOf(field) === "SELECT" && isBehindChoice(field)) return true;
  if (!labelsField(label)) return false;
  return !field || nameOf(field, roleOf(field)) === shorten(textOfLabels(field));
}
