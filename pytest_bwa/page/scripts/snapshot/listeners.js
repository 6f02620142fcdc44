// Uses: prelude/elements.js

// Which elements listen to a press. Inline listeners can be read; those that a page adds in a script
// are only known to who sees them being added.

const PRESSES = new Set([
  ...["click", "dblclick", "mousedown", "mouseup"],
  ...["pointerdown", "pointerup", "touchstart", "touchend"],
]);
const INLINE_PRESSES = ["onclick", "onmousedown", "onpointerdown", "ondblclick", "ontouchstart"];
/** @type {WeakSet<object>} */
const pressListeners = new WeakSet();

/** Remembers the elements to which a listener is added. A proxy looks native to the page. */
function watchListeners() {
  const prototype = EventTarget.prototype;
  prototype.addEventListener = new Proxy(prototype.addEventListener, {
    apply(add, target, args) {
      if (PRESSES.has(args[0]) && target instanceof Element) pressListeners.add(target);
      return Reflect.apply(add, target, args);
    },
  });
}

/** @param {any} el Whether it has a listener of its own */
function listensToPress(el) {
  if (pressListeners.has(el)) return true;
  // A form's field of that name is no function.
  return INLINE_PRESSES.some((name) => typeof el[name] === "function");
}
