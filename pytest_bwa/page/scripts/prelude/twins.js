const FRAME_LEVELS = 3;

/** @param {Node} node */
function isTickable(node) {
  return tagOf(node) === "INPUT" && /^(checkbox|radio)$/.test(/** @type {any} */ (node).type);
}

/**
 * Whether the element takes part of the page that can be scrolled to.
 * @param {Element} el
 */
function hasArea(el) {
  const box = boxOf(el);
  if (box.width > 1 && box.height > 1) {
    if (box.right + scrollX > 0 && box.bottom + scrollY > 0) return true;
    if (isScrolledAway(el)) return true;
  }
  return isBoxless(el);
}

/**
 * Whether something around an element is scrolled: then it may stand before the page's beginning.
 * @param {Element} el
 */
function isScrolledAway(el) {
  for (let up = flatParent(el); up; up = flatParent(up)) {
    if (up !== document.scrollingElement && (up.scrollTop > 0 || up.scrollLeft > 0)) return true;
  }
  return false;
}

/** @param {Element} el */
function isCombobox(el) {
  return saidRole(el) === "combobox";
}

/**
 * What is painted in place of a field that is not: component libraries make theirs transparent, or
 * shrink them to nothing. Of a checkbox or radio button it is the label, of a combobox its frame.
 * @returns {Element | null}
 */
function twinOf(el) {
  if (isCombobox(el)) return frameOfCombobox(el);
  if (!isTickable(el) || (isShown(el) && hasArea(el))) return null;
  const painted = [...(el.labels ?? [])].filter((label) => isShown(label) && hasArea(label));
  return painted.some(saysItsState) ? null : (painted[0] ?? null);
}

/**
 * Whether a label is itself the switch or checkbox, and the field in it only its helper.
 * @param {Element} label
 */
function saysItsState(label) {
  return attributeOf(label, "aria-checked") !== null && saidRole(label) !== "";
}

/**
 * What is painted around a combobox that has no area of its own.
 * @param {Element} el
 */
function frameOfCombobox(el) {
  if (hasArea(el) || !isShown(el, RENDERED)) return null;
  let up = flatParent(el);
  for (let level = 0; up && level < FRAME_LEVELS; level++, up = flatParent(up)) {
    if (isShown(up) && hasArea(up)) return up;
  }
  return null;
}

/**
 * Whether a field is only the grey end of a word behind the one in which it is typed: nobody can reach
 * it, and the other is painted over it.
 * @param {any} el An <input>
 */
function isHintBehind(el) {
  if (!el.readOnly || el.tabIndex >= 0) return false;
  const over = member(el, "nextElementSibling");
  if (!over || tagOf(over) !== "INPUT") return false;
  const [own, other] = [boxOf(el), boxOf(over)];
  return ["left", "top", "right", "bottom"].every((side) => Math.abs(own[side] - other[side]) <= 2);
}

/**
 * Where a user sees an element. A slot has no box of its own.
 * @param {Element} el
 */
function markedBoxOf(el) {
  const tag = tagOf(el);
  if (tag === "SLOT") return boxOf(twinOf(el) ?? flatParent(el) ?? el);
  return boxOf((tag === "INPUT" || isCombobox(el) ? twinOf(el) : null) ?? el);
}

// Whether a checkbox or radio button is there for its user although nothing of its own is painted.
function isBehindTwin(el) {
  if (!isTickable(el)) return false;
  if (twinOf(el)) return true;
  const parent = parentOf(el);
  return !!parent && isShown(el, RENDERED) && hasArea(el) && isShown(parent);
}

// Whether a user can reach an element: it is painted, or a transparent field whose look is made by
// what is painted with it. A transparent field of text may be there for robots.
function isReachable(el) {
  if (isShown(el) || isBehindTwin(el)) return true;
  if (isCombobox(el) && twinOf(el)) return true;
  const isChoice = tagOf(el) === "SELECT" || isCombobox(el);
  if (!isChoice && !(tagOf(el) === "INPUT" && /^(file|range)$/.test(el.type))) return false;
  const parent = parentOf(el);
  return !!parent && isShown(el, RENDERED) && hasArea(el) && isShown(parent);
}
