// Uses: prelude/members.js

// Counts the changes of a document and of the shadow roots in it.
let changeCount = 0;
let textChangeCount = 0; // of them, those that are no attribute's
/** @type {Set<Document | ShadowRoot>} */
const watchedRoots = new Set();
let searchedAt = -1; // the change count when shadow roots were last looked for
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

/** A script may have attached one without being noticed. */
function searchShadowRoots() {
  searchedAt = -1;
}

/** @param {Element} el */
function watchRootOf(el) {
  const root = GET_SHADOW_ROOT.call(el);
  if (root) watchRoot(root);
}

/** Begins to count; what changes no node, but what the page shows, is counted by its events. */
function watchChanges() {
  if (!watchedRoots.has(document)) {
    watchRoot(document);
    searchedAt = -1; // a script that comes late finds shadow roots already there
  }
  const input = ["input", "change", "toggle"];
  const movement = ["popstate", "scroll", "transitionend", "animationend"];
  for (const event of [...input, ...movement]) {
    call(document, "addEventListener", event, countChange, true);
  }
}

function countChange() {
  changeCount++;
}
