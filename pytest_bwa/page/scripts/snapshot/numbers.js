// Elements keep their number as long as they exist; actions name them by it.
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
 * The element with that number, if it is still in the page.
 * @param {number} number
 */
function elementOf(number) {
  const el = numberedElements.get(number)?.deref();
  return el?.isConnected ? el : null;
}
