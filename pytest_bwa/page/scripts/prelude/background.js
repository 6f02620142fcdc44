const UNPAINTED_BACKGROUND = "transparent"; // no style is computed to this word

/**
 * Whether an element, or what a style sheet adds to one, paints something, with or without a text.
 * @param {CSSStyleDeclaration} style
 */
function paintsGround(style) {
  if (style.opacity === "0" || style.visibility !== "visible") return false;
  return hasGround(style) || (style.backdropFilter ?? "none") !== "none";
}

/** @param {CSSStyleDeclaration} style Whether it has a colour or a picture behind what it shows */
function hasGround({ backgroundColor, backgroundImage }) {
  return !CLEAR.test(backgroundColor) || backgroundImage !== "none";
}

/**
 * The colour behind a text; empty if a picture, or only the page, is behind it.
 * @param {Element | null} el
 * @param {string} paper The colour of a page that sets none
 */
function backgroundOf(el, paper = "rgb(255, 255, 255)") {
  const painted = paintedBackground(el);
  return painted === UNPAINTED_BACKGROUND ? paper : painted;
}

/**
 * @param {Element | null} el
 * @returns {string}
 */
function paintedBackground(el) {
  return el ? once(el, "background", backgroundNow) : UNPAINTED_BACKGROUND;
}

/**
 * @param {Element} el
 * @returns {string}
 */
function backgroundNow(el) {
  const { backgroundImage, backgroundColor } = styleOf(el);
  if (backgroundImage !== "none") return "";
  return CLEAR.test(backgroundColor) ? paintedBackground(flatParent(el)) : backgroundColor;
}
