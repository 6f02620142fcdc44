const HOLDERS = "[role=combobox], [aria-haspopup=listbox], input";

/**
 * The visible options of the list that belongs to the element: it is inside of it or named by it,
 * or it has appeared since `before`. Empty if there is none, or if several lists have appeared.
 * @param {Element} el
 * @param {number[]} before The visible options before the element was clicked
 * @returns {ReturnType<typeof describedChoice>[]}
 */
function ownOptions(el, before) {
  let own = listsOf(el).flatMap(optionsIn);
  if (!own.length) {
    own = optionsIn(document).filter((option) => !before.includes(numberOf(option)));
    const lists = new Set(own.map((option) => call(option, "closest", "[role=listbox]")));
    if (lists.size !== 1) return [];
  }
  return [...new Set(own)].map(describedChoice);
}

/**
 * The element itself, and what it, or a field inside or around it, says that it controls.
 * @param {Element} el
 * @returns {Element[]}
 */
function listsOf(el) {
  const around = call(el, "closest", "[role=combobox]");
  const holders = [el, ...findAll(el, HOLDERS), ...(around ? [around] : [])];
  const ids = (/** @type {Element} */ holder) =>
    `${attributeOf(holder, "aria-controls") ?? ""} ${attributeOf(holder, "aria-owns") ?? ""}`;
  const named = holders.flatMap((holder) => ids(holder).split(/\s+/).filter(Boolean));
  const root = call(el, "getRootNode");
  const find = (/** @type {string} */ id) =>
    call(root, "getElementById", id) ?? call(document, "getElementById", id);
  return [el, ...named.map(find).filter(Boolean)];
}
