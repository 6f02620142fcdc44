const FIELDS = "input, textarea, select";

/**
 * The element of a node of the browser's accessibility tree: its number, so that it can be acted on
 * like any other, and what the tree does not have. Null for what is inside a field: that is the
 * field's value, which is shown, or kept secret, with the field.
 * @param {Node} node
 */
function axElement(node) {
  const isElement = member(node, "nodeType") === Node.ELEMENT_NODE;
  const el = isElement ? node : (parentOf(node) ?? call(node, "getRootNode").host);
  const host = call(el, "getRootNode").host;
  if ((el !== node && call(el, "matches", FIELDS)) || host?.matches(FIELDS)) return null;
  if (!isPaintedAtAll(el) || (isElement && holdsStruck(el))) return null;
  const box = boxOf(el);
  const value = member(el, "value");
  const address = member(el, "href");
  const hasValue = value !== undefined && !isSecret(el) && tagOf(el) !== "LI";
  return toJsonText({
    number: numberOf(el),
    url: typeof address === "string" ? address : null,
    box: [box.left + scrollX, box.top + scrollY, box.width, box.height],
    value: hasValue ? String(value) : null,
    in_viewport: isInViewport(box),
  });
}

/**
 * Whether a person sees the element: the tree also has what is transparent, cut away or crossed out.
 * @param {Element} el
 */
function isPaintedAtAll(el) {
  if (isCutAway(el)) return false;
  for (let up = /** @type {Element | null} */ (el); up; up = flatParent(up)) {
    if (isStruck(up)) return false;
  }
  return isShownOrBoxless(el) || isBehindTwin(el);
}

/**
 * Whether a part of the element is crossed out, which the tree's name for it does not say.
 * @param {Element} el
 */
function holdsStruck(el) {
  return flatTexts.edited.has(el) && findAll(el, "*").some((part) => flatTexts.struck.has(part));
}
