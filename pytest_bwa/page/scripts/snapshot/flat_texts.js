// Uses: snapshot/unseen_text.js

// innerText is fast, but leaves out shadow roots, pictures and what a style sheet adds, has what is
// crossed out or cannot be seen, makes one number of a number and its raised footnote, and one word of
// two with a margin.

const NAMED = "img[alt], svg, [aria-label], [aria-labelledby], [title]";

const CONTAINS = Node.prototype.contains;
const STRUCK_ELEMENTS = "s, del, strike, [style*=line-through]";
/** @type {WeakMap<CSSStyleSheet, { length: number, mentions: boolean }>} */
const strikesOfSheets = new WeakMap();

/**
 * Whether a style sheet may cross out text. Asking each of 20,000 elements takes 40 ms; a sheet is
 * searched once.
 * @param {CSSStyleSheet} sheet
 */
function mentionsStrike(sheet) {
  let rules;
  try {
    rules = sheet.cssRules;
  } catch {
    return true; // of another origin
  }
  const known = strikesOfSheets.get(sheet);
  if (known && known.length === rules.length) return known.mentions;
  const mentions = [...rules].some((rule) => rule.cssText.includes("line-through"));
  strikesOfSheets.set(sheet, { length: rules.length, mentions });
  return mentions;
}

/** Which elements hold what innerText reads wrongly; found once for each snapshot. */
class FlatTexts {
  constructor() {
    /** @type {WeakSet<Element>} */
    this.holders = new WeakSet();
    /** @type {WeakSet<Element>} */
    this.gaps = new WeakSet(); // which hold two words that nothing but a gap separates
    /** @type {WeakSet<Element>} */
    this.struck = new WeakSet();
    /** @type {WeakSet<Element>} */
    this.edited = new WeakSet(); // which are or hold what was crossed out, deleted or added
    /** @type {WeakSet<Element>} */
    this.pictures = new WeakSet();
    for (const el of findAdded()) this.addHolder(el);
    findUnseenTexts();
    for (const el of unpainted) this.addHolder(el);
    for (const root of rootsOfPage()) this.addRoot(root);
  }

  /** @param {Document | ShadowRoot} root */
  addRoot(root) {
    if (root instanceof ShadowRoot) this.addHolder(root.host);
    for (const slot of root === document ? [] : findAll(root, "slot")) this.addHolder(slot);
    for (const el of findAll(root, "sup")) {
      if (FOOTNOTE.test(member(el, "textContent"))) this.addHolder(el);
    }
    for (const el of findAll(root, NAMED)) {
      if (member(el, "textContent").trim() && tagOf(el) !== "SVG") continue;
      if (!pictureName(el).trim()) continue;
      this.pictures.add(el);
      this.addHolder(el);
    }
    const sheets = [...member(root, "styleSheets"), ...member(root, "adoptedStyleSheets")];
    const mayStrike = sheets.some(mentionsStrike);
    for (const el of findAll(root, mayStrike ? "*" : STRUCK_ELEMENTS)) {
      if (!isStruck(el)) continue;
      this.struck.add(el);
      this.addHolder(el);
      addWithParents(el, this.edited);
    }
    for (const el of findAll(root, "ins, del")) addWithParents(el, this.edited);
    for (const el of holdersOfGaps(root)) {
      this.addHolder(el);
      addWithParents(el, this.gaps);
    }
  }

  /** @param {Element} el */
  addHolder(el) {
    addWithParents(el, this.holders);
  }
}

/**
 * The elements around two texts that no blank separates, but a gap does, or that the second is raised.
 * @param {Document | ShadowRoot} root
 */
function* holdersOfGaps(root) {
  const walker = call(document, "createTreeWalker", root, NodeFilter.SHOW_TEXT);
  /** @type {Text | null} */
  let last = null;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const { data } = node;
    if (last && !/^\s/.test(data)) {
      const holder = holderOfGap(last, node);
      if (holder) yield holder;
    }
    last = /\s$/.test(data) ? null : node;
  }
}

/**
 * The element around two texts with nothing but edges between them, if one of these is a gap or
 * raises the second text.
 * @param {Text} last
 * @param {Text} next
 */
function holderOfGap(last, next) {
  let isGap = false;
  let opened = parentOf(next);
  for (; opened && !CONTAINS.call(opened, last); opened = parentOf(opened)) {
    const { before } = once(opened, "edges", edgesOf);
    if (before === BLOCK.before) return null;
    isGap ||= before.includes(GAP_MARK) || isFootnote(opened, next.data);
  }
  for (let up = parentOf(last); up && up !== opened; up = parentOf(up)) {
    const { after } = once(up, "edges", edgesOf);
    if (after === BLOCK.after) return null;
    isGap ||= after.includes(GAP_MARK);
  }
  return isGap ? opened : null;
}

/**
 * @param {Element} el
 * @param {WeakSet<Element>} set
 */
function addWithParents(el, set) {
  let up = /** @type {Element | null} */ (el);
  for (; up && !set.has(up); up = flatParent(up)) set.add(up);
}

let flatTexts = new FlatTexts();

function findFlatTexts() {
  flatTexts = new FlatTexts();
  return flatTexts;
}

/**
 * The text that an element shows, with the names of its pictures.
 * @param {Element} el
 */
function paintedTextOf(el) {
  return flatTexts.holders.has(el) ? flatText(el) : visibleText(el);
}
