// Uses: prelude/elements.js

/**
 * Whether several options of a <select> can be chosen, and of each its label, its value and whether it
 * is chosen; null for any other element.
 * @param {any} el
 */
function selectOptions(el) {
  if (tagOf(el) !== "SELECT") return null;
  const options = [...el.options].map((one) => [one.label.trim(), one.value, one.selected]);
  return { multiple: el.multiple, options };
}
