const GET_NODE_TYPE = /** @type {() => number} */ (
  Object.getOwnPropertyDescriptor(Node.prototype, "nodeType")?.get
);
const GET_LOCAL_NAME = /** @type {() => string} */ (
  Object.getOwnPropertyDescriptor(Element.prototype, "localName")?.get
);
/** @type {Map<string, string>} */
const TAGS = new Map(); // by local name

/**
 * The tag's name in capitals: XHTML and SVG have it in small letters, and a comment has none.
 * @param {Node | null | undefined} node
 */
function tagOf(node) {
  const known = node === lastAsked ? lastKnown : node && knownElements?.get(node);
  if (!known) return newTagOf(node);
  known.tag ??= newTagOf(node);
  return known.tag;
}

/** @param {Node | null | undefined} node */
function newTagOf(node) {
  if (!node || GET_NODE_TYPE.call(node) !== Node.ELEMENT_NODE) return "";
  const name = GET_LOCAL_NAME.call(node);
  let tag = TAGS.get(name);
  if (tag === undefined) {
    tag = name.toUpperCase();
    TAGS.set(name, tag);
  }
  return tag;
}
