// Counts the changes of a document and of the shadow roots in it.
let changeCount = 0;
let textChangeCount = 0; // of them, those that are no attribute's
/** @type {Set<Document | ShadowRoot>} */
const watchedRoots = new Set();
let searchedAt = -1; // the change count when shadow roots were last looked for
const MAX_CHANGES = 2000; // that are kept; of a page with more, nothing is known
/** What has changed since the document was read last. */
const changesSinceReading = {
  /** @type {Set<Node>} */
  targets: new Set(), // something in them has changed
  /** @type {Set<Node>} */
  painted: new Set(), // texts that are new, and elements that are new or may look otherwise
  /** @type {Set<Node>} */
  parents: new Set(), // of such elements, and of those that are gone
  isOverflowing: false,
};
const mutationObserver = new MutationObserver((records) => {
  changeCount++;
  for (const record of records) if (!changesSinceReading.isOverflowing) keepChange(record);
  if (records.some((record) => record.type !== "attributes")) textChangeCount++;
});

/** @param {MutationRecord} record */
function keepChange({ type, target, addedNodes, removedNodes }) {
  const { targets, painted, parents } = changesSinceReading;
  targets.add(target);
  if (type === "attributes") parents.add(/** @type {Node} */ (GET_PARENT_NODE.call(target)));
  if (type !== "childList") painted.add(target);
  for (const node of addedNodes) painted.add(node);
  if ([...addedNodes, ...removedNodes].some((node) => node.nodeType === Node.ELEMENT_NODE)) {
    parents.add(target);
  }
  if (painted.size + targets.size <= MAX_CHANGES) return;
  for (const node of painted) if (!member(node, "isConnected")) painted.delete(node);
  for (const node of targets) if (!member(node, "isConnected")) targets.delete(node);
  changesSinceReading.isOverflowing = painted.size + targets.size > MAX_CHANGES / 2;
}

/** Whether it is known what has changed since the document was read last, and something has. */
function hasChanged() {
  return changesSinceReading.targets.size > 0 && !changesSinceReading.isOverflowing;
}

/** The document is being read. */
function forgetChanges() {
  for (const nodes of [
    changesSinceReading.targets,
    changesSinceReading.painted,
    changesSinceReading.parents,
  ])
    nodes.clear();
  changesSinceReading.isOverflowing = false;
}

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
