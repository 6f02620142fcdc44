// A dialog that no role and no attribute calls one: a box in front of a shade that covers the page.
// What a person takes for one is found by what is painted at a few places of the screen, one above
// the other. Where a part of this does not fit, there is no dialog and the whole page is listed.

const CORNERS = [0.02, 0.98]; // of the width and height of the screen
const POINTS = [0.1, 0.3, 0.5, 0.7, 0.9];
const SHADE = [0.1, 0.95]; // how opaque: less is for catching the pointer, more hides the page
const BOX = 0.5; // what a box is at least; a menu over the whole screen has none
const SEE_THROUGH = /transparent|rgba\(|\/ [\d.]+\)/; // a part of a gradient
const SHOWS_ALONE = "input, select, textarea, button, img";

/** The outermost element of a dialog in front of a shade; null if there is none. */
function shadedDialog() {
  const shade = pageShade();
  if (!shade) return null;
  const stacks = POINTS.flatMap((x) => POINTS.map((y) => paintedAt(x, y)));
  const shaded = stacks.flatMap((stack) => shadedIn(stack, shade));
  if (!shaded.length) return null; // it is the background of a page
  const fronts = stacks
    .map((stack) => stack.slice(0, stack.indexOf(shade) + 1)[0])
    .filter((front) => front && front !== shade && !coversScreen(front));
  return mostFrequent(fronts.map((front) => dialogAround(front, shaded)));
}

/** What covers the page and lets it be seen, at both corners of a side at least. */
function pageShade() {
  for (const x of CORNERS) {
    const [shade, other] = CORNERS.map((y) => shadeIn(paintedAt(x, y)));
    if (shade && shade === other) return shade;
  }
  return null;
}

/**
 * The elements at a place of the screen, what is in front before what is behind.
 * @param {number} x Share of the width
 * @param {number} y Share of the height
 * @returns {Element[]}
 */
function paintedAt(x, y) {
  const inside = (/** @type {any} */ root) => {
    const found = call(root, "elementsFromPoint", x * innerWidth, y * innerHeight);
    const own = found.filter((/** @type {Element} */ el) => call(el, "getRootNode") === root);
    return own.flatMap((/** @type {Element} */ el) => {
      const shadowRoot = GET_SHADOW_ROOT.call(el);
      return shadowRoot ? [...inside(shadowRoot), el] : [el];
    });
  };
  return inside(document);
}

/**
 * The first of these elements that can be seen, if it is a shade over the whole screen.
 * @param {Element[]} stack
 */
function shadeIn(stack) {
  for (const el of stack) {
    if (!coversScreen(el)) return null;
    const alpha = backgroundAlpha(el);
    const isClear = alpha < SHADE[0] && styleOf(el).backdropFilter === "none";
    if (!isClear) return alpha <= SHADE[1] && isFixed(el) ? el : null;
  }
  return null;
}

/** @param {Element} el */
function coversScreen(el) {
  const box = boxOf(el);
  const [least, most] = CORNERS;
  const isWide = box.left <= least * innerWidth && box.right >= most * innerWidth;
  return isWide && box.top <= least * innerHeight && box.bottom >= most * innerHeight;
}

/**
 * Whether an element stays where it is when the page is scrolled.
 * @param {Element} el
 */
function isFixed(el) {
  for (let up = /** @type {Element | null} */ (el); up; up = flatParent(up)) {
    if (styleOf(up).position === "fixed") return true;
  }
  return false;
}

/**
 * How much of what is behind an element its background hides, from 0 to 1.
 * @param {Element} el
 */
function backgroundAlpha(el) {
  const { backgroundColor, backgroundImage, opacity } = styleOf(el);
  if (backgroundImage !== "none" && !SEE_THROUGH.test(backgroundImage)) return 1;
  const found = /^rgba\(.*, ([\d.e-]+)\)$|\/ ([\d.e-]+)\)$/.exec(backgroundColor);
  return Number(found?.[1] ?? found?.[2] ?? 1) * Number(opacity);
}

/**
 * What a shade covers of what a page tells or offers at a place.
 * @param {Element[]} stack
 * @param {Element} shade
 */
function shadedIn(stack, shade) {
  const at = stack.indexOf(shade);
  const behind = at < 0 ? [] : stack.slice(at + 1).filter((el) => !holds(el, shade));
  return behind.filter((el) => hasOwnText(el) || call(el, "matches", SHOWS_ALONE));
}

/**
 * The outermost element around what is in front of a shade that holds nothing of what is behind; null
 * if it is no box that is placed over the page, or if nothing in it can be read and pressed.
 * @param {Element} front
 * @param {Element[]} shaded
 */
function dialogAround(front, shaded) {
  const around = [];
  for (let up = /** @type {Element | null} */ (front); up; up = flatParent(up)) {
    if (shaded.some((el) => holds(/** @type {Element} */ (up), el))) break;
    around.push(up);
  }
  const isBox = around.some((el) => !coversScreen(el) && backgroundAlpha(el) >= BOX);
  const isOver = around.some((el) => /^(fixed|absolute)$/.test(styleOf(el).position));
  const dialog = around.at(-1);
  if (!dialog || !isBox || !isOver || !flatText(dialog)) return null;
  return controlsIn(dialog).length ? dialog : null;
}

/** @param {(Element | null)[]} elements */
function mostFrequent(elements) {
  /** @type {Map<Element, number>} */
  const counts = new Map();
  for (const el of elements) if (el) counts.set(el, (counts.get(el) ?? 0) + 1);
  const most = Math.max(...counts.values());
  return [...counts].find(([, count]) => count === most)?.[0] ?? null;
}
