// A form's fields hide the form's members of the same name (<input name=closest>), and so do named
// pictures and forms those of the document (<img name=body>). Members are then read from the prototype.

// Those that are read of every element, for which the general way would take twice the time.
const GET_ATTRIBUTE = Element.prototype.getAttribute;
const GET_BOX = Element.prototype.getBoundingClientRect;

const GET_PARENT_NODE = getterOf(Node.prototype, "parentNode");
const GET_PARENT_ELEMENT = getterOf(Node.prototype, "parentElement");
const GET_SHADOW_ROOT = getterOf(Element.prototype, "shadowRoot");
const GET_ATTRIBUTE_NAMES = Element.prototype.getAttributeNames;

/**
 * @param {object} prototype
 * @param {string} name
 * @returns {() => any}
 */
function getterOf(prototype, name) {
  return /** @type {any} */ (Object.getOwnPropertyDescriptor(prototype, name)?.get);
}

/**
 * What `node[name]` would be if nothing hid it.
 * @param {string} name
 */
function member(node, name) {
  const tag = tagOf(node);
  const mayHide = tag === "FORM" || (!tag && GET_NODE_TYPE.call(node) === Node.DOCUMENT_NODE);
  return mayHide ? Reflect.get(Object.getPrototypeOf(node), name, node) : node[name];
}

/**
 * Calls the method `name` of a node, even if something hides it.
 * @param {string} name
 * @param {any[]} args
 */
function call(node, name, ...args) {
  return member(node, name).apply(node, args);
}

/**
 * @param {Element} el
 * @param {string} name
 */
function attributeOf(el, name) {
  const known = el === lastAsked ? lastKnown : knownOf(el);
  if (!known) return GET_ATTRIBUTE.call(el, name);
  // Most elements have none of those that are asked for.
  known.attributes ??= GET_ATTRIBUTE_NAMES.call(el);
  return known.attributes.includes(name) ? GET_ATTRIBUTE.call(el, name) : null;
}

/**
 * Whether an element has any attribute, as few texts have.
 * @param {Element} el
 */
function hasAttributes(el) {
  return namesOfAttributes(el).length > 0;
}

/** @param {Element} el */
function namesOfAttributes(el) {
  const known = el === lastAsked ? lastKnown : knownOf(el);
  if (!known) return GET_ATTRIBUTE_NAMES.call(el);
  known.attributes ??= GET_ATTRIBUTE_NAMES.call(el);
  return known.attributes;
}

/**
 * Whether an element has any attribute for screen readers, as few have.
 * @param {Element} el
 */
function hasAria(el) {
  const names = namesOfAttributes(el);
  return names.length > 0 && names.some(isAria);
}

/** @param {string} name */
function isAria(name) {
  return name.startsWith("aria-");
}

/**
 * @param {Node} node
 * @returns {Element | null}
 */
function parentOf(node) {
  return GET_PARENT_ELEMENT.call(node);
}

/**
 * The text of an element as it is shown; also of one that has no innerText, such as a drawing.
 * @param {Node} el
 * @returns {string | null}
 */
function visibleText(el) {
  return member(el, "innerText") ?? member(el, "textContent");
}

/** @param {Element} el */
function boxOf(el) {
  const known = el === lastAsked ? lastKnown : knownOf(el);
  if (!known) return GET_BOX.call(el);
  known.box ??= GET_BOX.call(el);
  return known.box;
}

/**
 * The elements inside that match, as an array.
 * @param {Node} root
 * @param {string} css
 */
function findAll(root, css) {
  return [...call(root, "querySelectorAll", css)];
}

/** The whole text that the page shows. */
function pageText() {
  const body = member(document, "body");
  return body ? visibleText(body) || "" : "";
}
