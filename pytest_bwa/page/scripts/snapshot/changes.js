// Uses: snapshot/fades.js
// Uses: snapshot/fields.js
// Uses: snapshot/numbers.js

// The stamp of a document tells whether it has changed since it was read.
const MAX_COMPARED = 3000; // elements; on larger pages comparing costs as much as reading
let changeCount = 0;
let textChangeCount = 0; // of them, those that are no attribute's
// Style sheets may show something under the pointer or at the focus without changing any node. The
// page is then taken as changed only if its appearance differs; null: too large to compare.
let mayLookDifferent = false;
/** @type {string | null} */
let lastAppearance = null;
/** @type {Set<Document | ShadowRoot>} */
const watchedRoots = new Set();
let searchedAt = -1; // the change count when shadow roots were last looked for
const countChange = () => {
  changeCount++;
};
const mutationObserver = new MutationObserver((records) => {
  changeCount++;
  if (records.some((record) => record.type !== "attributes")) textChangeCount++;
});

/** @param {Document | ShadowRoot} root */
function watchRoot(root) {
  if (watchedRoots.has(root)) return;
  const everything = { subtree: true, childList: true, attributes: true, characterData: true };
  mutationObserver.observe(root, everything);
  watchedRoots.add(root);
}

/** The document and the open shadow roots in it, also those that were in the page's own source. */
function rootsOfPage() {
  if (searchedAt !== changeCount) {
    searchedAt = changeCount;
    for (const root of watchedRoots) for (const el of findAll(root, "*")) watchRootOf(el);
  }
  for (const root of watchedRoots) {
    if (root instanceof ShadowRoot && !root.isConnected) watchedRoots.delete(root);
  }
  return [...watchedRoots];
}

/** @param {Element} el */
function watchRootOf(el) {
  const root = member(el, "shadowRoot");
  if (root) watchRoot(root);
}

/**
 * @param {string} event
 * @param {() => void} work
 */
function watchEvent(event, work) {
  call(document, "addEventListener", event, work, true);
}

function watchChanges() {
  watchRoot(document);
  searchedAt = -1; // a script that comes late finds shadow roots already there
  const attachShadow = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function (...args) {
    const root = attachShadow.apply(this, args);
    watchRoot(root);
    return root;
  };
  const input = ["input", "change", "toggle"];
  const movement = ["popstate", "scroll", "transitionend", "animationend"];
  for (const event of [...input, ...movement]) watchEvent(event, countChange);
  for (const event of ["mouseover", "focusin", "focusout"]) {
    watchEvent(event, () => (mayLookDifferent = true));
  }
}

/** @param {string} text The page's visible text */
function appearance(text) {
  const all = call(document, "querySelectorAll", "*");
  if (watchedRoots.size > 1 || all.length > MAX_COMPARED) return null;
  let look = "";
  for (const el of all) {
    const box = isShown(el) && boxOf(el);
    // Closed menus may be kept to the left of the page or above it.
    look += box ? (box.right > 0 && box.bottom > 0 ? 2 : 1) : 0;
  }
  return look + text;
}

/** @param {string} text The page's visible text, which was just read */
function rememberAppearance(text) {
  mayLookDifferent = false;
  lastAppearance = appearance(text);
}

function stamp() {
  if (mayLookDifferent) {
    const looksSame = lastAppearance !== null && appearance(pageText()) === lastAppearance;
    if (!looksSame) changeCount++;
    mayLookDifferent = false;
  }
  // The key tells a reloaded document from the one before it.
  const roots = rootsOfPage();
  const focused = focusedField();
  const parts = [
    documentKey(),
    changeCount,
    location.href,
    Math.round(scrollY),
    fieldsHash(roots),
    fadesHash(roots),
    focused ? numberOf(focused) : "",
  ];
  return parts.join("|");
}
