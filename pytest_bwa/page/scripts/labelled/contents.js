// Uses: labelled/painted.js

// What the nodes of a value show, and what speaks against taking it as it is.

const WHOLE_LENGTH = 4000; // characters
const LINE = 60; // characters; beside a longer text a button may show the rest
const ICON_FONT = /icon|symbol|glyph|awesome/i;
const BUTTONS = "button, [role=button], summary, [role=menuitem]";
const BLOCKS = /^(block|flex|grid|list-item|table)$/;
const GENERATED = /[\p{L}\p{N}\p{Sc}%−+-]/u;
const PSEUDO = ["::before", "::after"];

// The walk asks for the text of an element several times.
/** @type {WeakMap<any, string>} */
let knownTexts = new WeakMap();
/** @type {WeakMap<any, boolean>} */
let knownGenerated = new WeakMap();

// What a node shows without its buttons; of one that has nothing else, with them.
function textOf(node) {
  let text = knownTexts.get(node);
  if (text === undefined) {
    const hasButtons = Array.isArray(node) || (tagOf(node) && all([node], BUTTONS).length > 0);
    text = flatText(node, BUTTONS) || (hasButtons ? flatText(node) : "");
    knownTexts.set(node, text);
  }
  return text;
}

// The page may have changed since the last reading.
function forgetReading() {
  knownTexts = new WeakMap();
  knownGenerated = new WeakMap();
  forgetKnownClips();
  rememberTexts();
}

function contentsOf(nodes) {
  const elements = nodes.filter((node) => tagOf(node));
  const inside = all(elements, "*");
  const shown = (css) => inside.filter((el) => call(el, "matches", css) && isShown(el));
  const marked = markedText(nodes, BUTTONS);
  const whole = marked.replace(MARKS, "");
  const value = cutText(whole, WHOLE_LENGTH);
  const [links, times] = [shown("a[href]"), shown("time[datetime]")];
  const opens = shown(`${BUTTONS}, [aria-expanded=false]`).length > 0;
  const items = inside.length > 1 || elements.length > 1 ? itemsOf(elements, shown, whole) : [];
  const more = opens && items.length ? "a button may show more" : "";
  return {
    value,
    cut: value.length < whole.length || /(…|\.\.\.)$/.test(value) || (opens && value.length > LINE),
    items,
    url: links.length === 1 ? linkOf(links[0]) : null,
    datetime: times.length === 1 ? attributeOf(times[0], "datetime") : null,
    doubt: doubtAbout(value, marked, nodes, inside) || more,
  };
}

// The language that the value's own surroundings name.
function languageOf(el) {
  const named = call(el, "closest", "[lang]:not([lang=''])");
  const root = named ? null : call(el, "getRootNode");
  return named
    ? attributeOf(named, "lang")
    : root instanceof ShadowRoot
      ? languageOf(root.host)
      : "";
}

// The elements themselves and those inside them that match.
function all(elements, css) {
  return elements.flatMap((el) => [...(call(el, "matches", css) ? [el] : []), ...findAll(el, css)]);
}

// The entries of a value that is a list: list items, or elements that hold all of its text.
function itemsOf(elements, shown, whole) {
  const listed = shown("li, [role=listitem]");
  let parts = elements;
  while (parts.length === 1) parts = shownChildren(parts[0]);
  const texts = (listed.length ? listed : parts).map((el) => textOf(el)).filter(Boolean);
  const isAll = texts.join("").replace(/\s/g, "") === whole.replace(/\s/g, "");
  return texts.length > 1 && isAll ? texts : [];
}

// Why a value may not be what a person sees; empty if nothing speaks against it.
function doubtAbout(value, marked, nodes, inside) {
  const el = elementOfNode(nodes[0]);
  const every = inside.length ? inside : [el];
  const row = call(el, "closest", "tr, li, dl > div, [role=row]");
  if (!value) return "";
  if (hasLinkBeside(value, inside)) return "a link stands beside the text";
  if (call(el, "closest", "[aria-busy=true]")) return "it is still loading";
  if (hasPicture(marked) || (/^[\d.,\s]+$/.test(value) && inside.some(isPicture)))
    return "a picture or a box stands in the text";
  if ([...inside, ...(row ? [row] : [])].some(isGenerated)) return "a style sheet adds to the text";
  if (every.some(saysSomethingElse)) return "its name, its tooltip or its data differ";
  if (inside.some((one) => /^(DETAILS|INPUT|TEXTAREA|SELECT)$/.test(tagOf(one)) && isShown(one)))
    return "a field or something that unfolds stands beside the text";
  if (value.includes("\n") && inside.some(holdsNote)) return "a note may stand below it";
  if (isReordered(nodes, [el, ...inside])) return "it is painted in another order";
  return nodes.flatMap(textNodes).every(canBeSeen) ? "" : "not all of it can be seen";
}

// Whether a link is only a part of the value, as "Edit" behind a text is.
function hasLinkBeside(value, inside) {
  const links = inside.filter((el) => call(el, "matches", "a[href]") && isShown(el));
  const texts = links.map((el) => textOf(el)).filter(Boolean);
  const isAll = texts.includes(value) || value.split("\n").every((line) => texts.includes(line));
  return texts.length > 0 && !isAll;
}

function hasPicture(marked) {
  const trimmed = marked.replace(/^[\ufffc\ufdd0\s]+|[\ufffc\ufdd0\s]+$/g, "");
  const isInside = /\ufffc/.test(trimmed) || /[^\s\ufdd0]\ufdd0+[^\s\ufdd0]/.test(trimmed);
  return isInside || /^\ufffc\s*\d/.test(marked);
}

function isPicture(el) {
  return DRAWN.test(tagOf(el)) || getComputedStyle(el).backgroundImage !== "none";
}

// The text nodes that make up a value.
function textNodes(node) {
  if (node.nodeType === Node.TEXT_NODE) return node.data.trim() ? [node] : [];
  if (!tagOf(node) || DRAWN.test(tagOf(node))) return [];
  const style = getComputedStyle(node);
  if (isLeftOut(node, style, BUTTONS) || isUnseen(node, style)) return [];
  return flatChildren(node).flatMap(textNodes);
}

// Whether a block follows text that is in no block itself, as a hint below a value does.
function holdsNote(el) {
  const isBlock = (node) => tagOf(node) && BLOCKS.test(getComputedStyle(node).display);
  const parts = flatChildren(el).filter((node) => flatText(node, BUTTONS));
  return parts.some(isBlock) && !parts.every(isBlock);
}

function isReordered(nodes, elements) {
  if (nodes.some((node) => /[\u202a-\u202e]/.test(member(node, "textContent")))) return true;
  return elements.some((el) => /override/.test(getComputedStyle(el).unicodeBidi));
}

// A name for screen readers, a tooltip or a machine's value with something else than the text, or an
// icon's name in an icon font.
function saysSomethingElse(el) {
  const text = fold(el.textContent);
  if (!text || isField(el)) return false;
  const name = fold(attributeOf(el, "aria-label"));
  if (name && !name.includes(text)) return true;
  if (!childrenOf(el).length && ICON_FONT.test(getComputedStyle(el).fontFamily.split(",")[0]))
    return true;
  const said = attributeOf(el, tagOf(el) === "DATA" ? "value" : "title")?.match(/\d+/g);
  const shown = said ? (flatText(el).match(/\d+/g) ?? []) : [];
  return shown.some((number) => !said?.some((other) => +other === +number));
}

// What the style sheet adds in front of an element or behind it.
function isGenerated(el) {
  let isIt = knownGenerated.get(el);
  if (isIt === undefined) {
    const contents = PSEUDO.map((pseudo) => getComputedStyle(el, pseudo).content);
    isIt = contents.some((one) => !/^(none|normal)$/.test(one) && GENERATED.test(one));
    knownGenerated.set(el, isIt);
  }
  return isIt;
}
