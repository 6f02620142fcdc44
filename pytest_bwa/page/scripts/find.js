// Uses: find/matches.js
// Uses: prelude/json.js
// Uses: prelude/page_api.js
// Uses: prelude/secrets.js

const UNREAD_TAGS = /^(SCRIPT|STYLE|NOSCRIPT|TEMPLATE)$/;
const BLOCKS_OF_TEXT = "p, li, td, th, dd, dt, h1, h2, h3, h4, h5, h6, a, button, div";
const SEARCHED_NODES = NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT;
const MAX_BLOCK_LENGTH = 2000;

/**
 * Finds the text in one frame and its open shadow roots: the text around each match, whether it is
 * in view, and the number by which its element can be acted on. Changes nothing.
 * @param {{ text: string, most: number }} options
 */
function find({ text, most }) {
  const matches = new Matches(text, most);
  /** @type {(Document | ShadowRoot)[]} */
  const roots = [document];
  for (let root = roots.shift(); root; root = roots.shift()) findInRoot(root, matches, roots);
  const key = pageApi().document();
  return toJsonText({ hits: matches.hits, total: matches.total, document: key });
}

/**
 * @param {Document | ShadowRoot} root
 * @param {Matches} matches
 * @param {(Document | ShadowRoot)[]} roots Gets the shadow roots inside
 */
function findInRoot(root, matches, roots) {
  const seen = new Set();
  const walker = call(document, "createTreeWalker", root, SEARCHED_NODES);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (member(node, "nodeType") === Node.TEXT_NODE) {
      findInText(/** @type {Text} */ (node), matches, seen);
      continue;
    }
    const el = /** @type {Element} */ (node);
    const shadowRoot = member(el, "shadowRoot");
    if (shadowRoot) roots.push(shadowRoot);
    const attribute = textOfAttributes(el);
    if (matches.isIn(attribute)) matches.add(el, attribute);
  }
}

/**
 * @param {Text} node
 * @param {Matches} matches
 * @param {Set<Element>} seen
 */
function findInText(node, matches, seen) {
  const el = parentOf(node);
  if (!el || UNREAD_TAGS.test(tagOf(el))) return;
  const text = fold(node.data);
  if (!text) return;
  if (matches.isIn(text)) {
    if (!seen.has(el)) matches.add(el, text);
    seen.add(el);
    return;
  }
  // A phrase may be spread over inline elements, so the whole block is searched too.
  const block = call(el, "closest", BLOCKS_OF_TEXT) || el;
  const blockText = member(block, "textContent");
  if (seen.has(block) || blockText.length >= MAX_BLOCK_LENGTH) return;
  const whole = fold(blockText);
  if (!matches.isIn(whole)) return;
  const parts = findAll(block, "*");
  if (parts.some((part) => matches.isIn(fold(member(part, "textContent"))))) return;
  seen.add(block);
  matches.add(block, whole);
}

/**
 * What names or fills an element besides its text; never the value of a secret field.
 * @param {any} el
 */
function textOfAttributes(el) {
  if (isSecret(el)) return "";
  const name = attributeOf(el, "alt") || attributeOf(el, "aria-label") || attributeOf(el, "title");
  return fold(name || (/^(INPUT|TEXTAREA)$/.test(tagOf(el)) ? el.value : ""));
}
