// Which elements react to a press. The main world announces those that got a listener from a script;
// inline listeners are attributes, and can be read.

const HANDLERS = "[onclick], [onmousedown], [onpointerdown], [ondblclick], [ontouchstart]";
/** @type {WeakMap<Element, boolean>} */
const announcedListeners = new WeakMap();

// Whether it has a listener of its own
function listensToPress(el) {
  const announced = announcedListeners.get(el);
  return announced ?? matches(el, HANDLERS);
}
