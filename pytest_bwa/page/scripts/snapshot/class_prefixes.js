// What an application begins most of its classes with, such as "red" of "red-ui-button", says nothing
// of one of its elements.

const MIN_PREFIXED = 8; // different classes: as many as an application's name begins
const MIN_SHARE = 1 / 3; // of the elements with a class
const MIN_CLASSED = 20; // elements; of fewer, a third says nothing
const MAX_ASKED = 1000; // elements
/** @type {{ of: object | null, words: Set<string> }} */
const prefixesOfPage = { of: null, words: new Set() };

/** The first words of classes that an application has everywhere, once for each reading. */
function commonPrefixes() {
  if (prefixesOfPage.of !== knownMatches) {
    const words = knownElements ? countPrefixes([...matchesOf("[class]")]) : new Set();
    Object.assign(prefixesOfPage, { of: knownMatches, words });
  }
  return prefixesOfPage.words;
}

/** @param {Element[]} all With a class */
function countPrefixes(all) {
  const step = Math.ceil(all.length / MAX_ASKED);
  const asked = all.filter((_, at) => at % step === 0);
  /** @type {Map<string, { names: Set<string>, count: number }>} */
  const found = new Map();
  for (const el of asked) {
    const names = (GET_ATTRIBUTE.call(el, "class") ?? "").split(/\s+/);
    const here = new Set();
    for (const name of names) {
      const prefix = /^[A-Za-z]+(?=[-_])/.exec(name)?.[0].toLowerCase();
      if (!prefix) continue;
      const entry = found.get(prefix) ?? { names: new Set(), count: 0 };
      found.set(prefix, entry);
      entry.names.add(name);
      if (!here.has(prefix)) entry.count++;
      here.add(prefix);
    }
  }
  const isCommon = (/** @type {{ names: Set<string>, count: number }} */ { names, count }) =>
    names.size >= MIN_PREFIXED && count >= asked.length * MIN_SHARE;
  const common = asked.length < MIN_CLASSED ? [] : [...found].filter(([, one]) => isCommon(one));
  return new Set(common.map(([prefix]) => prefix));
}
