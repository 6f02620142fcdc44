// Arrays of elements in another order, or by what they have in common.

/**
 * @template T
 * @param {readonly T[]} elements
 * @param {(el: T, at: number) => number} keyOf
 */
function sortedBy(elements, keyOf) {
  const keyed = elements.map((el, at) => ({ el, key: keyOf(el, at) }));
  return keyed.sort((one, other) => one.key - other.key).map(({ el }) => el);
}

/**
 * @template T, Key
 * @param {readonly T[]} elements
 * @param {(el: T, at: number) => Key} keyOf
 * @returns {Map<Key, T[]>}
 */
function groupedBy(elements, keyOf) {
  const groups = new Map();
  for (const [at, el] of elements.entries()) {
    const key = keyOf(el, at);
    if (groups.has(key)) groups.get(key).push(el);
    else groups.set(key, [el]);
  }
  return groups;
}
