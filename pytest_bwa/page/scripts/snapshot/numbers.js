// Uses: prelude/members.js

// Elements keep their number as long as they exist; actions name them by it, together with the key
// of their document. A frame that navigates may keep its window, and with it this script.
/** @type {WeakMap<Document, string>} */
const keysOfDocuments = new WeakMap();
let nextNumber = 0;
/** @type {WeakMap<Element, number>} */
const numbersOfElements = new WeakMap();
/** @type {Map<number, WeakRef<Element>>} */
const numberedElements = new Map();

/** A text that no other document of this frame has. */
function documentKey() {
  let key = keysOfDocuments.get(document);
  if (key === undefined) {
    key = crypto.getRandomValues(new Uint32Array(2)).join("-");
    keysOfDocuments.set(document, key);
  }
  return key;
}

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
  if (!el) return null;
  return member(el, "isConnected") && member(el, "ownerDocument") === document ? el : null;
}
