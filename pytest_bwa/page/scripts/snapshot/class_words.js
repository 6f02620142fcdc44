// The words that the source calls a picture or a class by. A name that a program has made says nothing.

const HINTED = "svg, use, img, i, span, [data-icon], [icon]";
const MAX_HINTED = 8; // elements inside of a control
const MAX_HINT = 4; // words
// Of attributes that name a picture, those that say most come first.
const PICTURE_NAMES = ["data-icon", "icon", "name", "data-testid"];
const PICTURE_CLASS = /icon|glyph/i;
// What a library calls all of its icons, and what holds one.
const NAMES_NOTHING = /^(\w*icons?|svg|img|image|btn|button|only)$/;
const NEGATIONS = wordSet("no not non"); // without them, a hint would say the opposite
const MAX_CLASS_PARTS = 3; // of a class; one with more says where in a library it belongs
const STYLE_RULE = /[[\]/:!]|^-?[a-z]{1,3}-\d|^(css|sc|jsx|tss)-/; // such as "w-4", "hover:bg-red"
const PASSING = /focus|hover|animat|ripple|transition|entering|leaving|enter$|leave$/i;

/**
 * What the pictures in a control without text, or the control itself, are called by in the source; empty if
 * nothing calls them.
 * @param {Element} el
 */
function hintOf(el) {
  const root = member(el, "shadowRoot");
  const inside = [...(root ? findAll(root, HINTED) : []), ...findAll(el, HINTED)];
  return hintOfParts([...inside.slice(0, MAX_HINTED).filter((part) => isShown(part)), el]);
}

/**
 * The words that the first of these elements is called by whose source has any.
 * @param {Element[]} parts
 */
function hintOfParts(parts) {
  for (const part of parts) {
    for (const names of [...sourceNamesOf(part), classesOfPicture(part)]) {
      const words = wordsOfNames(names);
      if (words.length) return words.slice(0, MAX_HINT).join(" ");
    }
  }
  return "";
}

function sourceNamesOf(el) {
  const names = PICTURE_NAMES.map((name) => attributeOf(el, name) || "");
  if (tagOf(el) === "USE") {
    const address = attributeOf(el, "href") || attributeOf(el, "xlink:href") || "";
    names.unshift(address.split("#").at(-1) || "");
  } else if (tagOf(el) === "IMG") names.unshift(fileNameOf(attributeOf(el, "src") || ""));
  const surfaces = DRAWN.has(tagOf(el)) ? [null] : [null, "::before"];
  const painted = surfaces.map((part) => getComputedStyle(el, part).backgroundImage);
  const file = painted.map((image) => /url\("([^"]*)"\)/.exec(image)?.[1] || "").find(Boolean);
  return file ? [fileNameOf(file), ...names] : names;
}

/** @param {Element} el The classes of a picture, by which fonts of icons know what to draw */
function classesOfPicture(el) {
  const names = attributeOf(el, "class") ?? "";
  const isPicture = el instanceof SVGElement || /^(IMG|I)$/.test(tagOf(el));
  return isPicture || PICTURE_CLASS.test(names) ? names : "";
}

/**
 * The name of a file without its ending; empty for a picture that stands in the page itself.
 * @param {string} address
 */
function fileNameOf(address) {
  const [path = ""] = /^(data|blob):/.test(address) ? [] : address.split(/[?#]/);
  return (
    path
      .split("/")
      .at(-1)
      ?.replace(/\.\w+$/, "") ?? ""
  );
}

/**
 * The words of names such as "lucide lucide-trash-2". What several names begin with is the library's.
 * @param {string} names
 */
function wordsOfNames(names) {
  const list = names.split(/\s+/).filter((name) => name && !STYLE_RULE.test(name));
  const own = list.filter((name) => !list.some((other) => other.startsWith(`${name}-`)));
  const prefix = list.find((name) => !own.includes(name));
  const bare = prefix
    ? own.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length))
    : own;
  const words = bare.flatMap((name) => name.split(/[-_:.]+/)).flatMap(wordsOfPart);
  const whole = words.filter((word) => !NAMES_NOTHING.test(word));
  const long = whole.filter((word) => word.length > 3 || NEGATIONS.has(word));
  return [...new Set(long.some((word) => !NEGATIONS.has(word)) ? long : whole)];
}

/**
 * The words of a part such as "DeleteIcon". A part with digits among its letters, or with letters
 * that nobody could say, is a hash.
 * @param {string} part
 */
function wordsOfPart(part) {
  if (!/^[A-Za-z]+\d?$/.test(part)) return [];
  const words = part.replace(/\d$/, "").split(/(?<=[a-z])(?=[A-Z])/);
  const lower = words.map((word) => word.toLowerCase());
  const isSayable = (/** @type {string} */ word) =>
    /[aeiouy]/.test(word) && !/[^aeiouy]{5}/.test(word) && word.length <= 20;
  return lower.every((word) => NEGATIONS.has(word) || (word.length > 2 && isSayable(word)))
    ? lower
    : [];
}

/**
 * Each of an element's classes, with what it says: "liked", "is active"; empty for one that says nothing,
 * null for one of a moment.
 * @param {string} classes
 * @returns {[string, string | null][]}
 */
function spokenClasses(classes) {
  const all = classes.split(/\s+/).filter(Boolean);
  const areRules = all.some((name) => STYLE_RULE.test(name) && !/^(css|sc|jsx|tss)-/.test(name));
  return all.map((name) => {
    if (PASSING.test(name)) return [name, null];
    return [name, areRules || STYLE_RULE.test(name) ? "" : spokenClass(name, all)];
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
  const isWord = (/** @type {string} */ part) =>
    /^[a-z]{1,2}$/i.test(part) || wordsOfPart(part).length > 0;
  if (own.length > 1 && !isWord(own[own.length - 1] ?? "")) own.pop(); // the hash of a module's class
  return own.length <= MAX_CLASS_PARTS && own.every(isWord) ? own.join(" ") : "";
}
