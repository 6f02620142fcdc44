const MAX_LEVELS = 4;
const OTHER_CONTROLS = "input, select, textarea, button, [role=combobox], a[href]";

/**
 * The part of the page that makes up one field: the outermost of a few elements around it that holds
 * no other control.
 * @param {Element} el
 */
function fieldBox(el) {
  let outer = el;
  for (let n = 0; n < MAX_LEVELS; n++) {
    const up = flatParent(outer);
    if (!up || /^(BODY|HTML|FORM)$/.test(tagOf(up))) break;
    const others = findAll(up, OTHER_CONTROLS).filter((one) => {
      return one !== el && !call(one, "contains", el) && !call(el, "contains", one);
    });
    if (others.length) break;
    outer = up;
  }
  return outer;
}

/**
 * Whether the pointer hits another part of the same field in place of the element, as where a styled
 * text lies over an input.
 * @param {Element} el
 */
function ownSurface(el) {
  const box = boxOf(el);
  const hit = call(document, "elementFromPoint", box.x + box.width / 2, box.y + box.height / 2);
  return !!hit && !call(el, "contains", hit) && call(fieldBox(el), "contains", hit);
}
