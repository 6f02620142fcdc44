// Uses: prelude/elements.js

/**
 * The rank of a heading, 1 for the highest; 0 for what is none.
 * @param {Element} el
 */
function headingLevel(el) {
  const role = attributeOf(el, "role");
  const own = role && role !== "heading" ? 0 : +(/^H([1-6])$/.exec(tagOf(el))?.[1] ?? 0);
  return own || role === "heading" ? +(attributeOf(el, "aria-level") || own || 2) : 0;
}
