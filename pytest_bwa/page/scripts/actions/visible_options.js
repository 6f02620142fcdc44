/**
 * The numbers of the visible options of all lists of the document that are built of other elements
 * than <select>.
 */
function visibleOptions() {
  return optionsIn(document).map(numberOf);
}

/**
 * @param {Node} root
 * @returns {Element[]}
 */
function optionsIn(root) {
  const isVisible = (/** @type {Element} */ option) => {
    const box = boxOf(option);
    return isShown(option, RENDERED) && box.width > 0 && box.height > 0;
  };
  const inside = findAll(root, "*").map((el) => member(el, "shadowRoot"));
  const own = member(root, "shadowRoot");
  const roots = [own, ...inside].filter(Boolean);
  return [...findAll(root, "[role=option]").filter(isVisible), ...roots.flatMap(optionsIn)];
}
