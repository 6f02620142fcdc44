// Uses: prelude/json.js
// Uses: prelude/page_api.js
// Uses: prelude/panels.js

/** The document's key, and the numbers of the elements that a panel has scrolled out of view. */
function hiddenInPanels() {
  /** @type {Set<number>} */
  const numbers = new Set();
  for (const panel of findAll(document, "*").filter(scrolls)) {
    for (const el of findAll(panel, "*")) {
      if (!showsIn(panel, el)) numbers.add(pageApi().number(el));
    }
  }
  return toJsonText({ document: pageApi().document(), numbers: [...numbers] });
}
