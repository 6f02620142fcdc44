// What a page shows in place of content that it still loads.

const BUSY =
  "[aria-busy=true], progress:not([value]), " +
  "[role=progressbar]:not([aria-valuenow], [aria-valuetext])";
const PRESSED =
  "a, button, option, select, label, summary, input, textarea, [role=button], [role=combobox], " +
  "[role^=menuitem]";
const ASIDES = new Set(["navigation", "banner", "contentinfo", "complementary"]);
const HINTED_FIELDS = "input:not([type=hidden]), textarea, [contenteditable], [role=combobox]";
const MAX_LOADING_TEXT = 40; // characters
// One to three words and an ellipsis, or only an ellipsis, in any script.
const ENDS_WITH_DOTS = /(?:[…⋯]|\.\s?\.\s?\.|。。。)\s*$/;
const DOTS = /^(?:[…⋯]{1,2}|\.{3,6}|。{3,6})$/;
const WORD_AND_DOTS = /^\p{L}[\p{L}\p{M}’'-]*(?:\s[\p{L}\p{M}’'-]+){0,2}\s?(?:…|⋯|\.{3}|。{3})$/u;
const LAST_DOTS = new Set([".", "…", "⋯", "。"]);
const MIN_BOX = { width: 24, height: 6 }; // pixels; smaller ones are marks and cursors
const MAX_COLOUR = 48; // between the strongest and the weakest part of a grey

/**
 * The elements that stand for content that is still loading, asides and footers left out.
 * @returns {Element[]}
 */
function placeholders() {
  const roots = rootsOfPage();
  const found = roots.flatMap((root) => [
    ...findAll(root, BUSY),
    ...loadingTextsIn(root),
    ...animatedBoxesIn(root),
  ]);
  return found.filter((el) => isShownOrBoxless(el) && hasArea(el) && !isAside(el));
}

/** @param {Element} el */
function isAside(el) {
  for (let up = /** @type {Element | null} */ (el); up; up = flatParent(up)) {
    if (ASIDES.has(regionOf(up))) return true;
  }
  return false;
}

/**
 * Whether a text is only a loading word, as in "Loading…", or only dots.
 * @param {string} text
 */
function isLoadingText(text) {
  if (text.length > MAX_LOADING_TEXT || !ENDS_WITH_DOTS.test(text)) return false;
  // Animated dots are elements of their own; a label may stand before them.
  const joined = text.replace(/\.\s(?=\.)/g, ".").replace(/^[^:：]+[:：]\s*/u, "");
  return DOTS.test(joined) || WORD_AND_DOTS.test(joined);
}

/**
 * @param {Document | ShadowRoot} root
 * @returns {Element[]}
 */
function loadingTextsIn(root) {
  const found = [];
  const walker = call(document, "createTreeWalker", root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const data = node.data;
    if (data.length > MAX_LOADING_TEXT * 2 || !LAST_DOTS.has(data.trimEnd().slice(-1))) continue;
    const el = parentOf(node);
    const line = el && lineOf(el);
    if (line && isLoadingElement(line)) found.push(line);
    else if (el && el !== line && isLoadingElement(el) && !isPartOfSentence(el)) found.push(el);
  }
  return found;
}

/**
 * The element whose line an inline element stands in.
 * @param {Element} el
 */
function lineOf(el) {
  let line = el;
  while (styleOf(line).display === "inline") {
    const parent = parentOf(line);
    if (!parent) break;
    line = parent;
  }
  return line;
}

/**
 * Whether an element has only a loading text: what can be pressed is no placeholder, nor are dots
 * that stand for the pages left out between the links of a list.
 * @param {Element} el
 */
function isLoadingElement(el) {
  const text = fold(member(el, "textContent"));
  if (!isLoadingText(text) || UNPAINTED.has(tagOf(el))) return false;
  // A text that was shortened can be opened, or says elsewhere what it is.
  if (styleOf(el).cursor === "pointer" || call(el, "closest", `[title], ${PRESSED}`)) {
    return false;
  }
  if (isHintOfField(el) || isCommand(el)) return false;
  let whole = el;
  while (!isCell(whole)) {
    const parent = parentOf(whole);
    if (!parent || fold(member(parent, "textContent")) !== text) break;
    whole = parent;
  }
  const parent = parentOf(whole);
  return isCell(whole) || !DOTS.test(text) || !parent || !findAll(parent, "a, button").length;
}

/**
 * Whether a text stands in place of a field's value, as "Select…" does: the field says that the text
 * describes it, or the text is painted over it.
 * @param {Element} el
 */
function isHintOfField(el) {
  const id = attributeOf(el, "id");
  const isDescription = (/** @type {Element} */ field) =>
    !!id && (attributeOf(field, "aria-describedby") || "").split(/\s+/).includes(id);
  const around = parentOf(el);
  return findAll(around ?? el, HINTED_FIELDS).some(
    (field) => isDescription(field) || overlap(boxOf(field), boxOf(el)),
  );
}

/**
 * Whether a text is one of the entries of a menu, as "Open…" is: of a list in another list's entry,
 * and followed by one that is no loading text.
 * @param {Element} el
 */
function isCommand(el) {
  const entry = call(el, "closest", "li");
  const next = entry && member(entry, "nextElementSibling");
  const list = entry && parentOf(entry);
  const isInMenu = !!list && tagOf(parentOf(list) ?? list) === "LI";
  return isInMenu && !!next && !isLoadingText(fold(member(next, "textContent")));
}

/** @param {Element} el */
function isCell(el) {
  return /^(TD|TH|DD)$/.test(tagOf(el)) || saidRole(el) === "cell";
}

/** @param {Element} el Whether words stand beside it on its line */
function isPartOfSentence(el) {
  const siblings = [member(el, "previousSibling"), member(el, "nextSibling")];
  const isText = (node) => node?.nodeType === Node.TEXT_NODE && /\p{L}\s*$/u.test(node.data);
  return siblings.some(isText);
}

/**
 * The elements that paint nothing but animated grey boxes, and turning marks.
 * @param {Document | ShadowRoot} root
 * @returns {Element[]}
 */
function animatedBoxesIn(root) {
  const found = [];
  for (const animation of /** @type {Animation[]} */ (call(root, "getAnimations"))) {
    const effect = /** @type {KeyframeEffect} */ (animation.effect);
    const target = effect?.target;
    if (!target || animation.playState !== "running") continue;
    if (effect.getComputedTiming().iterations !== Infinity) continue;
    if (fold(visibleText(target))) {
      if (effect.pseudoElement && hasKeyframe(effect, "content")) found.push(target);
    } else if (isTurning(effect) || isGreyBox(target)) found.push(target);
  }
  return found;
}

/**
 * @param {KeyframeEffect} effect
 * @param {string} property
 */
function hasKeyframe(effect, property) {
  return effect.getKeyframes().some((frame) => property in frame);
}

/** @param {KeyframeEffect} effect */
function isTurning(effect) {
  return effect.getKeyframes().some((frame) => {
    const turned = /(-?[\d.]+)(deg|turn|rad)/.exec(
      `${frame.rotate ?? ""} ${frame.transform ?? ""}`,
    );
    return !!turned && Math.abs(Number(turned[1])) >= { deg: 180, turn: 0.5, rad: 3 }[turned[2]];
  });
}

/**
 * Whether something without text paints grey boxes: itself, or what is in it.
 * @param {Element} el
 */
function isGreyBox(el) {
  if (findAll(el, "img, canvas, video, input, svg").length) return false;
  return [el, ...findAll(el, "*")].some((part) => {
    const box = boxOf(part);
    if (box.width < MIN_BOX.width || box.height < MIN_BOX.height) return false;
    if (box.width >= innerWidth && box.height >= innerHeight) return false; // a backdrop
    const style = styleOf(part);
    return isGrey(`${style.backgroundColor} ${style.backgroundImage}`);
  });
}

/**
 * Whether at least one visible colour is named, and all of them are grey.
 * @param {string} colours The value of a style
 */
function isGrey(colours) {
  if (/url\(/.test(colours)) return false;
  const parts = [...colours.matchAll(/rgba?\(([^)]*)\)/g)].map((m) =>
    m[1].split(/[ ,/]+/).map(Number),
  );
  const painted = parts.filter(([, , , alpha = 1]) => alpha > 0);
  const isPale = (/** @type {number[]} */ colour) => {
    const parts = colour.slice(0, 3);
    return Math.max(...parts) - Math.min(...parts) <= MAX_COLOUR;
  };
  return painted.length > 0 && painted.every(isPale);
}
