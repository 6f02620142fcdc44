const OPTIONS_LENGTH = 200; // characters of the options that are shown
const PLACEHOLDER_LENGTH = 60;
const NOT_SHOWN_VALUES = "label, button, [role=button][aria-label], [role=listbox]";
const SHOWN_HEIGHT = 100; // pixels of a combobox with what it shows
const INPUT_TYPES_SHOWN = /^(file|email|number|color|tel|url)$/;
/** @type {Record<string, string>} */
const FORMATS = {
  date: "YYYY-MM-DD",
  time: "HH:MM",
  "datetime-local": "YYYY-MM-DDTHH:MM",
  month: "YYYY-MM",
  week: "YYYY-Www",
};

/**
 * What a field takes, and whether it has something.
 * @param {string} role
 * @param {string} name
 * @returns {string[]}
 */
function fieldStatesOf(el, role, name) {
  const states = [];
  const tag = tagOf(el);
  const type = tag === "INPUT" ? el.type : "";
  if (isSecret(el)) states.push(el.value ? "password, filled" : "password, empty");
  else if (FORMATS[type]) states.push(type, `takes ${FORMATS[type]}`);
  else if (INPUT_TYPES_SHOWN.test(type)) states.push(type);
  if (type === "file") states.push(...filesOf(el));
  if (isTickable(el) || isSecret(el) || /^(button|submit|reset|image)$/.test(type)) return states;
  if (holdsLines(el) || attributeOf(el, "aria-multiline") === "true") states.push("multi-line");
  if (/^(range|number)$/.test(type)) states.push(...limitsOf(el));
  const shown = tag === "INPUT" && role === "combobox" && !el.value ? shownBeside(el) : "";
  if (shown) states.push(`shows "${shown}"`);
  else if (tag !== "SELECT" && isEmptyField(el)) states.push("empty");
  if (/^(INPUT|TEXTAREA)$/.test(tag)) states.push(...unshownBlanks(el.value, tag === "TEXTAREA"));
  const placeholder = shortened(attributeOf(el, "placeholder"), PLACEHOLDER_LENGTH);
  if (placeholder && placeholder !== name && !contentOf(el)) {
    states.push(`placeholder="${placeholder}"`);
  }
  if (tag === "SELECT" && el.multiple) states.push("multiple");
  if (tag === "SELECT") states.push(...statesOfChosen(el));
  const options = optionsOf(el);
  if (options) states.push(options);
  if (el === focusedField()) states.push("focused");
  return states;
}

// The names of the files that a field holds, and whether it takes several
function filesOf(el) {
  const names = [...el.files].map((file) => `"${file.name}"`);
  const holds = names.length ? [`holds ${names.join(", ")}`] : [];
  return el.multiple ? ["multiple", ...holds] : holds;
}

function isEmptyField(el) {
  return !contentOf(el).trim() && !ariaValueOf(el) && !linesOfEditor(el);
}

// What a control of a library says of its value. Of a field that paints what it contains, libraries
// leave an earlier one there.
function ariaValueOf(el) {
  if (tagOf(el) === "INPUT" && el.type !== "range") return null;
  return attributeOf(el, "aria-valuetext") || attributeOf(el, "aria-valuenow");
}

function limitsOf(el) {
  return ["min", "max", "step"].filter((name) => el[name]).map((name) => `${name}=${el[name]}`);
}

/**
 * A text of the page that is no value of a field, and may be cut without notice.
 * @param {string | null} text
 * @param {number} max
 */
function shortened(text, max) {
  return fold(text, max, "…");
}

// The options that a field offers, or the first and how many there are.
function optionsOf(el) {
  const list = tagOf(el) === "SELECT" ? el : tagOf(el) === "INPUT" ? el.list : offeredBehind(el);
  const named = list ? [...list.options].map(asOffered).filter(({ text }) => text) : [];
  if (!named.length) return "";
  const isGrouped = named.some(({ group }) => group);
  // The signs between two options are none inside of one.
  const signs = isGrouped ? /[|;:]/ : /\|/;
  const isQuoted = named.some(({ text }) => signs.test(text));
  let shown = "";
  for (const [at, { text, group }] of named.entries()) {
    const before = at ? named[at - 1]?.group : "";
    const mark = at ? (group === before ? " | " : "; ") : "";
    const begin = group && group !== before ? `${group}: ` : "";
    const next = `${mark}${begin}${isQuoted ? `"${text}"` : text}`;
    if (shown.length + next.length > OPTIONS_LENGTH) return `${named.length} options: ${shown} | …`;
    shown += next;
  }
  return `options: ${shown}`;
}

// What an option is called, with what is only said of it, and the group that it stands in.
function asOffered(option) {
  const text = fold(option.label || option.value);
  const said = fold(attributeOf(option, "aria-label"));
  return {
    text: said && said !== text ? `${text} (label: ${said})` : text,
    group: groupOfOption(option),
  };
}

/**
 * What a combobox shows beside the field in which one types: the option that was chosen, or a hint.
 * @param {Element} el
 */
function shownBeside(el) {
  let around = flatParent(el);
  for (let up = 0; around && up < LABEL_PARENTS; up++, around = flatParent(around)) {
    if (findAll(around, ANY_FIELD).length > 1 || boxOf(around).height > SHOWN_HEIGHT) return "";
    const lines = flatText(around, NOT_SHOWN_VALUES).replaceAll("\n", ", ");
    if (lines) return shortened(lines, PLACEHOLDER_LENGTH);
  }
  return "";
}
