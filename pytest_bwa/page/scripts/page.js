// Uses: prelude/secrets.js
// Uses: prelude/text.js
// Uses: snapshot/changes.js
// Uses: snapshot/numbers.js
// Uses: snapshot/walk.js

const PAGE_TEXT_LENGTH = 2000;
const LOADING = '[aria-busy="true"], [role="progressbar"]:not([aria-valuenow])';

/**
 * Reads the document for the observation. It chooses what matters here, where an element costs
 * microseconds: Playwright's own snapshot of 20,000 elements takes over ten seconds.
 * @param {{ maxNodes: number }} options
 */
function snapshot({ maxNodes }) {
  const reading = new Reading(maxNodes);
  const body = member(document, "body");
  if (body) walk(body, TOP_PLACE, reading);
  const text = pageText();
  rememberAppearance(text);
  return {
    nodes: reading.nodes,
    left_out: reading.leftOut,
    counts: reading.counts,
    unnamed_pictures: reading.unnamedPictures,
    text: cutText(text, PAGE_TEXT_LENGTH),
    loading: !!call(document, "querySelector", LOADING),
    title: member(document, "title"),
    url: location.href,
    stamp: stamp(),
    document: documentKey(),
  };
}

/** Installs the page script once per document, as one hidden property of the window. */
function page() {
  if (pageApi()) return;
  watchChanges();
  const api = {
    snapshot,
    stamp,
    changes: () => changeCount,
    element: (key, number) => (key === documentKey() ? elementOf(number) : null),
    document: documentKey,
    number: numberOf,
    secret: isSecret,
    secrets: KNOWN_SECRETS,
  };
  Object.defineProperty(window, Symbol.for("bwa"), { value: api, enumerable: false });
}
