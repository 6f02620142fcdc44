// How what looks alike is painted: its colours, its ground, its edge.

/**
 * How an element and the text in it are painted, as one text.
 * @param {Element} el
 */
function paintOf(el) {
  const inner = innermostOf(el);
  return [el, inner].map((part) => paintOfStyle(styleOf(part))).join("|");
}

/** @param {CSSStyleDeclaration} style */
function paintOfStyle(style) {
  const { color, fontWeight, textDecorationLine, opacity } = style;
  const { backgroundColor, backgroundImage, borderColor, borderStyle, boxShadow } = style;
  const ground = `${backgroundColor} ${backgroundImage} ${boxShadow}`;
  return `${color} ${fontWeight} ${textDecorationLine} ${opacity} ${ground} ${borderColor} ${borderStyle}`;
}

/**
 * What holds the text of an element that is nothing but that.
 * @param {Element} el
 * @returns {Element}
 */
function innermostOf(el) {
  const children = childrenOf(el);
  return children.length === 1 && children[0] && !hasOwnText(el) ? innermostOf(children[0]) : el;
}
