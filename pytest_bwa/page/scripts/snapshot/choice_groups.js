// What tells choices of one name apart: the group that each stands in.

const CHOICE_ROLES = wordSet(
  "option radio checkbox switch menuitemradio menuitemcheckbox treeitem",
);
const CHOICES =
  "option, input, select, textarea, [role=option], [role=radio], [role=checkbox], [role=switch], " +
  "[role^=menuitem], [role=treeitem]";
const CHOICE_GROUPS = /^(group|radiogroup|rowgroup)$/;
const CHOICE_LISTS = /^(listbox|menu|menubar|tree|radiogroup|table|grid|row|dialog|form)$/;
const LEVELS_OF_GROUPS = 8;
const GROUP_LENGTH = 80;
const MAX_BEFORE = 500; // elements before a choice, among which the head of its group is

// What the group of a choice is called: its label, or the text that stands before its first choice;
// empty for none.
function groupOfChoice(el) {
  let inner = el;
  let up = flatParent(el);
  for (let n = 0; up && n < LEVELS_OF_GROUPS; n++) {
    const [tag, role] = [tagOf(up), roleOf(up)];
    const isGroup = tag === "FIELDSET" || CHOICE_GROUPS.test(role);
    const label = isGroup ? labelOfSection(up, tag, role) : "";
    const group = label || headBefore(inner);
    if (group) return fold(group, GROUP_LENGTH);
    if (CHOICE_LISTS.test(role) || /^(FORM|FIELDSET|SELECT|MAIN|BODY)$/.test(tag)) return "";
    inner = up;
    up = flatParent(up);
  }
  return "";
}

// What the group of an option of a <select> is called; empty for none.
function groupOfOption(option) {
  const group = call(option, "closest", "optgroup");
  return group ? fold(group.label, GROUP_LENGTH) : "";
}

// The group of what a <select> has chosen, and how many of its options are called like that.
function statesOfChosen(list) {
  const chosen = [...list.selectedOptions];
  const alike = (/** @type {any} */ option) =>
    [...list.options].filter((one) => fold(one.label) === fold(option.label)).length;
  if (chosen.length > 1) {
    const shared = chosen.filter((option) => groupOfOption(option) && alike(option) > 1);
    return shared.map((option) => `"${fold(option.label)}" of "${groupOfOption(option)}"`);
  }
  const [option] = chosen;
  if (!option || !fold(option.label)) return [];
  const group = groupOfOption(option);
  const states = group ? [`group="${group}"`] : [];
  const count = alike(option);
  return count > 1 ? [...states, `one of ${count} options of this name`] : states;
}

/**
 * The text before an element, over others with choices in them, that holds no choice itself.
 * @param {Element} el
 */
function headBefore(el) {
  let before = member(el, "previousElementSibling");
  for (let n = 0; before && n < MAX_BEFORE; n++) {
    const isChoice =
      tagOf(before) === "LABEL" || matches(before, CHOICES) || hasInside(before, CHOICES);
    const text = isChoice || !isShown(before) ? "" : partsOfRecord(before)[0];
    if (text) return text;
    before = member(before, "previousElementSibling");
  }
  return "";
}

/**
 * A choice as it is told from others: its number, its text, that part by part, its group, and the
 * value that its code has for it.
 * @returns {[number, string, string[], string, string]}
 */
function describedChoice(el) {
  const text = fold(holdsAdded(el) ? flatText(el) : visibleText(el));
  const label = fold(textOfIds(el, "aria-labelledby") || attributeOf(el, "aria-label"));
  const parts = label && label !== text ? [label, text] : partsOfRecord(el);
  const value = attributeOf(el, "data-value") ?? attributeOf(el, "value") ?? "";
  return [numberOf(el), text, parts, groupOfChoice(el), value];
}

/**
 * The same for the elements with these numbers.
 * @param {number[]} numbers
 */
function describedChoices(numbers) {
  const elements = numbers.map((number) => numberedElement(documentKey(), number));
  return elements.filter((el) => el !== null).map(describedChoice);
}

/**
 * Adds to choices of one name, outside of rows, which group each of them stands in.
 * @param {Reading} reading
 */
function markGroups({ nodes, elements }) {
  /** @type {Map<string, number[]>} */
  const byName = new Map();
  nodes.forEach(({ role, name, row }, at) => {
    if (!CHOICE_ROLES.has(role) || !name || row !== undefined) return;
    const key = `${role} ${name.toLowerCase()}`;
    byName.set(key, [...(byName.get(key) ?? []), at]);
  });
  for (const places of byName.values()) {
    if (places.length < 2) continue;
    const groups = places.map((at) => groupOfChoice(elements[at]));
    if (new Set(groups).size < 2) continue;
    places.forEach((at, n) => {
      if (groups[n]) nodes[at].states.push(`group="${groups[n]}"`);
    });
  }
}
