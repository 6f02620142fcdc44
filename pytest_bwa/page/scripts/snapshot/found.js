// What the action `find` has found joins the list of elements, so that it can be acted on.

const FOUND_LENGTH = 300;
/** @type {WeakSet<Element>} */
const foundElements = new WeakSet();
/** @type {WeakMap<Element, string>} */
let rolesInList = new WeakMap(); // of the elements that were read last

/** @param {Reading} reading */
function rememberList(reading) {
  rolesInList = new WeakMap(reading.elements.map((el, at) => [el, reading.nodes[at].role]));
}

/**
 * Takes an element into the list from now on.
 * @param {Element} el
 */
function listFound(el) {
  if (foundElements.has(el)) return;
  foundElements.add(el);
  changeCount++; // the page has to be read again
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
