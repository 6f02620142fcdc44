// Uses: prelude/members.js

// Which elements react to a press. The main world announces those that got a listener from a script;
// inline listeners are attributes, and can be read.

const HANDLERS = ["onclick", "onmousedown", "onpointerdown", "ondblclick", "ontouchstart"];
const HAS_ATTRIBUTE = Element.prototype.hasAttribute;
/** @type {WeakMap<Element, boolean>} */
const announcedListeners = new WeakMap();

/** @param {any} el Whether it has a listener of its own */
function listensToPress(el) {
  const announced = announcedListeners.get(el);
  return announced ?? HANDLERS.some((name) => HAS_ATTRIBUTE.call(el, name));
}
