// Uses: snapshot/found.js
// Uses: snapshot/reading.js
// Uses: snapshot/row_lines.js
// Uses: snapshot/scrollers.js

const SKIPPED_TAGS = new Set(
  ["SCRIPT", "STYLE", "NOSCRIPT", "TEMPLATE"].concat(["HEAD", "META", "LINK", "TITLE"]),
);
const INLINE_TAGS = /^(B|STRONG|I|EM|SPAN|SMALL|CODE|TIME|ABBR|MARK|SUP|SUB|BR|WBR|A|LABEL|SLOT)$/;
const TEXT_LENGTH = 300;

/**
 * What an element inherits from the elements that it is in.
 * @typedef {object} Place
 * @property {string} landmark navigation, banner or contentinfo, if it is in one
 * @property {boolean} covered whether a link, row or the like above it already repeats its text
 * @property {boolean} named whether a named button or the like above it speaks for its pictures
 * @property {boolean} pointer whether something above it is clickable by its pointer alone
 * @property {boolean} struck whether something above it is crossed out
 * @property {boolean} loading whether it is a part of a placeholder
 * @property {string[]} regions the regions that it is in, the outermost first
 * @property {PageRecord | null} record the innermost record that it is in
 */
/** @type {Place} */
const TOP_PLACE = {
  landmark: "",
  ...{ covered: false, named: false, pointer: false, struck: false, loading: false },
  ...{ regions: [], record: null },
};

/**
 * Adds the element and everything in it to the reading.
 * @param {any} el
 * @param {Place} place
 * @param {Reading} reading
 */
function walk(el, place, reading) {
  reading.counts.all++;
  const tag = tagOf(el);
  if (SKIPPED_TAGS.has(tag) || attributeOf(el, "aria-hidden") === "true") return;
  if (attributeOf(el, "hidden") !== null) return;
  countPicture(el, tag, place, reading);
  if (!isPainted(el, tag) && !isBehindTwin(el)) return;
  if (tag === "SVG") {
    addDrawing(el, place, reading);
    return;
  }
  let role = roleOf(el);
  if (role === "none" || role === "presentation" || role === "generic") role = "";
  if (role === "row" && isLayoutRow(el)) role = "";
  const isPointed =
    !role && !place.pointer && !place.covered && getComputedStyle(el).cursor === "pointer";
  if (isPointed) role = "clickable";
  const inside = placeInside(el, role, place, reading);
  inside.pointer ||= isPointed;
  const before = reading.outline;
  enterSection(el, tag, role, reading);
  const at = reading.nodes.length;
  const name = LISTED_ROLES.has(role) ? addElement(el, role, inside, reading) : "";
  addScroller(el, inside, reading);
  if (tag === "SELECT" || tag === "TEXTAREA" || role === "textbox") return;
  if (!inside.covered && !inside.struck && !/^(table|row|img)$/.test(role)) {
    addOwnText(el, inside, reading);
  }
  addFound(el, inside, reading);
  walkInside(el, tag, inside, reading);
  if (role === "row") completeRow(el, at, reading);
  if (role === "heading" && name) {
    enterHeading(levelOf(el) || 2, name, reading);
  } else reading.outline = outlineAfter(el, before, reading);
}

/**
 * @param {any} el
 * @param {string} tag
 */
function isPainted(el, tag) {
  if (member(el, "style")?.display === "contents" || tag === "SLOT") return true;
  return isShown(el) || getComputedStyle(el).display === "contents";
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
  return {
    ...place,
    landmark: /^(navigation|banner|contentinfo)$/.test(role) ? role : place.landmark,
    struck: place.struck || reading.texts.struck.has(el),
    loading: place.loading || reading.placeholders.has(el),
    regions: region ? [...place.regions, region] : place.regions,
    record: record ?? place.record,
  };
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
    reading.outline = outlineAbove(reading.outline, levelOf(el) || 2);
    return;
  }
  const text = labelOfSection(el, tag, role);
  if (text) reading.outline = [...reading.outline, { level: 0, text, at: 0 }];
}

/**
 * @param {any} el
 * @param {string} tag
 * @param {Place} inside
 * @param {Reading} reading
 */
function walkInside(el, tag, inside, reading) {
  const root = member(el, "shadowRoot");
  if (root) for (const child of root.children) walk(child, inside, reading);
  const assigned = tag === "SLOT" ? el.assignedElements() : [];
  if (assigned.length) {
    for (const child of assigned) walk(child, inside, reading);
  } else if (!root && tag !== "IFRAME") {
    for (const child of childrenOf(el)) walk(child, inside, reading);
  }
}

/**
 * @param {any} el
 * @param {string} tag
 * @param {Place} place
 * @param {Reading} reading
 */
function countPicture(el, tag, place, reading) {
  if (tag === "CANVAS") {
    reading.counts.canvas++;
    reading.addUnnamedPicture(el, place.landmark);
  } else if (tag === "IMG" && attributeOf(el, "alt") === null && !attributeOf(el, "title")) {
    if (!place.named) reading.addUnnamedPicture(el, place.landmark);
  }
}

/**
 * An <svg> that is visible, as one picture.
 * @param {Element} svg
 * @param {Place} place
 * @param {Reading} reading
 */
function addDrawing(svg, place, reading) {
  const cutBefore = cutTexts;
  const name = shorten(pictureName(svg));
  if (name && !place.covered) {
    reading.counts.semantic++;
    reading.add(svg, "img", name, place, cutBefore);
  } else if (!name && !place.named) {
    reading.counts.svg++;
    reading.addUnnamedPicture(svg, place.landmark);
  }
}

/**
 * An element with a role that is listed. Returns its name.
 * @param {any} el
 * @param {string} role
 * @param {Place} inside What the elements in it inherit; changed if its name covers them
 * @param {Reading} reading
 */
function addElement(el, role, inside, reading) {
  const cutBefore = cutTexts;
  const name = nameOf(el, role);
  const isInteractive = INTERACTIVE_ROLES.has(role) || role === "clickable";
  if (isInteractive) {
    reading.counts.interactive++;
    if (!name) reading.counts.unnamed++;
  }
  if (name) reading.counts.semantic++;
  // What a link or a row already says is not repeated by the elements in it.
  const isRepeated = (inside.covered || inside.struck) && !isInteractive && role !== "img";
  const isNeeded = name || (isInteractive && role !== "clickable");
  if (isNeeded && !isRepeated && role !== "listitem" && role !== "table") {
    reading.add(el, role, name, inside, cutBefore);
  }
  // A row's text does not speak for the pictures in it; a button's does.
  if (name && ROLES_NAMED_BY_TEXT.has(role)) {
    inside.covered = true;
    inside.named = role !== "row";
  }
  return name;
}

/**
 * Text directly inside an element, read together with its inline children; or the name of an
 * element that shows something without any text.
 * @param {any} el
 * @param {Place} place
 * @param {Reading} reading
 */
function addOwnText(el, place, reading) {
  const cutBefore = cutTexts;
  if (!hasOwnText(el)) {
    if (!reading.texts.pictures.has(el) || !hasArea(el) || LISTED_ROLES.has(roleOf(el))) return;
    reading.add(el, "img", shorten(pictureName(el)), place, cutBefore);
    return;
  }
  // A visible field's label is the field's name already.
  if (tagOf(el) === "LABEL" && el.control && (isShown(el.control) || isBehindTwin(el.control)))
    return;
  const isInline = childrenOf(el).every((child) => INLINE_TAGS.test(tagOf(child)));
  const name = shorten(isInline ? paintedTextOf(el) : ownText(el), TEXT_LENGTH);
  if (!name) return;
  reading.counts.semantic++;
  reading.add(el, "text", name, place, cutBefore);
}

/**
 * The nodes directly in an element; what a shadow root or a slot shows in their place.
 * @param {Element} el
 * @returns {Iterable<Node>}
 */
function paintedNodesIn(el) {
  const isReplaced = member(el, "shadowRoot") || tagOf(el) === "SLOT";
  return isReplaced ? flatChildren(el) : member(el, "childNodes");
}

/** @param {Element} el */
function hasOwnText(el) {
  for (const node of paintedNodesIn(el)) {
    if (node.nodeType === Node.TEXT_NODE && /** @type {Text} */ (node).data.trim()) return true;
  }
  return false;
}

/** @param {Element} el */
function ownText(el) {
  const texts = [...paintedNodesIn(el)].filter((node) => node.nodeType === Node.TEXT_NODE);
  return texts.map((node) => /** @type {Text} */ (node).data).join(" ");
}
