const LANDMARKS = wordSet("navigation banner contentinfo");
const TEXTLESS_ROLES = wordSet("table row img"); // whose own text is read otherwise

/**
 * What an element inherits from the elements that it is in.
 * @typedef {object} Place
 * @property {string} landmark navigation, banner or contentinfo, if it is in one
 * @property {boolean} covered whether a link, row or the like above it already repeats its text
 * @property {string} spoken the name above it that repeats its text
 * @property {boolean} named whether a named button or the like above it speaks for its pictures
 * @property {boolean} pointer whether something above it is a control, or shows its pointer
 * @property {{ el: Element, name: string } | null} control the innermost control that it is in
 * @property {Element[]} controls the controls in it, if it is one itself
 * @property {boolean} pressed whether it is a heading or a row that can be pressed
 * @property {boolean} behind whether an open dialog covers it
 * @property {Set<Element>} items the entries of a list around it that reacts as a whole
 * @property {boolean} struck whether something above it is crossed out
 * @property {boolean} loading whether it is a part of a placeholder
 * @property {string[]} regions the regions that it is in, the outermost first
 * @property {PageRecord | null} record the innermost record that it is in
 */
/** @type {Place} */
const TOP_PLACE = {
  landmark: "",
  spoken: "",
  ...{ covered: false, named: false, pointer: false, pressed: false },
  ...{ behind: false, struck: false, loading: false },
  ...{ control: null, controls: [], items: new Set() },
  ...{ regions: [], record: null },
};

/**
 * Adds the element and everything in it to the reading.
 * @param {Place} place
 * @param {Reading} reading
 */
function walk(el, place, reading) {
  reading.counts.all++;
  const tag = tagOf(el);
  if (UNPAINTED.has(tag) || (hasAttributes(el) && isMarkedHidden(el, tag))) return;
  const { modal } = reading;
  if (modal.el && !place.behind && modal.covers(el)) place = { ...place, behind: true };
  if (tag === "CANVAS" || tag === "IMG") countPicture(el, tag, place, reading);
  if (tag !== "SLOT" && !isShownOrBoxless(el) && !isReachable(el)) return;
  if (tag === "INPUT" && isHintBehind(el)) return;
  if (!INLINE_TAGS.has(tag) && isFoldedAway(el)) return;
  if (tag === "IFRAME") {
    reading.frames.push([numberOf(el), reading.nodes.at(-1)?.number ?? null, place.behind]);
  }
  if (tag === "SVG") {
    addDrawing(el, place, reading);
    addShapes(el, place, reading);
    return;
  }
  let role = roleOf(el);
  if (role === "row" && isLayoutRow(el)) role = "";
  const inside = placeInside(el, role, place, reading);
  inside.covered ||= tag === "LABEL" && isSaidByField(el);
  inside.covered &&= !unpainted.has(el) || isSaidByName(el, inside);
  const pressed = pressedRole(el, role, place, inside);
  const before = reading.outline;
  enterSection(el, tag, role, reading);
  const at = reading.nodes.length;
  const only = role === "status" ? onlyControlIn(el) : null;
  inside.pressed ||= only !== null;
  const listed = only && isInteractive(only) ? "" : (pressed ?? role);
  const name = LISTED_ROLES.has(listed) ? addElement(el, listed, inside, reading) : "";
  if (reading.nodes.length === at) addPicture(el, tag, inside, reading);
  if (hasAttributes(el)) addGroup(el, inside, reading);
  addScroller(el, inside, reading);
  if (tag === "SELECT" || tag === "TEXTAREA" || role === "textbox") return;
  if (!inside.covered && !inside.struck && !TEXTLESS_ROLES.has(role)) {
    addOwnText(el, inside, reading);
  } else if (inside.struck) addStruck(el, inside, reading);
  if (foundElements.has(el)) addFound(el, inside, reading);
  walkInside(el, tag, inside, reading);
  if (role === "row") completeRow(el, at, reading);
  if (role === "heading" && name) {
    enterHeading(headingLevel(el), name, reading);
  } else if (reading.outline !== before) reading.outline = outlineAfter(el, before, reading);
}

/**
 * Whether an element is hidden, or screen readers pass it over; a drawing that reacts to a press is a
 * control anyway.
 * @param {string} tag
 */
function isMarkedHidden(el, tag) {
  if (attributeOf(el, "hidden") !== null) return true;
  if (attributeOf(el, "aria-hidden") !== "true") return false;
  return tag !== "SVG" || !listensToPress(el);
}

/**
 * "clickable" for an element that can be pressed although its role does not say so; null for others.
 * @param {string} role
 * @param {Place} place
 * @param {Place} inside What the elements in it inherit; changed if it reacts for them
 */
function pressedRole(el, role, place, inside) {
  inside.pointer ||= INTERACTIVE_ROLES.has(role) || hasPointer(el);
  const press = pressOf(el, role, place, inside);
  if (!press) return null;
  const controls = controlsIn(el);
  if (!isOneControl(el, press, controls)) return null;
  inside.pointer = true;
  const items = entriesOf(el, press);
  inside.items = new Set([...items, ...controls.filter((inner) => tagOf(inner) === "LI")]);
  if (items.length) return null;
  inside.controls = controls;
  return "clickable";
}

// Whether a closed list or panel, which has no height or no width, hides what is in it.
function isFoldedAway(el) {
  const style = styleOf(el);
  const { overflowX, overflowY } = style;
  // Most elements hide nothing, and to ask for their style costs less than for their size.
  if (overflowX === "visible" && overflowY === "visible") return false;
  if (el.offsetHeight !== 0 && el.offsetWidth !== 0) return false;
  if (!childrenOf(el).length && !hasOwnText(el)) return false;
  const { display } = style;
  const hidden = el.offsetHeight === 0 ? overflowY : overflowX;
  if (!/hidden|clip/.test(hidden) || /^(inline|contents)$/.test(display)) return false;
  return tagOf(el) !== "BODY" && !isOnlyAroundPositioned(el);
}

// Whether all that is in an element is placed by an element around it, which alone can cut it off, as
// the body's own overflow is the window's.
function isOnlyAroundPositioned(el) {
  if (hasOwnText(el)) return false;
  const painted = childrenOf(el).filter((child) => isShown(child) && hasArea(child));
  return painted.length > 0 && painted.every((child) => isPlacedOutside(child, el));
}

/** @param {Element} el The element that it is in */
function isPlacedOutside(child, el) {
  return /^(absolute|fixed)$/.test(styleOf(child).position) && child.offsetParent !== el;
}

/**
 * What the elements in an element inherit.
 * @param {Element} el
 * @param {string} role
 * @param {Place} place
 * @param {Reading} reading
 * @returns {Place}
 */
function placeInside(el, role, place, reading) {
  const region = regionOf(el);
  const record = role || region ? recordOf(el, role) : null;
  const inside = { ...place };
  if (LANDMARKS.has(role)) inside.landmark = role;
  inside.struck ||= reading.texts.struck.has(el);
  inside.loading ||= reading.placeholders.has(el);
  if (region) inside.regions = [...place.regions, region];
  inside.record = record ?? place.record;
  inside.controls = [];
  inside.pressed = false;
  return inside;
}

/**
 * @param {number} level
 * @param {string} text
 * @param {Reading} reading
 */
function enterHeading(level, text, reading) {
  const isLabel = reading.outline.at(-1)?.text === text; // its section is labelled by it
  if (!isLabel) reading.outline = [...reading.outline, { level, text, at: reading.count() }];
}

/**
 * @param {Element} el
 * @param {string} tag
 * @param {string} role
 * @param {Reading} reading
 */
function enterSection(el, tag, role, reading) {
  if (role === "heading") {
    reading.outline = outlineAbove(reading.outline, headingLevel(el));
    return;
  }
  const text = labelOfSection(el, tag, role);
  if (text) reading.outline = [...reading.outline, { level: 0, text, at: 0 }];
}

/**
 * @param {string} tag
 * @param {Place} inside
 * @param {Reading} reading
 */
function walkInside(el, tag, inside, reading) {
  const root = GET_SHADOW_ROOT.call(el);
  const assigned = tag === "SLOT" ? el.assignedElements() : [];
  const isFrameOrHost = root || tag === "IFRAME";
  const own = assigned.length ? assigned : isFrameOrHost ? [] : childrenOf(el);
  const children = root ? [...root.children, ...own] : inScreenOrder(el, own);
  for (const child of children) walk(child, inside, reading);
}

/**
 * An element with a role that is listed. Returns its name.
 * @param {string} role
 * @param {Place} inside What the elements in it inherit; changed if its name covers them
 * @param {Reading} reading
 */
function addElement(el, role, inside, reading) {
  const cutBefore = cutTexts;
  const name = inside.controls.length ? nameAround(el, inside.controls) : nameOf(el, role);
  if (role === "clickable") {
    const isSame = isSaidAround(name, inside) || inside.controls.some(isSaidBy(name));
    if (name ? isSame : inside.controls.length || !isOwnControl(el, inside)) return "";
  }
  // The text of a row is that of its record too, and takes long to read.
  const { record } = inside;
  if (role === "row" && record && record.el === el && attributeOf(el, "aria-label") === null) {
    record.text = name;
  }
  const isInteractive = isControlRole(role);
  if (role === "textbox" && isTextOfCombobox(el, inside)) return "";
  if (isInteractive && !name && isSeenOnHoverOnly(el) && isSaidOnHover(el, reading)) return "";
  if (isInteractive) reading.counts.interactive++;
  if (isInteractive || (role === "status" && inside.pressed)) inside.control = { el, name };
  if (name) reading.counts.semantic++;
  // What a link or a row already says is not repeated by the elements in it.
  const isSaid = (inside.covered || inside.struck) && !isInteractive;
  const isRepeated = role === "img" ? inside.spoken.includes(name) : isSaid;
  const isNeeded = name || isInteractive || fieldValueOf(el, role) !== null;
  const isStruckOut = inside.struck && !isInteractive;
  if (role === "row" && isStruckOut && !inside.covered) {
    reading.add(el, role, "", inside); // what is in it stands in its line only
  } else if (isNeeded && !isRepeated && role !== "listitem" && role !== "table") {
    reading.add(el, role, name, inside, cutBefore);
  }
  // A row's text does not speak for the pictures in it; a button's does.
  if (name && ROLES_NAMED_BY_TEXT.has(role) && (role === "row" || !isStruckOut)) {
    inside.covered = true;
    inside.named = role !== "row";
    if (inside.named) inside.spoken = name;
  }
  // What a combobox or the like shows is its value.
  if (VALUE_ROLES.has(role) && !isField(el)) inside.covered = true;
  return name;
}

/**
 * Whether a textbox is only the text that the combobox around it shows, and says as its value.
 * @param {Place} inside
 */
function isTextOfCombobox(el, inside) {
  const around = inside.control?.el;
  return !!around && isCombobox(around) && !isField(el) && !member(el, "isContentEditable");
}

/**
 * The name of a control that contains others.
 * @param {Element} el
 * @param {Element[]} controls
 */
function nameAround(el, controls) {
  const label = shorten(textOfIds(el, "aria-labelledby")) || shorten(attributeOf(el, "aria-label"));
  return label || shorten(textAround(el, controls));
}
