// What is said of an element, or shown of it, beyond its name.

const NOTE_LENGTH = 120;

/**
 * What a label says of an element that is called by what it shows.
 * @param {Element} el
 * @param {string} text What it shows
 */
function labelBesideText(el, text) {
  const label = shorten(textOfIds(el, "aria-labelledby")) || shorten(attributeOf(el, "aria-label"));
  return label && !text.toLowerCase().includes(label.toLowerCase()) ? [`label="${label}"`] : [];
}

/**
 * The text that a person sees where a label says something else; of an option, also a sign.
 * @param {string} name
 * @param {string} role
 */
function hiddenTextOf(el, name, role) {
  const isLabelled = attributeOf(el, "aria-label") || attributeOf(el, "aria-labelledby");
  if (!isLabelled && !labelsBeside(el).length) return [];
  const text = isField(el) ? "" : shorten(paintedTextOf(el), NOTE_LENGTH);
  const isSaid = name.toLowerCase().includes(text.toLowerCase());
  const isIcon = role !== "option" && !saysSomething(text);
  return isSaid || !text || isIcon ? [] : [`text="${text}"`];
}

/**
 * What describes the element beyond its name.
 * @param {Element} el
 * @param {string} name
 * @param {string} role
 */
function noteOf(el, name, role) {
  if (!hasAttributes(el)) return null;
  const note = shorten(
    textOfIds(el, "aria-describedby") ||
      attributeOf(el, "aria-description") ||
      (role === "text" ? attributeOf(el, "aria-label") : "") || // of a tooltip that is not open
      tooltipBeside(el, role),
    NOTE_LENGTH,
  );
  return note && note !== name ? note : null;
}
