// Whether a text that is in the page is seen: whoever asks that of a text asks here. It is not seen in
// the colour of what is behind it, too small, cut off by what it stands in, shifted out of it, shrunk to
// nothing or kept outside of the page. What is hidden or transparent as a whole, isShown says.

const MAX_TEXTS = 10000; // that are looked at
const MAX_NEIGHBOURS = 100000; // boxes that are compared in one snapshot
const SAME_COLOUR = 8; // of 255, by which each part of two colours may differ
const MAX_COMPARED_COLOURS = 1000; // pairs; a page has few
/** @type {Map<string, boolean>} */
const comparedColours = new Map();
const PAINTS = "img, svg, video, canvas, picture, iframe, object, embed";

const CLIP_TO_NOTHING = /^(?:inset\((?:[5-9]\d|100)(?:\.\d+)?%|circle\(0(?:px|%)?[ )])/;
const LEAST_SIDE = 2; // pixels; a smaller box shows no letter

/** @type {Element[]} */
let unseenTexts = []; // the outermost with a text that are transparent or cut away
let comparedBoxes = 0;
let paper = ""; // the colour behind a page that sets none; empty where that is not known

/** Finds the texts that cannot be seen. Whatever may be behind a text lets it count. */
function findUnseenTexts() {
  const html = member(document, "documentElement"); // none yet where the page is just opened
  const isDark = html && /dark/.test(styleOf(html).colorScheme);
  paper = isDark || window !== window.parent ? "" : "rgb(255, 255, 255)";
  unpainted.clear();
  unseenTexts = [];
  comparedBoxes = 0;
  for (const root of rootsOfPage()) {
    const texts = call(document, "createTreeWalker", root, NodeFilter.SHOW_TEXT);
    let last = /** @type {Element | null} */ (null);
    for (let left = MAX_TEXTS; left > 0 && texts.nextNode(); left--) {
      const el = parentOf(texts.currentNode);
      if (!el || el === last || !texts.currentNode.data.trim()) continue;
      last = el;
      if (isShown(el) ? isCutAway(el) : isShown(el, RENDERED)) addUnseenText(el);
      if (!UNPAINTED.has(tagOf(el)) && isUnpainted(el)) unpainted.add(el);
    }
  }
}

/** @param {Element} el */
function addUnseenText(el) {
  const outer = unseenTexts.at(-1);
  if (!outer || !holds(outer, el)) unseenTexts.push(el);
}

/** @param {Element} el Whether nothing of its own text can be seen */
function isUnseenText(el) {
  return unpainted.has(el) || isCutAway(el) || isOutOfSight(el);
}

/**
 * Whether an element, or what it stands in, is only for screen readers.
 * @param {Element | null} el
 * @returns {boolean}
 */
function isOutOfSight(el) {
  if (!el) return false;
  return once(el, "isOutOfSight", (one) => isUnseen(one) || isOutOfSight(flatParent(one)));
}

function isUnpainted(el) {
  const style = styleOf(el);
  const colour = style.webkitTextFillColor || style.color;
  const isHidden =
    parseFloat(style.fontSize) < MIN_FONT ||
    (CLEAR.test(colour)
      ? !isClippedToText(el)
      : isSameColour(colour, backgroundOf(el, paper)) && !isPaintedBehind(el));
  if (!isHidden || !isShown(el) || isField(el)) return false;
  return style.textShadow === "none" && !(parseFloat(style.webkitTextStrokeWidth) > 0);
}

// Whether something may be painted behind an element that is not around it.
function isPaintedBehind(el) {
  const box = boxOf(el);
  for (let up = el; up; up = flatParent(up)) {
    if (pseudosOf(up).length) return true;
    const parent = flatParent(up);
    if (!parent) return false;
    const beside = once(parent, "paintings", paintingsNow);
    comparedBoxes += beside.length;
    if (comparedBoxes > MAX_NEIGHBOURS) return true;
    if (beside.some((one) => one !== up && overlap(boxOf(one), box))) return true;
  }
  return false;
}

/** @param {Element} parent Of which those parts are found that paint more than text */
function paintingsNow(parent) {
  const paints = (/** @type {Element} */ part) =>
    hasGround(styleOf(part)) || matches(part, PAINTS) || hasInside(part, PAINTS);
  return childrenOf(parent).filter(paints);
}

// Its letters may be cut out of a background.
function isClippedToText(el) {
  for (let up = el; up; up = flatParent(up)) {
    if (/text/.test(styleOf(up).webkitBackgroundClip)) return true;
  }
  return false;
}

/**
 * Whether two colours, both opaque, cannot be told apart.
 * @param {string} a
 * @param {string} b
 */
function isSameColour(a, b) {
  const pair = `${a} ${b}`;
  let isSame = comparedColours.get(pair);
  if (isSame === undefined) {
    if (comparedColours.size >= MAX_COMPARED_COLOURS) comparedColours.clear();
    isSame = areAlike(a, b);
    comparedColours.set(pair, isSame);
  }
  return isSame;
}

/**
 * @param {string} a
 * @param {string} b
 */
function areAlike(a, b) {
  const [one, other] = [a, b].map((text) => /^rgb\((\d+), (\d+), (\d+)\)$/.exec(text));
  if (!one || !other) return false;
  return [1, 2, 3].every((n) => Math.abs(+one[n] - +other[n]) <= SAME_COLOUR);
}

/**
 * Whether nothing of an element's text can be seen.
 * @param {Element} el
 */
function isCutAway(el) {
  return once(el, "isCutAway", isCutAwayNow);
}

/** @param {Element} el */
function isCutAwayNow(el) {
  return isClippedOut(el) || isShifted(el) || isShrunk(el);
}

/**
 * Whether an element is cut off by itself or by what it stands in.
 * @param {Element} el
 * @returns {boolean}
 */
function isClippedOut(el) {
  return once(el, "isClippedOut", isClippedOutNow);
}

/** @param {Element} el */
function isClippedOutNow(el) {
  const outer = clipParent(el);
  return clipsAllOut(el) || (outer !== null && isClippedOut(outer));
}

/** @param {Element} el Whether its own style cuts off all that is in it */
function clipsAllOut(el) {
  const { overflowY, clipPath } = styleOf(el);
  if (overflowY === "visible") return clipPath !== "none" && CLIP_TO_NOTHING.test(clipPath);
  const { width, height } = boxOf(el);
  return Math.min(width, height) < LEAST_SIDE || CLIP_TO_NOTHING.test(clipPath);
}

/**
 * What an element is cut off by: what it stands in, or for one that is placed, what it is placed in.
 * @returns {Element | null}
 */
function clipParent(el) {
  const { position } = styleOf(el);
  if (position === "fixed") return null;
  return position === "absolute" ? (member(el, "offsetParent") ?? null) : flatParent(el);
}

/** @param {Element} el Whether its text begins more than its width before it */
function isShifted(el) {
  const indent = -parseFloat(styleOf(el).textIndent);
  return indent > 0 && indent > boxOf(el).width;
}

/** @param {Element} el */
function isShrunk(el) {
  const { width, height } = boxOf(el);
  if (Math.min(width, height) > 0) return false;
  for (let up = /** @type {Element | null} */ (el); up; up = flatParent(up)) {
    const { transform, scale } = styleOf(up);
    if (transform !== "none" || scale !== "none") return true;
  }
  return false;
}
