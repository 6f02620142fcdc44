// Nothing in the page changes while one script reads it. What was asked of an element is then kept:
// the walks over the page ask the same of each element up to twenty times.

/** @type {Map<string, string>} */
const NO_TEXTS = new Map();

/** What is known of an element; null or undefined for what was not asked yet. */
class Known {
  constructor() {
    /** @type {string | null} */
    this.tag = null;
    /** @type {string[] | null} */
    this.attributes = null; // their names
    /** @type {CSSStyleDeclaration | null} */
    this.style = null;
    /** @type {DOMRect | null} */
    this.box = null;
    this.isShown = /** @type {boolean | null} */ (null);
    /** @type {any[] | null} */
    this.nodes = null; // that are painted in it
    this.children = /** @type {Element[] | null} */ (null);
    this.isStruck = this.isUnseen = this.isLeftOut = /** @type {boolean | null} */ (null);
    this.isCutAway = this.isClippedOut = this.isOutOfSight = /** @type {boolean | null} */ (null);
    /** @type {{ before: string, after: string } | null} */
    this.edges = null;
    /** @type {Map<string, string>} */
    this.texts = NO_TEXTS; // by what is left out of them
    /** @type {Map<string, string>} */
    this.textsWithUnseen = NO_TEXTS;
    this.added = /** @type {{ before: string, after: string } | null} */ (null); // by a style sheet
    this.plainText = /** @type {string | null} */ (null); // if it has nothing but one; else empty
    this.region = this.background = /** @type {string | null} */ (null);
    this.headingLevel = /** @type {number | null} */ (null);
    this.parts = /** @type {any[] | null} */ (null); // in it, as the labelled values have them
    this.ownText = this.ownLabel = /** @type {string | null} */ (null);
    this.pseudos = /** @type {any[] | null} */ (null); // the styles of those that are painted
    // By a style sheet; of a cell.
    this.addedTexts = this.writtenLines = /** @type {string[] | null} */ (null);
    this.addedWords = /** @type {string | null} */ (null);
    this.layersOver = /** @type {any[] | null} */ (null); // that are placed over it
    this.wholeText = this.controlKind = /** @type {string | null} */ (null);
    this.controlKinds = /** @type {Map<string, Map<string, any[]>> | null} */ (null); // in it, by tag
    this.isPanel = /** @type {boolean | null} */ (null); // a few words with their controls
    this.freeLabels = /** @type {Element[] | null} */ (null); // inside, that are tied to no field
    /** @type {{ radio: Element, name: string }[] | null} */
    this.namedRadios = null; // inside of it
    this.namelessTicks = /** @type {Element[] | null} */ (null); // inside of it
    this.paintings = /** @type {Element[] | null} */ (null); // in it, that paint more than text
    this.clips = /** @type {any} */ (null); // of what is painted of it
    this.cells = /** @type {readonly any[] | null} */ (null); // of a row, as they are painted
    this.rows = /** @type {any[][] | null} */ (null); // of a table, each with its parts
    this.rowParts = /** @type {Map<Element, any[]> | null} */ (null); // by row, if it has several
    this.panes = /** @type {readonly any[] | null} */ (null); // of the table that this is one of
    this.spans = /** @type {Map<Element, any[]> | null} */ (null); // that go on in the rows in it
  }
}

/** @type {Map<Node, Known> | null} */
let knownElements = null;
// Most questions are about the element that was asked of last. What is asked of every element compares
// with it before it calls knownOf: in a new process, a call costs more than the answer.
/** @type {Node | null} */
let lastAsked = null;
/** @type {Known | null} */
let lastKnown = null;
/** @type {Map<string, Set<Element>>} */
let knownMatches = new Map(); // what matches, by its CSS
/** @type {Map<string, Set<Element>>} */
let knownHolders = new Map(); // what has it inside

/**
 * Runs what reads the page at one go.
 * @template Result
 * @param {() => Result} read
 */
function atOneGo(read) {
  knownElements = new Map();
  try {
    return read();
  } finally {
    knownElements = null;
    lastAsked = null;
    lastKnown = null;
    knownMatches = new Map();
    knownHolders = new Map();
  }
}

/**
 * What is known of an element; null where the page may change between two questions.
 * @param {Node} el
 */
function knownOf(el) {
  if (el === lastAsked) return lastKnown;
  if (!knownElements) return null;
  let known = knownElements.get(el);
  if (!known) {
    known = new Known();
    knownElements.set(el, known);
  }
  lastAsked = el;
  lastKnown = known;
  return known;
}

/**
 * What `ask` says of an element, which is no null; asked once for each element.
 * @template {keyof Known} Name
 * @param {Name} name Under which it is kept
 * @param {(el: any) => NonNullable<Known[Name]>} ask
 * @returns {NonNullable<Known[Name]>}
 */
function once(el, name, ask) {
  const known = el === lastAsked ? lastKnown : knownOf(el);
  if (!known) return ask(el);
  known[name] ??= ask(el);
  return known[name];
}

/**
 * The style that the browser has computed for an element.
 * @param {Element} el
 */
function styleOf(el) {
  const known = el === lastAsked ? lastKnown : knownOf(el);
  if (!known) return getComputedStyle(el);
  known.style ??= getComputedStyle(el);
  return known.style;
}
