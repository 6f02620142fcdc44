// Uses: prelude/elements.js

/**
 * Label and value of the options of a <select>; null for any other element.
 * @param {any} el
 */
function selectOptions(el) {
  if (tagOf(el) !== "SELECT") return null;
  return [...el.options].map((option) => [option.label.trim(), option.value]);
}
