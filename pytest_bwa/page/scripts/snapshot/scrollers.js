const MIN_SCROLLED = 10; // pixels; less hides nothing that could be read
const MIN_TEXT = 100; // characters of a text that may scroll

/**
 * Where something that scrolls stands: "scrolled 0 of 1,240", in pixels; empty if all of it is seen.
 * @param {Element} el
 */
function scrollPosition(el) {
  const down = scrolledPart(el.scrollTop, el.scrollHeight - el.clientHeight);
  const across = scrolledPart(el.scrollLeft, el.scrollWidth - el.clientWidth);
  const parts = [down, across && `${across} across`].filter(Boolean);
  return parts.length ? `scrolled ${parts.join(", ")}` : "";
}

/**
 * @param {number} at Negative in a text from right to left
 * @param {number} most
 */
function scrolledPart(at, most) {
  return most < MIN_SCROLLED ? "" : `${withCommas(Math.abs(at))} of ${withCommas(most)}`;
}

/**
 * Whether an element holds a short text alone, as most do. To measure each of 20,000 takes 100 ms.
 * @param {Element} el
 */
function isShortText(el) {
  if (tagOf(el) === "TEXTAREA") return false;
  return !GET_FIRST_ELEMENT.call(el) && member(el, "textContent").length < MIN_TEXT;
}

/**
 * Says where an element stands that scrolls: in its own line, or in one that is added for it.
 * @param {Element} el
 * @param {Place} place
 * @param {Reading} reading
 */
function addScroller(el, place, reading) {
  if (place.covered || isShortText(el) || !scrolls(el)) return;
  const position = scrollPosition(el);
  if (!position) return;
  if (reading.elements.at(-1) !== el) {
    const cutBefore = cutTexts;
    const label = textOfIds(el, "aria-labelledby") || attributeOf(el, "aria-label");
    reading.add(el, "scroller", shorten(label), place, cutBefore);
  }
  if (reading.elements.at(-1) === el) reading.nodes.at(-1).states.push(position);
}
