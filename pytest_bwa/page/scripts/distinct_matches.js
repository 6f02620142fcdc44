// Uses: prelude/known.js
// Uses: prelude/members.js
// Uses: prelude/tags.js
// Uses: prelude/visibility.js

/**
 * How many visible elements match besides the chosen one, each with what is inside it as one; -1 if
 * the chosen one is not among them.
 * @param {any[]} matches
 */
function distinctMatches(chosen, matches) {
  if (!matches.includes(chosen)) return -1;
  // A label and its field are one thing.
  const ownerOf = (/** @type {any} */ el) => call(el, "closest", "label")?.control ?? el;
  const isPartOf = (/** @type {any} */ one, /** @type {any} */ other) => {
    const [first, second] = [ownerOf(one), ownerOf(other)];
    return call(first, "contains", second) || call(second, "contains", first);
  };
  const kept = [chosen];
  for (const match of matches) {
    if (takesRoom(match) && !kept.some((one) => isPartOf(one, match))) kept.push(match);
  }
  return kept.length - 1;
}
