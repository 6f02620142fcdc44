// Uses: prelude/elements.js

// Which elements listen to a press. Inline listeners can be read; those that a page adds in a script
// are only known to who sees them being added.

const PRESSES = new Set([
  ...["click", "dblclick", "mousedown", "mouseup"],
  ...["pointerdown", "pointerup", "touchstart", "touchend"],
]);
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
  // A form's field of that name is no function. Each is named, because this is asked of all elements.
  return (
    typeof el.onclick === "function" ||
    typeof el.onmousedown === "function" ||
    typeof el.onpointerdown === "function" ||
    typeof el.ondblclick === "function" ||
    typeof el.ontouchstart === "function"
  );
}
