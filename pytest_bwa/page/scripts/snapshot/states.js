const VALUE_LENGTH = 200;
const ARIA_STATES = ["selected", "expanded", "pressed", "current", "checked", "busy"].map(
  (state) => ({ state, attribute: `aria-${state}` }),
);
const SHOWS_SOMETHING = "a, button, input, textarea, select, svg, img, canvas, iframe, i, [role]";
const CLEARS = /[×✕✖⨯]/; // the signs that clear a choice
const VALUE_ROLES = wordSet("textbox searchbox spinbutton slider combobox");
// Roles with a text of their own.
const SHOWN_TEXT = wordSet("button link tab menuitem option clickable spinbutton");

/**
 * What a field contains; null if it is empty, secret or no field.
 * @param {string} role
 * @returns {string | null}
 */
function fieldValueOf(el, role) {
  const value = wholeValueOf(el, role);
  if (value === null || !holdsLines(el)) return value && shorten(value, VALUE_LENGTH);
  if (value.length <= LINES_LENGTH) return value;
  cutTexts++;
  return `${cutText(value, LINES_LENGTH - 1)}…`;
}

/**
 * @param {string} role
 * @returns {string | null}
 */
function wholeValueOf(el, role) {
  if (tagOf(el) === "SELECT") return chosenOptions(el);
  const isMeter = role === "progressbar" || role === "meter";
  if (!(isMeter || VALUE_ROLES.has(role)) || isSecret(el)) return null;
  if (holdsLines(el)) return valueInLines(el) || null;
  const value = ariaValueOf(el) ?? (isMeter ? attributeOf(el, "value") : shownContent(el, role));
  return value || null;
}

/**
 * What a field contains; of a combobox with buttons or signs in it, such as one that clears it, what
 * it shows beside them.
 * @param {string} role
 */
function shownContent(el, role) {
  if (role !== "combobox" || isField(el)) return contentOf(el);
  const hasButtons = hasInside(el, NOT_SHOWN_VALUES);
  const whole = hasButtons ? flatText(el, NOT_SHOWN_VALUES).replaceAll("\n", ", ") : contentOf(el);
  if (!mayClear(el, whole)) return whole;
  const parts = textBesideSigns(el).split("\n");
  return (
    parts
      .map((part) => fold(part))
      .filter(Boolean)
      .join(", ") || whole
  );
}

/**
 * The text of a combobox, with a line break where an element is nothing but the sign that clears a choice.
 * @returns {string}
 */
function textBesideSigns(node) {
  const isElement = node.nodeType === Node.ELEMENT_NODE;
  if (isElement && matches(node, NOT_SHOWN_VALUES)) return "\n";
  const text = flatText(node);
  if (!isElement || !mayClear(node, text)) return text;
  const isSign = fold(member(node, "textContent") || text).length === 1;
  return isSign ? "\n" : flatChildren(node).map(textBesideSigns).join("");
}

/**
 * Whether a sign that clears a choice may stand in an element. A picture may be painted over it, and its
 * tooltip be its text.
 * @param {Element} el
 * @param {string} text What the element shows
 */
function mayClear(el, text) {
  return CLEARS.test(text) || CLEARS.test(member(el, "textContent"));
}

/**
 * How long a field's value is of which the list shows only the beginning.
 * @param {string} role
 * @param {string | null} value As it is shown
 */
function lengthOfCutValue(el, role, value) {
  const limit = holdsLines(el) ? LINES_LENGTH : VALUE_LENGTH;
  if ((value?.length ?? 0) < limit - 1) return []; // a whole character may be cut off too
  const whole = wholeValueOf(el, role) ?? "";
  const { length } = holdsLines(el) ? whole : fold(whole);
  return length > limit ? [`${withCommas(length)} characters`] : [];
}

// Whether what an element contains may have several lines: a text area, or an editor.
function holdsLines(el) {
  const isEditor = member(el, "isContentEditable") && ariaValueOf(el) === null;
  return tagOf(el) === "TEXTAREA" || (isEditor && !isField(el)) || isFieldOfEditor(el);
}

// What a text area or an editor contains, with its line breaks and indentation.
function valueInLines(el) {
  const own = tagOf(el) === "TEXTAREA" ? el.value : visibleText(el);
  const text = own.trim() ? own : linesOfEditor(el);
  const lines = text.split("\n").map((line) => line.replace(/\s/g, " ").trimEnd());
  // An editor has a line break between two paragraphs that nobody typed.
  const kept = tagOf(el) === "TEXTAREA" ? lines : lines.filter(Boolean);
  return kept
    .join("\n")
    .replace(/^\n+|\n+$/g, "")
    .replaceAll("\n", " ⏎ ");
}

/**
 * @param {string} role
 * @param {string} name
 */
function statesOf(el, role, name) {
  /** @type {string[]} */
  const states = [];
  if (CHECKED_ROLES.has(role)) {
    states.push(`checked=${checkedOf(el)}`);
  }
  const isSaid = hasAria(el); // of few elements: for the others, nothing more is asked
  if (isSaid) addAriaStates(el, states);
  if (role === "tab" && namesShownPanel(el)) states.push("selected=true");
  const tag = tagOf(el);
  if (tag === "DETAILS" || tag === "SUMMARY") {
    states.push(`expanded=${(tag === "SUMMARY" ? parentOf(el) : el)?.open === true}`);
  }
  if (isControlRole(role)) {
    if (isDisabled(el)) states.push("disabled");
    addCellStates(el, states);
  }
  const own = tag === "FORM" ? null : el; // its fields may hide what it has, and it has neither
  if (own?.required || (isSaid && attributeOf(el, "aria-required") === "true"))
    states.push("required");
  if (own?.readOnly || (isSaid && attributeOf(el, "aria-readonly") === "true"))
    states.push("readonly");
  const isNative = isField(el);
  const problem = isSaid || isNative ? problemOf(el) : "";
  if (problem) states.push(problem);
  if (VALUE_ROLES.has(role) || isNative) states.push(...fieldStatesOf(el, role, name));
  if (role === "text") states.push(...blanksAtEnd(el));
  if (role === "text" && tag === "DT" && isUndescribed(el)) states.push("no value");
  if (role === "clickable" || role === "button") states.push(...[optionsOf(el)].filter(Boolean));
  if (SHOWN_TEXT.has(role)) states.push(...hiddenTextOf(el, name, role));
  if (role === "row" && isSaid) states.push(...labelBesideText(el, name));
  return states;
}

/**
 * How deep an entry of a tree stands; 0 for the outermost, and for what is in no tree.
 * @param {string} role
 */
function depthOf(el, role) {
  if (role !== "treeitem" && role !== "row") return 0;
  let depth = Number(attributeOf(el, "aria-level"));
  if (!depth && role === "treeitem") {
    for (let up = el; up; up = flatParent(up)) depth += Number(saidRole(up) === "treeitem");
  }
  return depth > 1 ? depth : 0;
}

/**
 * Whether a term has a description that shows nothing: the next term is not what describes it.
 * @param {Element} el
 */
function isUndescribed(el) {
  let next = member(el, "nextElementSibling");
  if (!next || tagOf(next) !== "DD") return false;
  for (; next && tagOf(next) === "DD"; next = member(next, "nextElementSibling"))
    if (flatText(next) || hasInside(next, SHOWS_SOMETHING) || !isShown(next) || paintsSign(next))
      return false;
  return true;
}

function isTicked(el) {
  return member(el, "checked") ?? saidTick(el) === "true";
}

// Whether it is on; "mixed" if it is neither on nor off
function checkedOf(el) {
  const said = saidTick(el);
  if (member(el, "indeterminate") === true || said === "mixed") return "mixed";
  return isTicked(el);
}

/** @param {Element} el */
function isDisabled(el) {
  if (matches(el, ":disabled")) return true; // also by its fieldset
  return !!member(el, "disabled") || !!closest(el, "[aria-disabled=true]");
}

/**
 * @param {Element} el
 * @param {string[]} states
 */
function addAriaStates(el, states) {
  const hasChecked = states.length > 0;
  const isSaidPressed = hasChecked && attributeOf(el, "aria-checked") === null;
  const isDisclosure = /^(DETAILS|SUMMARY)$/.test(tagOf(el)); // its state is the browser's
  for (const { state, attribute } of ARIA_STATES) {
    const value = attributeOf(el, attribute);
    if (!value || (state === "checked" && hasChecked)) continue;
    if (state === "pressed" && isSaidPressed) continue; // it is the tick
    if (value === "false" && state === "busy") continue;
    if (state === "expanded" && isDisclosure) continue;
    states.push(`${state}=${value}`);
  }
}

/**
 * Whether a tab is the open one, where only its panel says so.
 * @param {Element} el
 */
function namesShownPanel(el) {
  const id = attributeOf(el, "id");
  if (!id || attributeOf(el, "aria-selected") !== null) return false;
  const css = `[role=tabpanel][aria-labelledby~="${CSS.escape(id)}"]`;
  return findAll(call(el, "getRootNode"), css).some((panel) => isShown(panel));
}

/**
 * What the cell around a control says of it: a column is sorted, a day is chosen.
 * @param {Element} el
 * @param {string[]} states
 */
function addCellStates(el, states) {
  const cell = closest(el, "[aria-sort], td, [role=gridcell]");
  if (!cell) return;
  const sort = attributeOf(cell, "aria-sort");
  if (sort) states.push(`sort=${sort}`);
  const isSelected = cell !== el && attributeOf(cell, "aria-selected") === "true";
  if (!isSelected || attributeOf(el, "aria-selected") !== null) return;
  const isAlone = fold(member(cell, "textContent")) === fold(member(el, "textContent"));
  if (isAlone) states.push("selected=true");
}

// What is wrong with a field's value, in the page's or the browser's words. Where no form asks the
// browser before it is sent, nothing shows the browser's words, and they stop nothing.
function problemOf(el) {
  const said = attributeOf(el, "aria-invalid");
  const isFlawed = isField(el) && call(el, "matches", ":user-invalid");
  const isRefused = isFlawed && el.form?.noValidate === false;
  if (!isRefused && (!said || said === "false")) {
    const words = isFlawed ? shorten(el.validationMessage, NOTE_LENGTH) : "";
    return words && `only the browser says "${words}"`;
  }
  const message = textOfIds(el, "aria-errormessage") || (isRefused ? el.validationMessage : "");
  const text = shorten(message, NOTE_LENGTH);
  return text ? `invalid="${text}"` : `invalid=${said ?? "true"}`;
}
