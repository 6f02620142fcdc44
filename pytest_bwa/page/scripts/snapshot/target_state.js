// What an action may change at its element without changing what the page's list shows: classes and
// other attributes, the look, and how far something is scrolled.
const MAX_PARENTS = 3;
const MAX_BESIDE = 12;
const MAX_INSIDE = 30;
const ATTRIBUTE_LENGTH = 120;
// The list shows the value of a field; the numbers of a drawing say nothing to anybody.
const UNREPORTED_ATTRIBUTES = new Set(
  (
    "id class value tabindex nonce for d points x y width height viewBox aria-controls aria-owns " +
    "aria-details aria-labelledby aria-describedby aria-activedescendant"
  ).split(" "),
);
// Attributes of libraries, and those of a moment: under the pointer, in focus, while it moves.
const LIBRARYS_ATTRIBUTE = /^(?!aria-|data-).*-|focus|hover|animat|ripple/i;
// A key that a program has made, such as that of the tooltip which opens.
const MADE_KEY = /^(?=.*[a-z])(?=.*[A-Z])(?=.*(?:\d|[A-Z][a-z]?[A-Z][a-z]?[A-Z]))[\w-]{12,}$/;
const REPORTED_AROUND = /^(hidden|open|aria-.*|data-state)$/;
const LOOKS = [
  ...["display", "visibility", "opacity", "color", "backgroundColor", "backgroundImage"],
  ...["borderColor", "outlineStyle", "textDecorationLine", "transform"],
];

/**
 * The state of an element and of what is around it, as JSON text; null for one that is gone.
 * @param {Element | null} el The focused element if it is null
 */
function targetState(el) {
  if (el && !isInPage(el)) return null;
  const target = el ?? focusedElement();
  const parts = target ? partsAround(target).map(([part, place]) => stateOfPart(part, place)) : [];
  const scrolled = target ? [target, ...panelsAround(target)].map(scrollOf).filter(Boolean) : [];
  const page = scrollOf(/** @type {Element} */ (document.scrollingElement));
  return toJsonText({
    changes: changeCount,
    scrolled: page ? [...scrolled, page] : scrolled,
    parts,
  });
}

/** @param {Element} el */
function panelsAround(el) {
  return panelsOf(el).filter((panel) => panel !== document.scrollingElement);
}

/**
 * The element, what is inside, around and beside it, each with its place.
 * @param {Element} el
 */
function partsAround(el) {
  /** @type {[Element, string][]} */
  const parts = [[el, ""]];
  for (const inside of paintedInside(el).slice(0, MAX_INSIDE)) parts.push([inside, "inside"]);
  let up = flatParent(el);
  for (let n = 0; up && n < MAX_PARENTS && !/^(BODY|HTML|SLOT)$/.test(tagOf(up)); n++) {
    parts.push([up, "around"]);
    up = flatParent(up);
  }
  const parent = parentOf(el);
  const siblings = parent ? childrenOf(parent) : [];
  const at = siblings.indexOf(el);
  const near = siblings.slice(Math.max(0, at - MAX_BESIDE / 2), at + MAX_BESIDE / 2);
  for (const beside of near) if (beside !== el) parts.push([beside, "beside"]);
  return parts;
}

/**
 * @param {Element} el
 * @param {string} place
 */
function stateOfPart(el, place) {
  const style = /** @type {any} */ (styleOf(el));
  /** @type {Record<string, string>} */
  const look = {};
  for (const name of LOOKS) look[name] = style[name];
  const { x, y, width, height } = boxOf(el);
  look.box = [x + scrollX, y + scrollY, width, height].map(Math.round).join(" ");
  const tag = tagOf(el).toLowerCase();
  const number = numberOf(el);
  const classes = spokenClasses(attributeOf(el, "class") ?? "");
  return { number, place, tag, attributes: attributesOf(el, place), classes, look };
}

/**
 * @param {Element} el
 * @param {string} place
 */
function attributesOf(el, place) {
  /** @type {Record<string, string>} */
  const attributes = {};
  const isOwn = (place === "" || place === "inside") && !isSecret(el);
  for (const { name, value } of el.attributes) {
    if (UNREPORTED_ATTRIBUTES.has(name) || LIBRARYS_ATTRIBUTE.test(name)) continue;
    if (!isOwn && !REPORTED_AROUND.test(name)) continue;
    if (name.startsWith("data-") && MADE_KEY.test(value)) continue;
    attributes[name] = cutText(value.trim(), ATTRIBUTE_LENGTH);
  }
  if (place !== "around" && tagOf(el) === "SVG")
    attributes.drawing = el.innerHTML.length.toString();
  return attributes;
}

/**
 * What an element is called, and how far it is scrolled of how far it can be; null if it is none
 * that scrolls.
 * @param {Element} el
 */
function scrollOf(el) {
  if (!el || tagOf(el) === "INPUT") return null; // a long text in a field of one line
  const at = scrollPlace(el);
  const [, , mostAcross = 0, mostDown = 0] = at;
  if (mostAcross < 2 && mostDown < 2) return null;
  const number = el === document.scrollingElement ? -1 : numberOf(el);
  return { number, name: scrollerName(el), at };
}
