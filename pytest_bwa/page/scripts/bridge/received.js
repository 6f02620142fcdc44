// What the main world tells the readers: events cross between the worlds, whose name no page knows.

let channel = "";
let hasAnswered = false;
/** @type {{ token: string, elements: Map<number, Element> }} */
let handed = { token: "", elements: new Map() };

/** @param {string} name */
function listenOn(name) {
  channel = name;
}

/** Asks for what is new; the answers arrive before it returns. */
function askMainWorld() {
  window.addEventListener(channel, receive, true); // document.open() removes it
  hasAnswered = false;
  document.dispatchEvent(new Event(`${channel}?`));
  return hasAnswered;
}

/**
 * The elements that were handed over with a token, by their place; they are forgotten here.
 * @param {string} token
 */
function takeHanded(token) {
  const elements = handed.token === token ? handed.elements : new Map();
  handed = { token: "", elements: new Map() };
  return elements;
}

function receive(event) {
  event.stopImmediatePropagation();
  const el = event.composedPath()[0];
  const [what, token, at] = String(event.detail).split(" ");
  if (what === "here") hasAnswered = true;
  else if (what === "press") announcedListeners.set(el, true);
  else if (what === "rest") announcedListeners.set(el, false);
  else if (what === "root") {
    watchRootOf(el);
    changeCount++;
  } else if (what === "hand") {
    if (handed.token !== token) handed = { token, elements: new Map() };
    handed.elements.set(Number(at), el);
  }
}
