/** @type {Record<string, number>} */
const HEADING_TAGS = { H1: 1, H2: 2, H3: 3, H4: 4, H5: 5, H6: 6 };

/**
 * The rank of a heading, 1 for the highest; 0 for what is none.
 * @param {Element} el
 */
function headingLevel(el) {
  return once(el, "headingLevel", headingLevelNow);
}

/** @param {Element} el */
function headingLevelNow(el) {
  const role = saidRole(el);
  const own = role && role !== "heading" ? 0 : (HEADING_TAGS[tagOf(el)] ?? 0);
  return own || role === "heading" ? +(attributeOf(el, "aria-level") || own || 2) : 0;
}
