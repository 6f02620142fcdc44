/**
 * The numbers of the visible elements, outside of the given one, whose whole text is the given one in
 * any case; of nested ones the innermost.
 * @param {Element} el
 * @param {string} text
 */
function textsShown(el, text) {
  const wanted = fold(text).toLowerCase();
  const outside = textsOfPage(wanted).filter((found) => !call(el, "contains", found));
  return outside.map(numberOf);
}

/**
 * @param {string} wanted
 */
function textsOfPage(wanted) {
  const fits = paintedInside(document).filter((el) => {
    const text = member(el, "textContent");
    if (text.length > 3 * wanted.length + 100 || fold(text).toLowerCase() !== wanted) return false;
    return takesRoom(el);
  });
  return fits.filter((el) => !fits.some((one) => one !== el && holds(el, one)));
}
