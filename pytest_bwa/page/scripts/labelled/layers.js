// Uses: labelled/generated.js
// Uses: prelude/flat_tree.js

// What is placed over a text: a line through it, a bar, a pane that blurs it.

const MIDDLE_OF_LINE = [0.25, 0.75]; // of the height of a text; a line above or below it crosses nothing

/**
 * What is placed over the content of an element: the element, if it is one, from where to where it
 * reaches on the screen, and between which heights it paints something.
 * @typedef {{ el: any, left: number, right: number, bands: [number, number][] }} Layer
 */

// Whether something that is placed over a text, or over what the text stands in, crosses or hides it.
function isLayered(el, box) {
  const { left, right, width } = box;
  const isWide = (one) => Math.min(one.right, right) - Math.max(one.left, left) > width / 2;
  return layersOver(el).some(
    (layer) => isWide(layer) && isInMiddle(layer, box) && !(layer.el && holds(layer.el, el)),
  );
}

function isInMiddle({ bands }, { top, height }) {
  const [from, to] = MIDDLE_OF_LINE.map((share) => top + share * height);
  return bands.some(([upper, lower]) => upper < to && lower > from);
}

/** @returns {Layer[]} */
function layersOver(el) {
  return el ? once(el, "layersOver", layersOverNow) : [];
}

function layersOverNow(el) {
  const [own, outer] = [layersIn(el), layersOver(flatParent(el))];
  return own.length ? [...own, ...outer] : outer; // none of its own, as nearly all
}

/** @returns {Layer[]} */
function layersIn(el) {
  const added = pseudosOf(el).filter(isPlaced);
  const parts = flatChildren(el).filter((node) => tagOf(node) && isPlaced(styleOf(node)));
  const layers = [
    ...added.map((style) => layerOf(null, style, boxOfPseudo(el, style))),
    ...parts
      .filter((part) => isShown(part))
      .map((part) => layerOf(part, styleOf(part), boxOf(part))),
  ];
  return layers.filter(({ bands }) => bands.length);
}

// Whether an element is taken out of its line, and not behind it. What stays in place while the page
// scrolls covers a text only for the moment.
function isPlaced(style) {
  return style.position === "absolute" && !(+style.zIndex < 0);
}

/** @returns {Layer} */
function layerOf(el, style, { left, top, width, height }) {
  const bottom = top + height;
  const [upper, lower] = [style.borderTopWidth, style.borderBottomWidth].map(parseFloat);
  /** @type {[number, number][]} */
  const bands = [];
  if (paintsGround(style) || (el && DRAWN.has(tagOf(el)))) bands.push([top, bottom]);
  if (upper && style.opacity !== "0") bands.push([top, top + upper]);
  if (lower && style.opacity !== "0") bands.push([bottom - lower, bottom]);
  return { el, left, right: left + width, bands };
}

// The edges of a pseudo-element come in pixels, from those of what it is placed in.
function boxOfPseudo(el, style) {
  let outer = el;
  while (flatParent(outer) && styleOf(outer).position === "static") outer = flatParent(outer);
  const { left, top } = boxOf(outer);
  const sum = (...names) => names.reduce((all, name) => all + (parseFloat(style[name]) || 0), 0);
  const isWhole = style.boxSizing === "border-box";
  const around = (...names) => (isWhole ? 0 : sum(...names));
  return {
    left: left + sum("left", "marginLeft"),
    top: top + sum("top", "marginTop"),
    width:
      sum("width") + around("paddingLeft", "paddingRight", "borderLeftWidth", "borderRightWidth"),
    height:
      sum("height") + around("paddingTop", "paddingBottom", "borderTopWidth", "borderBottomWidth"),
  };
}
