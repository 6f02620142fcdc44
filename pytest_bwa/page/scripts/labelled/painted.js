// Uses: labelled/layers.js
// Uses: prelude/background.js
// Uses: prelude/flat_tree.js
// Uses: prelude/overlap.js
// Uses: snapshot/fades.js
// Uses: snapshot/unpainted.js

/** @type {DOMRect[]} */
const NOWHERE = [];
const FAINT = 0.5; // of the opacity
const FAINT_COLOUR = /^rgba\(.*, 0(\.[0-2]\d*)?\)$/;
const SHIFTED_INSET = /\) (?!0px 0px )[^,]* inset/; // a shadow that lies in a box, and is no edge
const PART_UNSEEN = "not all of it can be seen";
/** @type {Set<any>} */
let changing = new Set(); // what an animation shows only for a time

// Whether a person can see a text: of much that stands in a document nothing is painted.

function elementOfNode(node) {
  return node.nodeType === Node.ELEMENT_NODE ? node : flatParent(node);
}

// The boxes outside of which nothing of an element is painted; NOWHERE if nothing of it ever is.
function clipsOf(el) {
  return el ? once(el, "clips", clipsNow) : [];
}

function clipsNow(el) {
  const style = styleOf(el);
  const outer = clipsOf(flatParent(el));
  const isCut = style.clipPath !== "none" || style.clip !== "auto";
  // What a filter or a mask leaves of a text, nobody can say.
  const isFiltered = style.filter !== "none" || style.webkitMaskImage !== "none";
  const isFaint = +style.opacity < FAINT || changing.has(el);
  if (isCut || isFiltered || isFaint || outer === NOWHERE) return NOWHERE;
  const cuts = /hidden|clip/.test(style.overflow) && !/^(BODY|HTML)$/.test(tagOf(el));
  return cuts ? [...outer, boxOf(el)] : outer;
}

// Finds the elements that an endless animation changes, or one that hides them for a while.
function findChanging() {
  const running = rootsOfPage()
    .flatMap((root) => /** @type {Animation[]} */ (call(root, "getAnimations")))
    .filter(({ playState }) => playState === "running")
    .map(({ effect }) => /** @type {KeyframeEffect} */ (effect));
  const isLasting = (effect) =>
    effect.getComputedTiming().endTime === Infinity || effect.getKeyframes().some(isHiding);
  const lasting = running.filter((effect) => !effect.pseudoElement && isLasting(effect));
  changing = new Set(lasting.map(({ target }) => target));
}

// Why a person may see something else than a text; empty if nothing speaks for that.
function hindrance(node) {
  const el = elementOfNode(node);
  const range = call(document, "createRange");
  range.selectNodeContents(node);
  const boxes = [...range.getClientRects()].filter((box) => box.width > 1 && box.height > 1);
  if (!boxes.length || isUnreadable(el) || isCutOff(el, boxes)) return PART_UNSEEN;
  if (isLayered(el, boxes[0])) return "something is painted over it";
  return isCovered(el, boxes[0]) ? PART_UNSEEN : "";
}

function isUnreadable(el) {
  const style = styleOf(el);
  if (style.contentVisibility === "hidden" || unpainted.has(el)) return true;
  const security = style.getPropertyValue("-webkit-text-security");
  if (security && security !== "none") return true;
  return FAINT_COLOUR.test(style.webkitTextFillColor) && !isClippedToText(el);
}

// Whether a text is cut away, or its beginning is: at its end a text goes on, and says so.
function isCutOff(el, boxes) {
  const clips = clipsOf(el);
  const isOnPage = (box) => box.right + scrollX > 0 && box.bottom + scrollY > 0;
  const isIn = (box) => isOnPage(box) && clips.every((clip) => overlap(box, clip));
  const begins = boxes[0].left;
  const isBegun = begins + scrollX > -2 && clips.every(({ left }) => begins > left - 2);
  return clips === NOWHERE || !isBegun || !boxes.some(isIn);
}

// Whether something opaque stands before it. What stays in place while the page scrolls does not
// count: a banner covers whatever is below it for the moment.
function isCovered(el, box) {
  const hit = call(
    document,
    "elementFromPoint",
    box.left + box.width / 2,
    box.top + box.height / 2,
  );
  if (!hit || call(hit, "contains", el) || call(el, "contains", hit)) return false;
  if (member(el, "getRootNode").call(el) !== document) return false;
  let isOpaque = false;
  for (let up = hit; up && !call(up, "contains", el); up = flatParent(up)) {
    const style = styleOf(up);
    if (/fixed|sticky/.test(style.position)) return false;
    isOpaque ||= !CLEAR.test(style.backgroundColor);
  }
  return isOpaque;
}

// Whether something is drawn that may be a sign of a number, or cross a text: an icon keeps beside it.
function isDrawnBeside(el, value) {
  const style = styleOf(el);
  const isPainted = style.backgroundImage !== "none" || SHIFTED_INSET.test(style.boxShadow);
  const isNumber = UNSIGNED.test(value);
  if (!isShown(el) || !(isPainted || isNumber)) return false;
  if (isNumber) return isPainted || DRAWN.has(tagOf(el)) || drawsSign(el);
  const isIcon = style.backgroundRepeat === "no-repeat" && style.padding !== "0px";
  return !isIcon && el.textContent.trim() !== "";
}

// Whether an element is a box in a line with nothing in it, or has such a box before or behind it.
function drawsSign(el) {
  const isDrawn = (style) => paintsGround(style) || style.borderTopWidth !== "0px";
  const isEmpty = !el.textContent.trim() && !BLOCKS.has(styleOf(el).display);
  const layerBy = (style) => layerOf(null, style, boxOfPseudo(el, style));
  const isBeside = (style) => !isPlaced(style) || isInMiddle(layerBy(style), boxOf(el));
  if (isEmpty && isDrawn(styleOf(el))) return true;
  return pseudosOf(el).some((style) => isDrawn(style) && isBeside(style));
}

// Whether parts of a value, or of a link in it, are painted otherwise than the rest, as initials before a
// name are, a badge, or a word to press; of short texts, the one in bold may be the only one that holds.
function isMixed(value, texts) {
  if (texts.length < 2 || COUNT.test(value)) return false;
  const last = texts.findLastIndex(({ data }) => /[:：]\s*$/.test(data)); // their label
  const isProse = texts.some(({ data }) => isLong(data.trim()));
  const looks = new Map();
  for (const text of texts.slice(last + 1)) {
    if (!/[^\s\p{P}\p{Sc}|]/u.test(text.data)) continue;
    const el = elementOfNode(text);
    const entry = closest(el, "a[href]");
    const slant = value.includes("\n") ? styleOf(el).fontStyle : ""; // of a note below it
    const look = `${boxLookOf(el)} ${slant} ${isProse ? "" : typeLookOf(el)}`;
    if ((looks.get(entry) ?? look) !== look) return true;
    looks.set(entry, look);
  }
  return false;
}

function boxLookOf(el) {
  const { cursor, display, borderTopWidth } = styleOf(el);
  const edge = /^inline/.test(display) ? borderTopWidth : "0px"; // that of a cell is around all of it
  return `${cursor} ${edge} ${backgroundOf(el)}`;
}

function typeLookOf(el) {
  const { color, fontSize, fontWeight } = styleOf(el);
  return `${color} ${fontSize} ${fontWeight}`;
}
