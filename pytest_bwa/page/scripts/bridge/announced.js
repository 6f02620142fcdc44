// What only the main world knows, told to the readers, who live in a world of their own: by events
// whose name no page knows.

const PRESSES = new Set([
  ...["click", "dblclick", "mousedown", "mouseup"],
  ...["pointerdown", "pointerup", "touchstart", "touchend"],
]);
const PRESS_HANDLERS = ["onclick", "onmousedown", "onpointerdown", "ondblclick", "ontouchstart"];
const NATIVE_LISTEN = EventTarget.prototype.addEventListener;
const NATIVE_DISPATCH = EventTarget.prototype.dispatchEvent;
const NATIVE_EVENT = CustomEvent;
const NATIVE_ROOT = Node.prototype.getRootNode;
/** @type {WeakSet<Element>} */
const pressed = new WeakSet();
/** @type {Set<WeakRef<Element>>} */
let unannounced = new Set();
let announcements = ""; // the name of the events

/** @param {string} name */
function openChannel(name) {
  announcements = name;
}

/**
 * @param {Node} node
 * @param {string} what
 */
function announce(node, what) {
  const detail = { bubbles: true, composed: true, detail: what };
  NATIVE_APPLY(NATIVE_DISPATCH, node, [new NATIVE_EVENT(announcements, detail)]);
}

/** @param {Node} node */
function rootOf(node) {
  return NATIVE_APPLY(NATIVE_ROOT, node, []);
}

/**
 * Whether an event from an element has it as its origin for a listener outside.
 * @param {Element} el
 */
function isOpenToDocument(el) {
  let root = rootOf(el);
  while (root instanceof ShadowRoot && root.mode === "open") root = rootOf(root.host);
  return root === document;
}

function listens(el) {
  return pressed.has(el) || PRESS_HANDLERS.some((name) => typeof el[name] === "function");
}

function answerReaders() {
  announce(document, "here");
  const waiting = unannounced;
  unannounced = new Set();
  for (const reference of waiting) {
    const el = reference.deref();
    if (!el) continue;
    if (isOpenToDocument(el)) announce(el, listens(el) ? "press" : "rest");
    else if (!el.isConnected) unannounced.add(reference);
  }
}

/** Remembers the elements that get a listener. A proxy looks native to the page. */
function watchListeners() {
  standIn(EventTarget.prototype, "addEventListener", (add, target, args) => {
    if (PRESSES.has(args[0]) && target instanceof Element && !pressed.has(target)) {
      pressed.add(target);
      unannounced.add(new WeakRef(target));
    }
    return NATIVE_APPLY(add, target, args);
  });
  for (const owner of [HTMLElement.prototype, SVGElement.prototype]) {
    for (const name of PRESS_HANDLERS) watchHandler(owner, name);
  }
  // A script that comes late finds handlers already there.
  for (const root of rootsOfPage()) {
    for (const el of findAll(root, "*")) if (listens(el)) unannounced.add(new WeakRef(el));
  }
}

/**
 * @param {object} owner
 * @param {string} name
 */
function watchHandler(owner, name) {
  const own = Object.getOwnPropertyDescriptor(owner, name);
  if (!own?.set) return;
  const set = new Proxy(own.set, {
    apply(set, target, args) {
      NATIVE_APPLY(set, target, args);
      unannounced.add(new WeakRef(target));
    },
  });
  Object.defineProperty(owner, name, { ...own, set });
}

function watchShadowRoots() {
  standIn(Element.prototype, "attachShadow", (attach, target, args) => {
    const root = NATIVE_APPLY(attach, target, args);
    if (root.mode === "open") watchRoot(root);
    if (isOpenToDocument(target)) announce(target, "root");
    return root;
  });
}

/**
 * Shows elements to the readers, which cannot be given them otherwise.
 * @param {Element[]} elements
 * @param {string} token
 */
function handOver(elements, token) {
  elements.forEach((el, at) => {
    if (isOpenToDocument(el)) announce(el, `hand ${token} ${at}`);
  });
}
