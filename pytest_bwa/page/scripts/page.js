// Uses: prelude/json.js
// Uses: prelude/secrets.js
// Uses: prelude/text.js
// Uses: snapshot/changes.js
// Uses: snapshot/found.js
// Uses: snapshot/layout.js
// Uses: snapshot/listeners.js
// Uses: snapshot/placeholders.js
// Uses: snapshot/numbers.js
// Uses: snapshot/scrollers.js
// Uses: snapshot/secret_places.js
// Uses: snapshot/target_state.js
// Uses: snapshot/walk.js

const PAGE_TEXT_LENGTH = 2000;
const CONTENT = "input, textarea, select, button, canvas, svg, img, [contenteditable]";
const FRAMES = "iframe, frame";

/**
 * Reads the document for the observation. It chooses what matters here, where an element costs
 * microseconds: Playwright's own snapshot of 20,000 elements takes over ten seconds.
 * @param {{ maxNodes: number }} options
 */
function snapshot({ maxNodes }) {
  const reading = new Reading(maxNodes);
  const waitedFor = placeholders();
  const rows = waitedFor.map((el) => call(el, "closest", "tr, [role=row]"));
  reading.placeholders = new Set([...waitedFor, ...rows]);
  const body = member(document, "body");
  if (body) walk(body, TOP_PLACE, reading);
  rememberList(reading);
  const text = pageText();
  rememberAppearance(text);
  return {
    nodes: reading.nodes,
    places: reading.places,
    left_out: reading.leftOut,
    counts: reading.counts,
    unnamed_pictures: reading.unnamedPictures,
    text: cutText(text, PAGE_TEXT_LENGTH),
    scroll: scrollPosition(document.scrollingElement ?? member(document, "documentElement")),
    loading: waitedFor.length > 0,
    language: languageOfPage(),
    state: stateOfDocument(text),
    title: member(document, "title"),
    url: location.href,
    stamp: stamp(),
    document: documentKey(),
  };
}

/** What the document says its language is, such as "de"; empty if it says nothing. */
function languageOfPage() {
  const html = member(document, "documentElement");
  return (html && attributeOf(html, "lang")?.trim()) || "";
}

/**
 * A hash of what the document shows: equal for equal texts and field values, unlike the stamp.
 * @param {string} text The page's visible text
 */
function stateOfDocument(text) {
  const roots = rootsOfPage();
  const inside = roots.filter((root) => root !== document).map(textOfRoot);
  const fields = contentOfFields(roots);
  const parts = [location.href, text, ...inside, "", ...fields, "", ...unwrittenStates(roots)];
  return hashOf(parts.join("\u0001"));
}

/**
 * What the text does not say: the names of pictures, and what is checked, chosen or open.
 * @param {(Document | ShadowRoot)[]} roots
 */
function unwrittenStates(roots) {
  const names = ["alt", "aria-label", "title", "aria-checked", "aria-selected", "aria-pressed"];
  const css = names.map((name) => `[${name}]`).join();
  const found = roots.flatMap((root) => findAll(root, css));
  return found.map((el) => names.map((name) => attributeOf(el, name) ?? "").join("|"));
}

/** @param {Document | ShadowRoot} root */
function textOfRoot(root) {
  const painted = [...root.childNodes].filter((node) => {
    if (node.nodeType === Node.TEXT_NODE) return true;
    const el = node.nodeType === Node.ELEMENT_NODE ? /** @type {Element} */ (node) : null;
    return el && !UNPAINTED.test(tagOf(el)) && isShown(el);
  });
  return painted.map(visibleText).join("\n");
}

/** Whether the page shows nothing yet, in its shadow roots and its own frames either. */
function isEmpty() {
  return rootsOfPage().every((root) => {
    const text = root === document ? pageText() : textOfRoot(root);
    return !text.trim() && !findAll(root, CONTENT).length && !findAll(root, FRAMES).some(isFilled);
  });
}

/** @param {Element} frame Of another site it is often a banner, and counts as nothing. */
function isFilled(frame) {
  const inner = /** @type {HTMLIFrameElement} */ (frame).contentDocument;
  if (!inner?.body || !isShown(frame)) return false;
  return Boolean((visibleText(inner.body) || "").trim()) || findAll(inner, CONTENT).length > 0;
}

/** Installs the page script once per document, as one hidden property of the window. */
function page() {
  if (pageApi()) return;
  watchChanges();
  watchListeners();
  const api = {
    snapshot: (options) => toJsonText(snapshot(options)),
    stamp,
    state: () => stateOfDocument(pageText()),
    targetState,
    layout: () => toJsonText(layoutOfDocument()),
    secretPlaces: placesOfSecrets,
    changes: () => changeCount,
    textChanges: () => textChangeCount,
    placeholders,
    isEmpty,
    fading: () => fadingElements(rootsOfPage()),
    element: (key, number) => (key === documentKey() ? elementOf(number) : null),
    document: documentKey,
    number: numberOf,
    listFound,
    roleInList: (el) => rolesInList.get(el) ?? "",
    secret: isSecret,
    secrets: KNOWN_SECRETS,
  };
  Object.defineProperty(window, Symbol.for("bwa"), { value: api, enumerable: false });
}
