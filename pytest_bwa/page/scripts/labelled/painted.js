// Whether a text is what a person sees there: all of it is painted, nothing is added to it or placed
// over it, and all of it looks alike.

const ADDED = "added_by_style";
const IN_TEXT = "picture_inside";
const PART_UNSEEN = "partly_unseen";
const PART_MIXED = "mixed_look";
/** @type {DOMRect[]} */
const NOWHERE = [];
const FAINT = 0.5; // of the opacity
const FAINT_COLOUR = /^rgba\(.*, 0(\.[0-2]\d*)?\)$/;
const SHIFTED_INSET = /\) (?!0px 0px )[^,]* inset/; // a shadow that lies in a box, and is no edge
const MIDDLE_OF_LINE = [0.25, 0.75]; // of the height of a text; a line above or below it crosses nothing
const LINE_OF_BORDER = 4; // pixels; a higher box with nothing but an edge is a frame around a text
const STILL_BUSY = "[aria-busy=true]";
const UNSIGNED = /^[^\d(−-]{0,4}\d[\d.,'’\s]*[^\d)−-]{0,4}$/;
const NOTHING_ADDED = /^(?:none|normal|"(?:[\s\u200b]|\\a )*")$/;
const DECORATION = /^"[\s\p{Co},;:·•|]*"$/u; // and icons of a font
const PLAIN_MARKER = /^(none|disc|circle|square|decimal|(lower|upper|disclosure)-\w+)$/;
const WORD_ADDED = /[\p{L}\p{N}\p{Sc}%]/u;
/** @type {Set<any>} */
let changing = new Set(); // what an animation shows only for a time

/**
 * The code of what speaks against a text; empty if it is what is painted.
 * @param {string} value
 * @param {any[]} nodes That show it
 * @param {any[]} inside The elements among them and in them, without buttons
 * @param {boolean} areUnits Whether all that is raised or lowered in them is a part of a unit
 */
function paintedUnlike(value, nodes, inside, areUnits) {
  const el = elementOfNode(nodes[0]);
  const every = [el, ...inside];
  if (closest(el, STILL_BUSY) || inside.some((one) => matches(one, STILL_BUSY)))
    return "still_loading";
  if (every.some((one) => isAddedTo(one, value)) || hasWordsAddedAround(el)) return ADDED;
  if (isReordered(nodes, every)) return "other_order";
  const texts = nodes.flatMap(textNodes);
  const hidden = texts.map(hindrance).find(Boolean);
  if (hidden) return hidden;
  if (inside.some((one) => isDrawnBeside(one, value))) return IN_TEXT;
  return isMixed(value, texts, areUnits) ? PART_MIXED : "";
}

function elementOfNode(node) {
  return node.nodeType === Node.ELEMENT_NODE ? node : flatParent(node);
}

function isReordered(nodes, elements) {
  if (nodes.some((node) => /[\u202a-\u202e]/.test(member(node, "textContent")))) return true;
  return elements.some((el) => /override/.test(styleOf(el).unicodeBidi));
}

// -- what a style sheet adds ------------------------------------------------------------------------

// Whether a value has more than its text: whatever sign it is, it may say the opposite. Beside words, an
// icon, a bullet or what joins the entries of a list says nothing.
function isAddedTo(el, value) {
  return once(el, "addedTexts", addedTextsNow).some(
    (text) => UNSIGNED.test(value) || !DECORATION.test(text),
  );
}

// As they are written in the style sheet, with a marker that is no bullet.
function addedTextsNow(el) {
  const texts = pseudosOf(el).map(({ content }) => content);
  const { display, listStyleType } = styleOf(el);
  if (display === "list-item" && !PLAIN_MARKER.test(listStyleType)) texts.push(listStyleType);
  if (display === "list-item") texts.push(getComputedStyle(el, "::marker").content);
  return texts.filter((text) => !NOTHING_ADDED.test(text));
}

// The words that are added to an element: of a label or a row, a bullet or an arrow means nothing.
function addedWords(el) {
  return once(el, "addedWords", (one) => {
    const texts = pseudosOf(one).flatMap(({ content }) => content.match(/"[^"]*"/g) ?? []);
    const words = texts.filter((text) => WORD_ADDED.test(text)).map((text) => text.slice(1, -1));
    return words.length && isShown(one) ? words.join(" ") : "";
  });
}

// Whether words are added to what is around an element, as the name of a section or a row.
function hasWordsAddedAround(el) {
  for (let up = flatParent(el); up; up = flatParent(up)) if (addedWords(up)) return true;
  return false;
}

// -- what hides a text ------------------------------------------------------------------------------

// The code of why a person may see something else than a text; empty if nothing speaks for that.
function hindrance(node) {
  const el = elementOfNode(node);
  const range = call(document, "createRange");
  range.selectNodeContents(node);
  const boxes = [...range.getClientRects()].filter((box) => box.width > 1 && box.height > 1);
  if (!boxes.length || isUnreadable(el) || isCutOff(el, boxes)) return PART_UNSEEN;
  return isLayered(el, boxes[0]) ? "painted_over" : "";
}

function isUnreadable(el) {
  const style = styleOf(el);
  if (style.contentVisibility === "hidden" || unpainted.has(el)) return true;
  const security = style.getPropertyValue("-webkit-text-security");
  if ((security && security !== "none") || ICON_FONT.test(style.fontFamily.split(",")[0]))
    return true;
  return FAINT_COLOUR.test(style.webkitTextFillColor) && !isClippedToText(el);
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

// Whether a text is cut away, or its beginning is: at its end a text goes on, and says so.
function isCutOff(el, boxes) {
  const clips = clipsOf(el);
  const isOnPage = (box) => box.right + scrollX > 0 && box.bottom + scrollY > 0;
  const isIn = (box) => isOnPage(box) && clips.every((clip) => overlap(box, clip));
  const begins = boxes[0].left;
  const isBegun = begins + scrollX > -2 && clips.every(({ left }) => begins > left - 2);
  return clips === NOWHERE || !isBegun || !boxes.some(isIn);
}

// -- what is placed over a text: a line through it, a bar, a pane that blurs it -----------------------

// Whether something that is placed over a text, or over what the text stands in, crosses or hides it.
function isLayered(el, box) {
  const isWide = (one) =>
    Math.min(one.right, box.right) - Math.max(one.left, box.left) > box.width / 2;
  return layersOver(el).some(
    (layer) => isWide(layer) && isInMiddle(layer, box) && !(layer.el && holds(layer.el, el)),
  );
}

function isInMiddle(layer, { top, height }) {
  const [from, to] = MIDDLE_OF_LINE.map((share) => top + share * height);
  return layer.top < to && layer.bottom > from;
}

/**
 * What is placed over the content of an element, and where on the screen; the element, if it is one.
 * @returns {{ el: any, left: number, right: number, top: number, bottom: number }[]}
 */
function layersOver(el) {
  return el ? once(el, "layersOver", layersOverNow) : [];
}

function layersOverNow(el) {
  const added = pseudosOf(el).filter(isPlaced);
  const parts = flatChildren(el).filter((node) => tagOf(node) && isPlaced(styleOf(node)));
  const layers = [
    ...added.map((style) => ({ el: null, style, ...boxOfPseudo(el, style) })),
    ...parts.filter((part) => isShown(part)).map((part) => layerOfElement(part)),
  ];
  const outer = layersOver(flatParent(el));
  return layers.length ? [...layers.filter(coversText), ...outer] : outer; // none, as nearly all
}

function layerOfElement(el) {
  const { left, right, top, bottom } = boxOf(el);
  return { el, style: styleOf(el), left, right, top, bottom };
}

function coversText({ el, style, top, bottom }) {
  if (paintsGround(style) || (el && DRAWN.has(tagOf(el)))) return true;
  const isEdged = style.borderTopWidth !== "0px" || style.borderBottomWidth !== "0px";
  return isEdged && style.opacity !== "0" && bottom - top <= LINE_OF_BORDER;
}

// Whether an element is taken out of its line, and not behind it. What stays in place while the page
// scrolls covers a text only for the moment.
function isPlaced(style) {
  return style.position === "absolute" && !(+style.zIndex < 0);
}

// The edges of a pseudo-element come in pixels, from those of what it is placed in.
function boxOfPseudo(el, style) {
  let outer = el;
  while (flatParent(outer) && styleOf(outer).position === "static") outer = flatParent(outer);
  const sum = (...names) => names.reduce((all, name) => all + (parseFloat(style[name]) || 0), 0);
  const around = (...names) => (style.boxSizing === "border-box" ? 0 : sum(...names));
  const [ends, sides] = [
    ["Top", "Bottom"],
    ["Left", "Right"],
  ].map((both) => around(...both.flatMap((side) => [`padding${side}`, `border${side}Width`])));
  const left = boxOf(outer).left + sum("left", "marginLeft");
  const top = boxOf(outer).top + sum("top", "marginTop");
  const [right, bottom] = [left + sum("width") + sides, top + sum("height") + ends];
  return { left, top, right, bottom };
}

// -- what is painted beside a text --------------------------------------------------------------------

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
  const isBeside = (style) => !isPlaced(style) || isInMiddle(boxOfPseudo(el, style), boxOf(el));
  if (isEmpty && isDrawn(styleOf(el))) return true;
  return pseudosOf(el).some((style) => isDrawn(style) && isBeside(style));
}

// Whether parts of a value, or of a link in it, are painted otherwise than the rest, as initials before a
// name are, a badge, or a word to press; of short texts, the one in bold may be the only one that holds.
function isMixed(value, texts, areUnits) {
  if (texts.length < 2 || COUNT.test(value)) return false;
  const last = texts.findLastIndex(({ data }) => /[:：]\s*$/.test(data)); // their label
  const isProse = texts.some(({ data }) => isLong(data.trim()));
  const looks = new Map();
  for (const text of texts.slice(last + 1)) {
    if (!/[^\s\p{P}\p{Sc}|]/u.test(text.data)) continue;
    const el = elementOfNode(text);
    if (areUnits && isOffTheLine(el)) continue;
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
