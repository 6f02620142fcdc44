/**
 * The numbers of the visible elements, outside of the given one, whose whole text is the given one in
 * any case; of nested ones the innermost.
 * @param {Element} el
 * @param {string} text
 */
function textsShown(el, text) {
  const wanted = fold(text).toLowerCase();
  const outside = textsIn(document, wanted).filter((found) => !call(el, "contains", found));
  return outside.map(numberOf);
}

/**
 * @param {Node} root
 * @param {string} wanted
 * @returns {Element[]}
 */
function textsIn(root, wanted) {
  const all = findAll(root, "*");
  const fits = all.filter((el) => {
    const text = member(el, "textContent");
    if (text.length > 3 * wanted.length + 100 || fold(text).toLowerCase() !== wanted) return false;
    const box = boxOf(el);
    return isShown(el, RENDERED) && box.width > 0 && box.height > 0;
  });
  const innermost = fits.filter(
    (el) => !fits.some((one) => one !== el && call(el, "contains", one)),
  );
  const roots = all.map((el) => member(el, "shadowRoot")).filter(Boolean);
  return [...innermost, ...roots.flatMap((inner) => textsIn(inner, wanted))];
}
