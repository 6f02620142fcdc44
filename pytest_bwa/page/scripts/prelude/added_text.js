// What style sheets write before and behind the contents of elements ("sold out", "-", "*"). To ask each
// of 20,000 elements for it takes half a second, so the sheets are searched for the rules that write.

const MOST_ASKED = 1500; // elements, where a sheet of another site may not be read
const PSEUDO_ELEMENT = /::?(?:before|after|marker)\b/gi;
const WRITES_NOTHING = /^(?:none|normal|(?:"[\s\p{Co}\u200b,;:·•|]*"\s*)*)$/u; // or an icon of a font
const WRITTEN_PART = /"((?:[^"\\]|\\.)*)"|\battr\(\s*([\w-]+)[^)]*\)|(\/)/g;
const ICON_FONT = /icon|symbol|glyph|awesome/i; // may draw a word as the icon that it names
// What opens, sorts, closes or separates beside words; beside a number it may be its sign or its trend.
const IDLE_SIGN =
  /^[\s*+×<>/\\|‹›«»❮❯⋮…\u2010-\u2015\u2190-\u21ff\u2212\u2303\u2304\u25b2-\u25c5-]+$/;
const TICK_SIGN = /^[*✓✔✗✘✕✖☐☑☒●○◉■□•]$/; // of a required field, or of what is said as checked
const TICKED = "label, [role=checkbox], [role=radio], [role=switch]";
const FAINT_SIGN = 0.5; // of the opacity
const ESCAPE = /\\([0-9a-f]{1,6})\s?|\\(.)/gi;
const NOTHING_WRITTEN = { before: "", after: "" };
/** @type {WeakMap<CSSStyleSheet, { length: number, css: string[] | null }>} */
const rulesOfSheets = new WeakMap();
/** @type {Set<Element>} */
const askedAdding = new Set(); // for want of a sheet that can be read
/** @type {Element[]} */
let addedElements = []; // to which something is added
let addingCss = ""; // the elements that a rule may write something to, as far as a snapshot has looked
let isAddedRead = true;

// Finds the elements to which style sheets add something.
function findAdded() {
  const roots = rootsOfPage();
  const found = roots.map(writingRules);
  addingCss = [...new Set(found.flatMap(({ css }) => css))].join();
  askedAdding.clear();
  let left = found.some(({ isWhole }) => !isWhole) ? MOST_ASKED : 0;
  for (const root of left ? roots : []) {
    for (const el of findAll(root, "body *, :host *").slice(0, left)) {
      left--;
      if (hasWritten(once(el, "added", addedNow))) askedAdding.add(el);
    }
  }
  const matching = addingCss ? roots.flatMap((root) => findAll(root, addingCss)) : [];
  addedElements = [...new Set([...matching, ...askedAdding])].filter((el) =>
    hasWritten(addedTo(el)),
  );
  return addedElements;
}

/**
 * The styles of what is painted before and behind the content of an element.
 * @param {Element} el
 * @returns {any[]}
 */
function pseudosOf(el) {
  return once(el, "pseudos", (one) => {
    const styles = ["::before", "::after"].map((name) => getComputedStyle(one, name));
    return styles.filter(({ content }) => !/^(none|normal|)$/.test(content)); // empty: not painted
  });
}

/** @param {{ before: string, after: string }} added */
function hasWritten({ before, after }) {
  return before !== "" || after !== "";
}

/**
 * The selectors of the rules that write something in a document or a shadow root, and whether all of
 * its sheets could be read.
 * @param {Document | ShadowRoot} root
 */
function writingRules(root) {
  const sheets = [...member(root, "styleSheets"), ...member(root, "adoptedStyleSheets")];
  const rules = sheets.map(rulesOfSheet);
  const host = root instanceof ShadowRoot ? tagOf(root.host).toLowerCase() : "";
  const css = rules.flatMap((own) => own ?? []).map((one) => (host ? outOfShadow(one, host) : one));
  return {
    css: css.filter((one) => CSS.supports(`selector(${one})`)),
    isWhole: !rules.includes(null),
  };
}

/**
 * @param {CSSStyleSheet} sheet
 * @returns {string[] | null} null for a sheet of another site
 */
function rulesOfSheet(sheet) {
  let rules;
  try {
    rules = sheet.cssRules;
  } catch {
    return null;
  }
  const known = rulesOfSheets.get(sheet);
  if (known && known.length === rules.length) return known.css;
  const css = [...rules].flatMap((rule) => writingRule(rule, ""));
  rulesOfSheets.set(sheet, { length: rules.length, css });
  return css;
}

/**
 * @param {string} outer The selector of the rule around it
 * @returns {string[]}
 */
function writingRule(rule, outer) {
  const own = rule.selectorText ?? "";
  const around = own.includes("&") ? own.replaceAll("&", `:is(${outer || "*"})`) : own || outer;
  const inner = rule.cssRules ?? rule.styleSheet?.cssRules ?? [];
  const found = [...inner].flatMap((one) => writingRule(one, around));
  const { content, listStyleType } = rule.style ?? {};
  if (content && !WRITES_NOTHING.test(content) && /:(before|after|marker)/i.test(around)) {
    const bare = around.replace(/(^|[\s>+~,(])(?=::?(?:before|after|marker)\b)/gi, "$1*");
    found.push(bare.replace(PSEUDO_ELEMENT, ""));
  }
  if (listStyleType?.startsWith('"')) found.push(around, `:is(${around}) li`);
  return found;
}

/**
 * A selector of a shadow root as one that finds the host and what is put into its slots.
 * @param {string} css
 * @param {string} host
 */
function outOfShadow(css, host) {
  return css.replace(/:host(?:\([^)]*\))?/g, host).replace(/::slotted\(([^)]*)\)/g, ":is($1)");
}

/**
 * What style sheets write before and behind what is in an element.
 * @param {Element} el
 */
function addedTo(el) {
  if (!isAddedRead || !(askedAdding.has(el) || (addingCss && matches(el, addingCss))))
    return NOTHING_WRITTEN;
  return once(el, "added", addedNow);
}

/** @param {Element} el Whether anything is added in it, also since a snapshot has looked */
function holdsAdded(el) {
  return [el, ...findAll(el, "*")].some((one) => hasWritten(addedTo(one)));
}

/** @param {Element} el */
function addedNow(el) {
  const [before, after] = ["::before", "::after"].map((part) => writtenBy(el, part));
  const start = `${markerOf(el)}${before}`;
  return start || after ? { before: start, after: after ?? "" } : NOTHING_WRITTEN;
}

/** @param {Element} el The words or the sign that a style sheet puts in place of a list's bullet */
function markerOf(el) {
  const { display, listStyleType } = styleOf(el);
  if (display !== "list-item" || !isShown(el)) return "";
  const { content } = getComputedStyle(el, "::marker");
  const written = /"/.test(content) ? content : listStyleType;
  if (!written.includes('"') || WRITES_NOTHING.test(written)) return "";
  const text = textOfContent(written, el);
  return isIdleSign(el, text.trim()) ? "" : `${text.trim()} `;
}

/**
 * @param {Element} el
 * @param {string} part
 */
function writtenBy(el, part) {
  const style = getComputedStyle(el, part);
  const { content } = style;
  if (!content || WRITES_NOTHING.test(content) || !isPaintedPart(style) || !isShown(el)) return "";
  const text = textOfContent(content, el);
  const sign = text.trim();
  if (!sign) return text;
  if (isIdleSign(el, sign)) return "";
  const { before, after } = edgesOfStyle(style, SHIFTED.has(style.verticalAlign));
  return before + text + after;
}

/**
 * Whether what is added to an element only decorates its text.
 * @param {Element} el
 * @param {string} sign
 */
function isIdleSign(el, sign) {
  if (sign === (attributeOf(el, "data-icon") ?? attributeOf(el, "icon"))) return true; // an icon
  if (TICK_SIGN.test(sign) && closest(el, TICKED)) return true;
  return IDLE_SIGN.test(sign) && !/\d/.test(member(el, "textContent"));
}

/** @param {CSSStyleDeclaration} style */
function isPaintedPart(style) {
  const { display, visibility, opacity, fontSize, width, height, transform, color } = style;
  if (display === "none" || visibility !== "visible" || +opacity < FAINT_SIGN) return false;
  if (ICON_FONT.test(style.fontFamily.split(",")[0] ?? "")) return false;
  if (CLEAR.test(color) || parseFloat(fontSize) < MIN_FONT) return false;
  return (
    !/^matrix\(0, 0, 0, 0/.test(transform) && !(parseFloat(width) <= 1 && parseFloat(height) <= 1)
  );
}

/**
 * The words of a `content`; what stands behind its stroke is said in place of a sign.
 * @param {string} content
 * @param {Element} el
 */
function textOfContent(content, el) {
  let text = "";
  for (const [, quoted, attribute, stroke] of content.matchAll(WRITTEN_PART)) {
    if (stroke) text = "";
    else text += quoted === undefined ? (attributeOf(el, attribute) ?? "") : unescaped(quoted);
  }
  return text.replace(/\p{Co}/gu, "");
}

/** @param {string} quoted */
function unescaped(quoted) {
  return quoted.replace(ESCAPE, (_, code, sign) =>
    code ? String.fromCodePoint(parseInt(code, 16)) : sign,
  );
}

/**
 * A text of an element with what is written before and behind it.
 * @param {Element} el
 * @param {string} text
 */
function withAdded(el, text) {
  const { before, after } = addedTo(el);
  return before || after ? before + text + after : text;
}

/**
 * Reads without what style sheets add.
 * @template Result
 * @param {() => Result} read
 */
function withoutAdded(read) {
  isAddedRead = false;
  forgetAddedTexts();
  try {
    return read();
  } finally {
    isAddedRead = true;
  }
}

/** Forgets the texts in which something was added. */
function forgetAddedTexts() {
  for (const el of addedElements) {
    for (let up = /** @type {any} */ (el); up; up = GET_PARENT_NODE.call(up) ?? up.host) {
      const known = knownElements?.get(up);
      if (known)
        Object.assign(known, { texts: NO_TEXTS, textsWithUnseen: NO_TEXTS, plainText: null });
    }
  }
}
