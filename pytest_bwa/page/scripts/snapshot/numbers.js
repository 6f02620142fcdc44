// Elements keep their number as long as they exist; actions name them by it, together with the key
// of their document.
let nextNumber = 0;
/** @type {WeakMap<Element, number>} */
const numbersOfElements = new WeakMap();
/** @type {Map<number, WeakRef<Element>>} */
const numberedElements = new Map();

/** @param {Element} el */
function numberOf(el) {
  let number = numbersOfElements.get(el);
  if (number === undefined) {
    number = nextNumber++;
    numbersOfElements.set(el, number);
    numberedElements.set(number, new WeakRef(el));
  }
  return number;
}

/**
 * The element with that number, also after it was taken out of the page, for what an action may have
 * changed in it.
 * @param {string} key Of its document
 * @param {number} number
 */
function numberedElement(key, number) {
  return key === documentKey() ? (numberedElements.get(number)?.deref() ?? null) : null;
}

/**
 * The element with that number, if it is still in the page.
 * @param {string} key Of its document
 * @param {number} number
 */
function elementOf(key, number) {
  const el = numberedElement(key, number);
  return el && isInPage(el) ? el : null;
}

/** @param {Element} el */
function isInPage(el) {
  return member(el, "isConnected") && member(el, "ownerDocument") === document;
}
