// Which elements match. At one go, the browser finds all of the page in less time than it takes to ask
// each of them.

/**
 * @param {Element} el
 * @param {string} css
 * @returns {boolean}
 */
function matches(el, css) {
  if (!knownElements) return call(el, "matches", css);
  return (knownMatches.get(css) ?? matchesOf(css)).has(el);
}

/**
 * Whether something inside an element matches, without what is in shadow roots.
 * @param {Element} el
 * @param {string} css
 */
function hasInside(el, css) {
  if (!knownElements) return call(el, "querySelector", css) !== null;
  return (knownHolders.get(css) ?? holdersOf(css)).has(el);
}

/**
 * The innermost element that matches: the element itself, or what it is in.
 * @param {Element} el
 * @param {string} css
 * @returns {Element | null}
 */
function closest(el, css) {
  return mayHave(css) ? call(el, "closest", css) : null;
}

/**
 * Whether something in the page may match: false only where it is known that nothing does.
 * @param {string} css
 */
function mayHave(css) {
  return !knownElements || matchesOf(css).size > 0;
}

/**
 * All of the page that match, while it is read at one go.
 * @param {string} css
 */
function matchesOf(css) {
  let found = knownMatches.get(css);
  if (!found) {
    found = new Set();
    for (const root of rootsOfPage()) for (const el of findAll(root, css)) found.add(el);
    knownMatches.set(css, found);
  }
  return found;
}

/**
 * All of the page that have something inside that matches.
 * @param {string} css
 */
function holdersOf(css) {
  let holders = knownHolders.get(css);
  if (!holders) {
    holders = new Set();
    knownHolders.set(css, holders);
    for (const el of matchesOf(css)) {
      let up = GET_PARENT_NODE.call(el);
      for (; up && !holders.has(up); up = GET_PARENT_NODE.call(up)) holders.add(up);
    }
  }
  return holders;
}
