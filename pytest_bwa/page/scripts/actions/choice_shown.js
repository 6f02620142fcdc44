/**
 * How a field shows what was chosen: in its own text, how often around it (a chip) and anywhere else
 * but in a list of options, and whether the option itself says that it is chosen.
 * @param {any} el
 * @param {[number | null, string]} choice The option's number; it may be gone. Its text
 */
function choiceShown(el, [number, text]) {
  const option = number === null ? null : numberedElement(documentKey(), number);
  const wanted = fold(text).toLowerCase();
  const list = option && (call(option, "closest", "[role=listbox]") ?? parentOf(option));
  const isSaid = (/** @type {string} */ found) => fold(found).toLowerCase().includes(wanted);
  const leaves = findAll(fieldBox(el), "*").filter((one) => {
    return !childrenOf(one).length && !(list && call(list, "contains", one)) && isShown(one);
  });
  const value = isSecret(el) ? "" : member(el, "value");
  const own = String(value || visibleText(el) || member(el, "textContent") || "");
  const checked = option && saidTick(option);
  const selected =
    option && attributeOf(call(option, "closest", "[aria-selected]") ?? option, "aria-selected");
  return {
    text: own,
    isOwn: isSaid(own),
    elsewhere: textsOfPage(wanted).filter((one) => !isOffered(one, list)).length,
    around: leaves.filter((one) => isSaid(visibleText(one) ?? "")).length,
    isMarked: selected === "true" || checked === "true",
  };
}

/**
 * Whether a text is one that may be chosen.
 * @param {Element} el
 * @param {Element | null} list
 */
function isOffered(el, list) {
  return !!list?.contains(el) || closest(el, "[role=option], [role=listbox], [role=menu]") !== null;
}
