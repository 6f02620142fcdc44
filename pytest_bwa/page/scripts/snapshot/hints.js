// What the source says of a control without text: the words in the names of its picture. Classes say
// mostly how something is arranged, so they count where they name a picture, or are short.

const HINTED = "svg, use, img, i, span, [data-icon], [icon], [class*=icon]";
const MAX_HINTED = 8; // elements inside of a control
const MAX_HINT = 4; // words
/** @type {Map<string, string[]>} */
const knownWords = new Map(); // the icons of a list have the same names in each of its rows
const MAX_KNOWN = 1000;
// Also "anticon" and "glyphicon", which are only what a library calls all of its icons.
const NAMES_NOTHING = new RegExp(
  "^(\\w*icons?|svg|img|image|btn|button|root|class|wrapper|container|inner|div|only|" +
    "checkbox|radio|switch|input|control)$",
);
// Of attributes that name a picture, those that say most come first.
const PICTURE_NAMES = ["data-icon", "icon", "name", "data-testid"];
const PICTURE_CLASS = /icon|glyph/i;
const MAX_CLASS_PARTS = 3; // of a class that names no picture; "ag-header-group-text" says where it is
const MADE_BY_TOOLS = /^(css|sc|jsx|tss|svelte|emotion)-/;
const POINTER_RULE = /^pointer-events-/;
// Such as "w-4", "hover:bg-red" and "items-center".
const UTILITY = new RegExp(
  "[[\\]/:!]|^-?[a-z]{1,3}-\\d|^inline-flex$|^(whitespace|items|flex)-" +
    "(auto|none|pre|nowrap|normal|start|center|end|baseline|stretch|1|col|row|wrap)$",
);
const STYLE_WORDS = wordSet(
  "primary secondary default outline outlined contained ghost solid plain light dark small medium " +
    "large size text typography label content flex grid row rows col cols column columns cell cells " +
    "block inline item items center justify relative absolute rounded cursor pointer over",
); // a word that is missing here costs a hint that says little
const SIZES = wordSet("default small medium large"); // of a picture; its other words may name it
const NEGATIONS = wordSet("no not non"); // without them, a hint would say the opposite

/**
 * The words that a picture in the element, or the element, is called by; empty if there are none.
 * @param {Element} el
 */
function hintOf(el) {
  const root = member(el, "shadowRoot");
  const inRoot = root ? findAll(root, HINTED).slice(0, MAX_HINTED) : [];
  const parts = [...inRoot, ...findAll(el, HINTED).slice(0, MAX_HINTED)];
  return hintOfParts([...parts.filter((part) => isShown(part)), el]);
}

/**
 * The words that the first of these elements is called by whose source has any.
 * @param {Element[]} parts
 */
function hintOfParts(parts) {
  for (const part of parts) {
    for (const name of sourceNamesOf(part)) {
      const words = ownWords(wordsOfName(name));
      if (words.length) return words.slice(0, MAX_HINT).join(" ");
    }
    const id = attributeOf(part, "id") || "";
    const words = ownWords([...wordsOfClasses(part), ...wordsOfName(id)]);
    if (words.length) return words.slice(0, MAX_HINT).join(" ");
  }
  return "";
}

/**
 * Without what the application calls all that is its own.
 * @param {string[]} words
 */
function ownWords(words) {
  return words.length ? words.filter((word) => !commonPrefixes().has(word)) : words;
}

/** @param {string} name Of a class that is a rule of style, and mostly one of many */
function isUtilityClass(name) {
  return UTILITY.test(name) && !MADE_BY_TOOLS.test(name);
}

/**
 * The words of those of an element's classes that say what it shows or does.
 * @param {Element} el
 */
function wordsOfClasses(el) {
  const all = (attributeOf(el, "class") || "").trim().split(/\s+/);
  const ofPicture = /^(SVG|USE|IMG|I)$/.test(tagOf(el)) || all.some((c) => PICTURE_CLASS.test(c));
  const isUtility = all.some(isUtilityClass);
  const named = all.filter(
    (name) =>
      !MADE_BY_TOOLS.test(name) &&
      !POINTER_RULE.test(name) &&
      (ofPicture || name.split(/[-_]+/).length <= MAX_CLASS_PARTS) &&
      (!isUtility || PICTURE_CLASS.test(name) || all.some((one) => name.startsWith(`${one}-`))),
  );
  // The name that the others begin with is needed to tell what is the library's.
  const prefixes = all.filter((name) => named.some((other) => other.startsWith(`${name}-`)));
  const words = wordsOfName([...new Set([...prefixes, ...named])].join(" "));
  const saysNothing = ofPicture ? SIZES : STYLE_WORDS;
  return words.filter((word) => !saysNothing.has(word));
}

/** @param {any} el */
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

/**
 * The name of a file without its ending; empty for a picture that stands in the page itself.
 * @param {string} address
 */
function fileNameOf(address) {
  if (/^(data|blob):/.test(address)) return "";
  return (
    address
      .split(/[?#]/)[0]
      .split("/")
      .at(-1)
      ?.replace(/\.\w+$/, "") || ""
  );
}

/**
 * The words of names such as "lucide lucide-trash-2"; none for what a program has made up.
 * @param {string} names
 */
function wordsOfName(names) {
  const known = knownWords.get(names);
  if (known) return known;
  if (knownWords.size >= MAX_KNOWN) knownWords.clear();
  const words = splitIntoWords(names);
  knownWords.set(names, words);
  return words;
}

/** @param {string} names */
function splitIntoWords(names) {
  const list = names.trim().split(/\s+/);
  // What several names begin with is the library's name.
  const own = list.filter((name) => !list.some((other) => other.startsWith(`${name}-`)));
  const prefix = list.find((name) => !own.includes(name));
  const bare = own.map((name) => (prefix ? name.replace(`${prefix}-`, "") : name));
  const words = bare.flatMap((name) => name.split(/[-_:.]+/)).flatMap(wordsOfPart);
  const whole = words.filter((word) => !NAMES_NOTHING.test(word));
  const long = whole.filter((word) => word.length > 3 || NEGATIONS.has(word));
  const named = long.some((word) => !NEGATIONS.has(word)) ? long : whole;
  return [...new Set(named)];
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
  const isWord = (/** @type {string} */ word) =>
    NEGATIONS.has(word) || (word.length > 2 && isSayable(word));
  return lower.every(isWord) ? lower : [];
}

/** @param {string} word */
function isSayable(word) {
  return /[aeiouy]/.test(word) && !/[^aeiouy]{5}/.test(word) && word.length <= 20;
}
