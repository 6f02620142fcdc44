// What tells radio buttons and checkboxes without a label of their own from one another: the picture
// beside them, what they stand for, and which of how many they are; of stars that are all called
// "star", the latter.

const TICK_ROLES = wordSet("radio checkbox switch");
const MAX_STANDS_FOR = 30; // characters
const OWN_MARK = /^(check|checked|checkmark|tick|unchecked|indeterminate|mixed|minus|dash|dot)$/;
const HAS_ROW = "tr, [role=row]"; // which tells them apart
const TICKS_OR_SWITCHES =
  "input[type=radio], input[type=checkbox], [role=radio], [role=checkbox], [role=switch]";
const RADIO_GROUPS = "[role=radiogroup], fieldset";
const GROUPS = "[role=radiogroup], [role=group], fieldset, form";

/**
 * @param {string} role One of TICK_ROLES
 * @param {string} name
 */
function tickHintsOf(el, role, name) {
  const group = member(el, "name") || "";
  if (name && name !== shorten(group)) return placeAmongNamesakes(el, role, name);
  if (closest(el, HAS_ROW)) return [];
  return [...standsFor(el), ...placeAmong(el, equalsOf(el, role, group))];
}

// What a field without a label of its own is called by its picture, or stands for.
function standsFor(el) {
  const found = isTickable(el) ? hintBeside(el) : hintOfParts(findAll(el, HINTED));
  const hint = found.split(" ").some((word) => OWN_MARK.test(word)) ? "" : found;
  const text = isTickable(el) && !hint ? fold(attributeOf(el, "value")) : "";
  const isWord = text.length <= MAX_STANDS_FOR && (/^\w{1,3}$/.test(text) || wordsOfNames(text)[0]);
  if (hint) return [`icon: ${hint}`];
  return isWord && text !== "on" ? [`stands for "${text}"`] : [];
}

/**
 * Which of how many a radio button is whose group has others of the same name.
 * @param {Element} el
 * @param {string} role
 * @param {string} name
 */
function placeAmongNamesakes(el, role, name) {
  const around = role === "radio" ? closest(el, RADIO_GROUPS) : null;
  if (!around) return [];
  const named = once(around, "namedRadios", namedRadiosNow);
  const namesakes = named.filter((one) => one.name === name);
  return placeAmong(
    el,
    namesakes.map((one) => one.radio),
  );
}

/**
 * Which of several an element is, if it is one of them.
 * @param {Element} el
 * @param {Element[]} equals
 */
function placeAmong(el, equals) {
  const at = equals.indexOf(el);
  return equals.length > 1 && at >= 0 ? [`${at + 1} of ${equals.length}`] : [];
}

/**
 * @param {Element} around
 * @returns {{ radio: Element, name: string }[]}
 */
function namedRadiosNow(around) {
  const radios = findAll(around, "input[type=radio], [role=radio]");
  const own = radios.filter(
    (radio) => isReachable(radio) && closest(radio, RADIO_GROUPS) === around,
  );
  return own.map((radio) => ({ radio, name: nameOf(radio, "radio") }));
}

// The hint of the picture in the label of a field, or of what follows it.
function hintBeside(field) {
  const next = member(field, "nextElementSibling");
  const around = field.labels?.[0] ?? (next && !hasInside(next, "input") ? next : null);
  if (!around) return "";
  const isLabel = tagOf(around) === "LABEL";
  return hintOfParts(isLabel ? findAll(around, HINTED) : [around, ...findAll(around, HINTED)]);
}

/**
 * The fields around one that have no name either, with the same name of their group.
 * @param {Element} el
 * @param {string} role
 * @param {string} group
 */
function equalsOf(el, role, group) {
  const around = closest(el, GROUPS);
  const root = around ?? member(document, "documentElement");
  const nameless = once(root, "namelessTicks", namelessTicksNow);
  const isEqual = (/** @type {Element} */ one) =>
    roleOf(one) === role &&
    (member(one, "name") || "") === group &&
    closest(one, GROUPS) === around;
  return nameless.filter((one) => isEqual(one) && !closest(one, HAS_ROW));
}

/**
 * @param {Element} around
 * @returns {Element[]}
 */
function namelessTicksNow(around) {
  return findAll(around, TICKS_OR_SWITCHES).filter((one) => {
    const name = isReachable(one) ? nameOf(one, roleOf(one)) : null;
    return name === "" || name === shorten(member(one, "name"));
  });
}
