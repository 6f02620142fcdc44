// Uses: prelude/visibility.js
// Uses: snapshot/changes.js
// Uses: snapshot/reading.js

const SKIPPED_TAGS = new Set(
  ["SCRIPT", "STYLE", "NOSCRIPT", "TEMPLATE"].concat(["HEAD", "META", "LINK", "TITLE"]),
);
const INLINE_TAGS = /^(B|STRONG|I|EM|SPAN|SMALL|CODE|TIME|ABBR|MARK|SUP|SUB|BR|WBR|A|LABEL)$/;
const TEXT_LENGTH = 300;

/**
 * What an element inherits from the elements that it is in.
 * @typedef {object} Place
 * @property {string} landmark navigation, banner or contentinfo, if it is in one
 * @property {boolean} covered whether a link, row or the like above it already repeats its text
 * @property {boolean} named whether a named button or the like above it speaks for its pictures
 * @property {boolean} pointer whether something above it is clickable by its pointer alone
 */
/** @type {Place} */
const TOP_PLACE = { landmark: "", covered: false, named: false, pointer: false };

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
  const hasNoBox = member(el, "style")?.display === "contents" || tag === "SLOT";
  if (!hasNoBox && !isShown(el) && getComputedStyle(el).display !== "contents") return;
  if (tag === "SVG") {
    addDrawing(el, place, reading);
    return;
  }
  let role = roleOf(el);
  if (role === "none" || role === "presentation" || role === "generic") role = "";
  const isPointed =
    !role && !place.pointer && !place.covered && getComputedStyle(el).cursor === "pointer";
  if (isPointed) role = "clickable";
  const inside = {
    landmark: /^(navigation|banner|contentinfo)$/.test(role) ? role : place.landmark,
    covered: place.covered,
    named: place.named,
    pointer: place.pointer || isPointed,
  };
  if (LISTED_ROLES.has(role)) addElement(el, role, inside, reading);
  if (tag === "SELECT" || tag === "TEXTAREA" || role === "textbox") return;
  if (!inside.covered && role !== "table" && role !== "row" && role !== "img") {
    addOwnText(el, inside.landmark, reading);
  }
  walkInside(el, tag, inside, reading);
}

/**
 * @param {any} el
 * @param {string} tag
 * @param {Place} inside
 * @param {Reading} reading
 */
function walkInside(el, tag, inside, reading) {
  const root = member(el, "shadowRoot");
  if (root) {
    watchRootOf(el);
    for (const child of root.children) walk(child, inside, reading);
  }
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
  const name =
    shorten(svg.getAttribute("aria-label")) ||
    shorten(svg.querySelector(":scope > title")?.textContent);
  if (name && !place.covered) {
    reading.counts.semantic++;
    reading.add(svg, "img", name, svg.getBoundingClientRect(), place.landmark);
  } else if (!name && !place.named) {
    reading.counts.svg++;
    reading.addUnnamedPicture(svg, place.landmark);
  }
}

/**
 * An element with a role that is listed.
 * @param {any} el
 * @param {string} role
 * @param {Place} inside What the elements in it inherit; changed if its name covers them
 * @param {Reading} reading
 */
function addElement(el, role, inside, reading) {
  const box = boxOf(el);
  const name = nameOf(el, role);
  const isInteractive = INTERACTIVE_ROLES.has(role) || role === "clickable";
  if (isInteractive) {
    reading.counts.interactive++;
    if (!name) reading.counts.unnamed++;
  }
  if (name) reading.counts.semantic++;
  // What a link or a row already says is not repeated by the elements in it.
  const isRepeated = inside.covered && !isInteractive && role !== "img";
  const isNeeded = name || (isInteractive && role !== "clickable");
  if (isNeeded && !isRepeated && role !== "listitem" && role !== "table") {
    reading.add(el, role, name, box, inside.landmark);
  }
  // A row's text does not speak for the pictures in it; a button's does.
  if (name && ROLES_NAMED_BY_TEXT.has(role)) {
    inside.covered = true;
    inside.named = role !== "row";
  }
}

/**
 * Text directly inside an element, read together with its inline children.
 * @param {any} el
 * @param {string} landmark
 * @param {Reading} reading
 */
function addOwnText(el, landmark, reading) {
  if (!hasOwnText(el)) return;
  // A visible field's label is the field's name already.
  if (tagOf(el) === "LABEL" && el.control && isShown(el.control)) return;
  const isInline = childrenOf(el).every((child) => INLINE_TAGS.test(tagOf(child)));
  const name = shorten(isInline ? visibleText(el) : ownText(el), TEXT_LENGTH);
  if (!name) return;
  reading.counts.semantic++;
  reading.add(el, "text", name, boxOf(el), landmark);
}

/** @param {Element} el */
function hasOwnText(el) {
  for (const node of member(el, "childNodes")) {
    if (node.nodeType === Node.TEXT_NODE && /** @type {Text} */ (node).data.trim()) return true;
  }
  return false;
}

/** @param {Element} el */
function ownText(el) {
  const texts = [...member(el, "childNodes")].filter((node) => node.nodeType === Node.TEXT_NODE);
  return texts.map((node) => /** @type {Text} */ (node).data).join(" ");
}
