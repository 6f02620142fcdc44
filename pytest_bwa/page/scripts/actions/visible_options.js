/**
 * The numbers of the visible options of all lists of the document that are built of other elements
 * than <select>.
 */
function visibleOptions() {
  return optionsIn(document).map(numberOf);
}

/**
 * @param {Node} root
 */
function optionsIn(root) {
  return paintedInside(root).filter((el) => attributeOf(el, "role") === "option" && takesRoom(el));
}
