// What the classes of an element say to a person: "liked", "is active", and not the names that a
// library gives to its parts, or those of a moment.

const PASSING = /focus|hover|animat|ripple|transition|entering|leaving|enter$|leave$/i;

/**
 * Each class, with what it says; empty for one that says nothing, null for one of a moment.
 * @param {string} classes
 * @returns {[string, string | null][]}
 */
function spokenClasses(classes) {
  const all = classes.split(/\s+/).filter(Boolean);
  const isUtility = all.some(isUtilityClass);
  return all.map((name) => {
    if (PASSING.test(name)) return [name, null];
    if (isUtility || MADE_BY_TOOLS.test(name)) return [name, ""];
    return [name, spokenClass(name, all)];
  });
}

/**
 * @param {string} name
 * @param {string[]} all The classes of the element
 */
function spokenClass(name, all) {
  const prefixes = all.filter(
    (other) => name.startsWith(`${other}-`) || name.startsWith(`${other}_`),
  );
  const longest = prefixes.reduce((a, b) => (b.length > a.length ? b : a), "");
  const parts = name.slice(longest.length).split(/[-_]+/).filter(Boolean);
  const [first = ""] = parts;
  // What another class begins with, too, is the library's name: "Mui" of MuiButton-root.
  const isShared = all.some((other) => other !== name && other.startsWith(first));
  const own = parts.length > 1 && (isShared || longest) ? parts.slice(longest ? 0 : 1) : parts;
  if (own.length > 1 && !isWord(own[own.length - 1])) own.pop(); // the hash of a module's class
  return own.length <= MAX_CLASS_PARTS && own.every(isWord) ? own.join(" ") : "";
}

/** @param {string} part */
function isWord(part) {
  return /^[a-z]{1,2}$/i.test(part) || wordsOfPart(part).length > 0;
}
