/** @type {WeakMap<Document, string>} */
const keysOfDocuments = new WeakMap();

/** A text that no other document of this frame has: a frame that navigates may keep its window. */
function documentKey() {
  let key = keysOfDocuments.get(document);
  if (key === undefined) {
    key = crypto.getRandomValues(new Uint32Array(2)).join("-");
    keysOfDocuments.set(document, key);
  }
  return key;
}
