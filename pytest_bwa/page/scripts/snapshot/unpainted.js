// Text that a page has, but nobody can see: in the colour of what is behind it, or too small.

const MAX_TEXTS = 10000; // that are looked at
const MAX_NEIGHBOURS = 100000; // boxes that are compared in one snapshot
const SAME_COLOUR = 8; // of 255, by which each part of two colours may differ
const MAX_COMPARED_COLOURS = 1000; // pairs; a page has few
/** @type {Map<string, boolean>} */
const comparedColours = new Map();
const PAINTS = "img, svg, video, canvas, picture, iframe, object, embed";

/** Finds the elements whose own text cannot be seen. Whatever may be behind a text lets it count. */
class Unpainted {
  constructor() {
    /** @type {WeakMap<Element, [Element, DOMRect][]>} */
    this.paintings = new WeakMap();
    /** @type {Element[]} */
    this.unseen = []; // the outermost with a text that are transparent or cut away
    this.compared = 0;
    const html = member(document, "documentElement"); // none yet where the page is just opened
    const isDark = html && /dark/.test(styleOf(html).colorScheme);
    this.paper = isDark || window !== window.parent ? "" : "rgb(255, 255, 255)";
  }

  /**
   * @param {Document | ShadowRoot} root
   * @returns {Set<Element>}
   */
  elementsIn(root) {
    const found = new Set();
    const texts = call(document, "createTreeWalker", root, NodeFilter.SHOW_TEXT);
    let last = /** @type {Element | null} */ (null);
    for (let left = MAX_TEXTS; left > 0 && texts.nextNode(); left--) {
      const el = parentOf(texts.currentNode);
      if (!el || el === last || !texts.currentNode.data.trim()) continue;
      last = el;
      if (isShown(el) ? isCutAway(el) : isShown(el, RENDERED)) this.addUnseen(el);
      if (!UNPAINTED.has(tagOf(el)) && this.isUnpainted(el)) found.add(el);
    }
    return found;
  }

  /** @param {Element} el */
  addUnseen(el) {
    const outer = this.unseen.at(-1);
    if (!outer || !holds(outer, el)) this.unseen.push(el);
  }

  isUnpainted(el) {
    const style = styleOf(el);
    const colour = style.webkitTextFillColor || style.color;
    const isHidden =
      parseFloat(style.fontSize) < MIN_FONT ||
      (CLEAR.test(colour)
        ? !isClippedToText(el)
        : isSameColour(colour, backgroundOf(el, this.paper)) && !this.isPaintedBehind(el));
    if (!isHidden || !isShown(el) || isField(el)) return false;
    return style.textShadow === "none" && !(parseFloat(style.webkitTextStrokeWidth) > 0);
  }

  // Whether something may be painted behind an element that is not around it.
  isPaintedBehind(el) {
    const box = boxOf(el);
    for (let up = el; up; up = flatParent(up)) {
      const pseudo = ["::before", "::after"].map((name) => getComputedStyle(up, name).content);
      if (pseudo.some((content) => !/^(none|normal)$/.test(content))) return true;
      const parent = flatParent(up);
      if (!parent) return false;
      const beside = this.paintingsIn(parent);
      this.compared += beside.length;
      if (this.compared > MAX_NEIGHBOURS) return true;
      if (beside.some(([one, itsBox]) => one !== up && overlap(itsBox, box))) return true;
    }
    return false;
  }

  /**
   * The elements directly in an element that paint more than text, with their boxes.
   * @returns {[Element, DOMRect][]}
   */
  paintingsIn(parent) {
    const known = this.paintings.get(parent);
    if (known) return known;
    const painting = childrenOf(parent).filter((child) => {
      const style = styleOf(child);
      const isPlain = style.backgroundImage === "none" && CLEAR.test(style.backgroundColor);
      return !isPlain || call(child, "matches", PAINTS) || findAll(child, PAINTS).length;
    });
    const boxes = painting.map(
      (child) => /** @type {[Element, DOMRect]} */ ([child, boxOf(child)]),
    );
    this.paintings.set(parent, boxes);
    return boxes;
  }
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
