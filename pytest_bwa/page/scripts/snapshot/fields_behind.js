// The hidden field that a control of a library is painted in place of.

const CHOICE_PARENTS = 3;
const EDITOR_PARENTS = 7; // between a rich text editor and what is beside the field it stands for

// The <select> that a combobox is painted in place of: libraries put theirs beside it, and hide it.
function choiceBehind(el) {
  if (!isCombobox(el) || isField(el)) return null;
  return findBeside(el, CHOICE_PARENTS, (beside) => {
    const isHidden = attributeOf(beside, "aria-hidden") === "true";
    return tagOf(beside) === "SELECT" && (isHidden || !isShown(beside) || !hasArea(beside));
  });
}

/**
 * The hidden <select> with the options of what is painted for it, and shows its chosen one. One with a
 * single option may get the others when it is opened, as all lists that are no <select> may.
 * @param {Element} el
 */
function offeredBehind(el) {
  const select = mayHave("select") ? (choiceBehind(el) ?? selectShownBy(el)) : null;
  return select && select.options.length > 1 ? select : null;
}

/** @param {Element} el */
function selectShownBy(el) {
  if (isField(el)) return null;
  const shown = fold(flatText(el));
  return findBeside(el, 1, (beside) => {
    if (tagOf(beside) !== "SELECT" || isReachable(beside)) return false;
    const chosen = fold(chosenOptions(beside));
    return chosen !== "" && shown.includes(chosen);
  });
}

/**
 * The field with a label of which another is painted in the place, such as a rich text editor or the
 * box of a list of tags: it is hidden.
 * @param {(field: any) => boolean} isLabelled
 */
function sourceBehind(el, isLabelled) {
  const isEditor = !isField(el) && member(el, "isContentEditable");
  const isText = tagOf(el) === "INPUT" && el.type === "text" && isShown(el);
  if (!isEditor && !isText) return null;
  const isHidden = (beside) => beside.type === "hidden" || !isShown(beside);
  return findBeside(el, isEditor ? EDITOR_PARENTS : CHOICE_PARENTS, (beside) => {
    const isSource = /^(INPUT|TEXTAREA)$/.test(tagOf(beside)) && isHidden(beside);
    return isSource && isLabelled(beside);
  });
}

/**
 * The first element right beside one, or right beside what is around it, that is accepted.
 * @param {number} levels
 * @param {(beside: any) => boolean} isAccepted
 */
function findBeside(el, levels, isAccepted) {
  for (let up = el, level = 0; up && level < levels; level++, up = flatParent(up)) {
    for (const name of ["previousElementSibling", "nextElementSibling"]) {
      const beside = member(up, name);
      if (beside && isAccepted(beside)) return beside;
    }
  }
  return null;
}

// Whether a combobox is painted in place of a <select>.
function isBehindChoice(select) {
  return ["previousElementSibling", "nextElementSibling"].some((name) => {
    const beside = member(select, name);
    if (!beside) return false;
    const inside = findAll(beside, "[role=combobox]");
    return [beside, ...inside].some((one) => choiceBehind(one) === select);
  });
}
