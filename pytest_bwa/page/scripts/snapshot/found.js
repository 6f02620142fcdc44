// What the action `find` has found joins the list of elements, so that it can be acted on.

const FOUND_LENGTH = 300;
const MAX_FOUND_LINES = 3; // of one element, the newest
/** @type {Map<Element, string[]>} */
const foundElements = new Map(); // each with the lines in which something was found
/** @type {WeakMap<Element, string>} */
let rolesInList = new WeakMap(); // of the elements that were read last

/** @param {Reading} reading */
function rememberList(reading) {
  rolesInList = new WeakMap(reading.elements.map((el, at) => [el, reading.nodes[at].role]));
}

/**
 * Takes an element into the list from now on, or as soon as it is shown.
 * @param {Element} el
 * @param {string[]} lines
 */
function listFound(el, ...lines) {
  const known = foundElements.get(el);
  if (known && lines.every((line) => known.includes(line))) return;
  const all = new Set([...(known ?? []), ...lines]);
  foundElements.set(el, [...all].slice(-MAX_FOUND_LINES));
  changeCount++; // the page has to be read again
}

/**
 * What was found in an element and its name, which is cut, does not say.
 * @param {string} name
 */
function foundBeyond(el, name) {
  const lines = (foundElements.get(el) ?? []).filter((line) => {
    return !name.includes(line.replace(/^…|…$/g, ""));
  });
  return lines.length ? [`found="${lines.join(" ⏎ ")}"`] : [];
}

/**
 * Adds an element that was found, and that no reading would list by itself.
 * @param {Element} el
 * @param {Place} place
 * @param {Reading} reading
 */
function addFound(el, place, reading) {
  if (reading.elements.includes(el)) return;
  const cutBefore = cutTexts;
  reading.add(el, "text", shorten(paintedTextOf(el), FOUND_LENGTH), place, cutBefore);
}

/**
 * Adds what was found where no reading looks, such as in a drawing.
 * @param {Reading} reading
 */
function addFoundElsewhere(reading) {
  for (const el of foundElements.keys()) {
    if (isInPage(el) && !isOutOfList(el)) addFound(el, TOP_PLACE, reading);
  }
}

/**
 * Whether an element is in no list because it, or what it stands in, is hidden or folded away.
 * @param {Element} el
 */
function isOutOfList(el) {
  for (let up = /** @type {Element | null} */ (el); up; up = flatParent(up)) {
    if (isFoldedAway(up) || !(isShownOrBoxless(up) || isReachable(up))) return true;
  }
  return false;
}
