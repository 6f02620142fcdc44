// Uses: labelled/generated.js
// Uses: labelled/painted.js
// Uses: snapshot/painted_signs.js

// What the nodes of a value show, and what speaks against taking it as it is.

const WHOLE_LENGTH = 4000; // characters
const LINE = 60; // characters; of a longer text a button beside it may show the rest
const WORDS = 5; // the same of a text with as many
const ICON_FONT = /icon|symbol|glyph|awesome/i;
const IN_TEXT = "a picture or a box stands in the text";
const BUTTONS = "button, [role=button], summary, [role=menuitem]";
const STILL_BUSY = "[aria-busy=true]";
const BESIDE = "a[href], [tabindex]:not([tabindex='-1'])";
const ENDS_CUT = /(?:…|\.\.\.)\s*[\])]?$/;
const BEGINS_REST = /^[\s[(]*(?:…|\.\.\.)/; // "…see more", "[…]"
const BLOCKS = wordSet("block flex grid list-item table");

// What a node shows without its buttons; of one that has nothing else, with them.
function textOf(node) {
  const isElement = !Array.isArray(node) && tagOf(node);
  if (isElement) return once(node, "ownText", textOfElement);
  return flatText(node, BUTTONS) || flatText(node);
}

function textOfElement(el) {
  const text = flatText(el, BUTTONS);
  return text || !isOrHas(el, BUTTONS) ? text : flatText(el);
}

// What a label says, with what belongs to it though it is not its own text: the words that a style sheet
// adds, or that only screen readers get ("Previous"), what is chosen in a list in it, and a button with a
// number, such as a year.
function wholeLabel(node) {
  return tagOf(node) ? once(node, "ownLabel", labelOfElement) : textOf(node);
}

function labelOfElement(node) {
  const text = textOf(node);
  if (!text) return "";
  const inside = findAll(node, "*");
  const added = [node, ...inside].map(addedWords);
  const unseen = inside
    .filter((el) => !closest(el, BUTTONS) && isForReaders(el, text))
    .map((el) => fold(el.textContent));
  const buttons = flatText(node, BUTTONS) ? findAll(node, BUTTONS) : [];
  const pressed = buttons.map((button) => textOf(button)).filter((one) => /\d/.test(one));
  const chosen = findAll(node, "select")
    .filter((el) => isShown(el))
    .map(valueOfField);
  return [text, ...added, ...unseen, ...pressed, ...chosen].filter(Boolean).join(" ");
}

function isOrHas(el, css) {
  return matches(el, css) || hasInside(el, css);
}

function contentsOf(nodes) {
  const elements = nodes.filter((node) => tagOf(node));
  const inside = elements.flatMap((el) => [el, ...findAll(el, "*")]);
  const shown = (css) => inside.filter((el) => matches(el, css) && isShown(el));
  const marked = markedText(nodes, BUTTONS);
  const [links, times] = [shown("a[href]"), shown("time[datetime]")];
  const text = withoutEcho(withoutMarks(marked), inside);
  const whole = areEntries(links, text) ? links.map((link) => textOf(link)).join("\n") : text;
  const value = cutText(whole, WHOLE_LENGTH);
  const buttons = shown(BUTTONS);
  const said = inside.filter((el) => !buttons.some((button) => holds(button, el)));
  const opens = buttons.length > 0 || shown("[aria-expanded=false]").length > 0;
  const items = inside.length > 1 || elements.length > 1 ? itemsOf(elements, shown, whole) : [];
  const isScrolled = items.length > 0 && inside.some(scrolls);
  const scrolled = isScrolled ? "more may come as it is scrolled" : "";
  const more = opens && items.length ? "a button may show more" : scrolled;
  const doubt = isLedByButton(nodes, buttons) ? "a button before it may be the value" : more;
  return {
    value,
    cut: value.length < whole.length || isCutByPage(value, inside) || (opens && isLong(value)),
    items,
    url: links.length === 1 ? linkOf(links[0]) : null,
    datetime: times.length === 1 ? attributeOf(times[0], "datetime") : null,
    doubt: doubtAbout(value, marked, nodes, said) || doubt,
  };
}

// Whether a value ends in a mark that more follows, or has a link or a button that says so.
function isCutByPage(value, inside) {
  const opening = inside.filter((el) => matches(el, `a, ${BUTTONS}`));
  return ENDS_CUT.test(value) || opening.some((el) => BEGINS_REST.test(textOf(el)));
}

// Whether a button beside a text may show the rest of it.
function isLong(value) {
  return value.length > LINE || value.split(/\s/).length >= WORDS;
}

// Whether a button with a text stands before the rest of a value: what can be done stands behind it.
function isLedByButton(nodes, buttons) {
  const named = buttons.filter((button) => saysSomething(textOf(button)));
  const first = named.length ? nodes.flatMap(textNodes)[0] : undefined;
  const { DOCUMENT_POSITION_FOLLOWING: FOLLOWS } = Node;
  return named.some((el) => first && call(el, "compareDocumentPosition", first) & FOLLOWS);
}

// Whether a text is made of links of one class, as a row of labels is: each of them is a line. A
// picture in a link, or the same text again, may stand for what the next one says.
function areEntries(links, text) {
  if (links.length < 2) return false; // as of most values: the rest is for few
  const classes = new Set(links.map((link) => attributeOf(link, "class") ?? ""));
  const texts = links.map((link) => fold(link.textContent));
  const isAll = texts.join("").replace(/\s/g, "") === text.replace(/\s/g, "");
  const areOne = classes.size === 1 && !classes.has("") && !hasPictures(links);
  return isAll && areOne && new Set(texts).size === texts.length;
}

function hasPictures(elements) {
  return all(elements, "*").some((el) => DRAWN.has(tagOf(el)));
}

// A text beside a picture whose name is the same, once: an icon called "High" before "High".
function withoutEcho(text, inside) {
  const names = inside.map((el) => nameOfPicture(el)).filter(Boolean);
  const isTwice = (name) => fold(text) === `${name} ${name}`;
  return names.find(isTwice) ?? text;
}

// The language that the value's own surroundings name.
function languageOf(el) {
  const named = closest(el, "[lang]:not([lang=''])");
  const root = named ? null : call(el, "getRootNode");
  return named
    ? attributeOf(named, "lang")
    : root instanceof ShadowRoot
      ? languageOf(root.host)
      : "";
}

// The elements themselves and those inside them that match.
function all(elements, css) {
  return elements.flatMap((el) => [...(matches(el, css) ? [el] : []), ...findAll(el, css)]);
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
  if (!value) return paintsSign(el) ? "a sign is painted there, and no text" : "";
  if (hasLinkBeside(value, inside)) return "a link stands beside the text";
  if (closest(el, STILL_BUSY) || every.some((one) => matches(one, STILL_BUSY)))
    return "it is still loading";
  if (hasPicture(marked)) return IN_TEXT;
  if (inside.some((one) => isNamedBeside(one, value))) return "a picture beside it says more";
  if (inside.some((one) => isForReaders(one, value))) return "words for screen readers say more";
  if (inside.some(isStruckForNow)) return "what is crossed out beside it may still hold";
  if (every.some(isCodeInCapitals)) return "a style sheet paints its letters as capitals";
  if ([el, ...inside].some((one) => isAddedTo(one, value)) || hasWordsAddedAround(el))
    return "a style sheet adds to the text";
  if (every.some(saysSomethingElse)) return "its name, its tooltip or its data differ";
  if (inside.some((one) => /^(DETAILS|INPUT|TEXTAREA|SELECT)$/.test(tagOf(one)) && isShown(one)))
    return "a field or something that unfolds stands beside the text";
  if (value.includes("\n") && inside.some(holdsNote)) return "a note may stand below it";
  if (isReordered(nodes, [el, ...inside])) return "it is painted in another order";
  const texts = nodes.flatMap(textNodes);
  const hidden = texts.map(hindrance).find(Boolean);
  if (hidden) return hidden;
  if (inside.some((one) => isDrawnBeside(one, value))) return IN_TEXT;
  return isMixed(value, texts) ? "a part of it is painted otherwise" : "";
}

// Whether a style sheet adds words to what is around an element, as the name of a section or a row.
function hasWordsAddedAround(el) {
  for (let up = flatParent(el); up; up = flatParent(up)) if (addedWords(up)) return true;
  return false;
}

// Whether a link, or what else can be reached by the keyboard, is only a part of the value, as "Edit"
// behind a text is, or the "?" of a help.
function hasLinkBeside(value, inside) {
  const links = inside.filter((el) => matches(el, BESIDE) && isShown(el));
  const texts = links.map((el) => textOf(el)).filter(Boolean);
  const isAll = texts.includes(value) || value.split("\n").every((line) => texts.includes(line));
  return texts.length > 0 && !isAll;
}

function hasPicture(marked) {
  const trimmed = marked.replace(/^[\ufffc\ufdd0\s]+|[\ufffc\ufdd0\s]+$/g, "");
  const isInside = /[\ufffc\ufdd3]/.test(trimmed) || /[^\s\ufdd0]\ufdd0+[^\s\ufdd0]/.test(trimmed);
  return isInside || /^\ufffc\s*\d/.test(marked);
}

// Whether a picture has a name of its own, which is not all that the value says.
function isNamedBeside(el, value) {
  const name = nameOfPicture(el);
  return saysSomething(name) && name !== fold(value);
}

function nameOfPicture(el) {
  return DRAWN.has(tagOf(el)) && !isLeftOut(el, "") ? fold(pictureName(el)) : "";
}

// Whether words that only screen readers get say what is not in the value, such as "was". With the
// same numbers as the value they say the same.
function isForReaders(el, value) {
  const text = isUnseen(el) && !isLeftOut(el, "") ? fold(el.textContent) : "";
  const numbers = text.match(/\d+/g)?.join() ?? "";
  const isSame = numbers ? numbers === value.match(/\d+/g)?.join() : fold(value).includes(text);
  return saysSomething(text) && !isSame;
}

// Whether something crossed out may be true all the same: a link leads to what is done and not gone,
// and a comparison of versions, on grounds of its own, may show a change that is not made yet.
function isStruckForNow(el) {
  if (!isStruck(el) || !isShown(el) || !el.textContent.trim()) return false;
  const isLink = closest(el, "a[href]") !== null || isOrHas(el, "a[href]");
  return isLink || !CLEAR.test(styleOf(el).backgroundColor);
}

// Whether a text with digits has small letters that are painted as capitals.
function isCodeInCapitals(el) {
  const isChanged = styleOf(el).textTransform === "uppercase" && /\d/.test(el.textContent);
  return isChanged && el.textContent !== el.textContent.toUpperCase();
}

// The text nodes that make up a value.
function textNodes(node) {
  if (node.nodeType === Node.TEXT_NODE) return node.data.trim() ? [node] : [];
  if (!tagOf(node) || DRAWN.has(tagOf(node))) return [];
  if (isLeftOut(node, BUTTONS) || isUnseen(node)) return [];
  return flatChildren(node).flatMap(textNodes);
}

function firstTextNode(node) {
  if (node.nodeType === Node.TEXT_NODE) return node.data.trim() ? node : null;
  if (!tagOf(node) || DRAWN.has(tagOf(node)) || isLeftOut(node, BUTTONS) || isUnseen(node))
    return null;
  for (const child of flatChildren(node)) {
    const found = firstTextNode(child);
    if (found) return found;
  }
  return null;
}

// Whether a block follows text that is in no block itself, as a hint below a value does.
function holdsNote(el) {
  const isBlock = (node) => tagOf(node) && BLOCKS.has(styleOf(node).display);
  const parts = flatChildren(el).filter((node) => flatText(node, BUTTONS));
  return parts.some(isBlock) && !parts.every(isBlock);
}

function isReordered(nodes, elements) {
  if (nodes.some((node) => /[\u202a-\u202e]/.test(member(node, "textContent")))) return true;
  return elements.some((el) => /override/.test(styleOf(el).unicodeBidi));
}

// A name for screen readers, a tooltip or a machine's value with something else than the text, or an
// icon's name in an icon font.
function saysSomethingElse(el) {
  const text = fold(hasInside(el, BUTTONS) ? flatText(el, BUTTONS) : el.textContent);
  if (!text || isField(el)) return false;
  const name = fold(attributeOf(el, "aria-label"));
  if (name && !name.includes(text)) return true;
  if (!childrenOf(el).length && ICON_FONT.test(styleOf(el).fontFamily.split(",")[0])) return true;
  if (!saysSomething(text) && saysSomething(attributeOf(el, "title") ?? "")) return true; // ✔
  const said = attributeOf(el, tagOf(el) === "DATA" ? "value" : "title")?.match(/\d+/g);
  const shown = said ? (flatText(el).match(/\d+/g) ?? []) : [];
  return shown.some((number) => !said?.some((other) => +other === +number));
}
