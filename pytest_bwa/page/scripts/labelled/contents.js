// What the nodes of a value show, and what speaks against taking it as it is: a code of steps/doubts.py.

const WHOLE_LENGTH = 4000; // characters
const LINE = 60; // characters; of a longer text a button beside it may show the rest
const WORDS = 5; // the same of a text with as many
const BUTTONS = "button, [role=button], summary, [role=menuitem]";
const LINK_BESIDE = "link_beside";
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
// adds, what is chosen in a list in it, and a button with a number, such as a year.
function wholeLabel(node) {
  return tagOf(node) ? once(node, "ownLabel", labelOfElement) : textOf(node);
}

function labelOfElement(node) {
  const text = textOf(node);
  if (!text) return "";
  const inside = findAll(node, "*");
  const added = [node, ...inside].map(addedWords);
  const buttons = flatText(node, BUTTONS) ? findAll(node, BUTTONS) : [];
  const pressed = buttons.map((button) => textOf(button)).filter((one) => /\d/.test(one));
  const chosen = findAll(node, "select")
    .filter((el) => isShown(el))
    .map(valueOfField);
  return [text, ...added, ...pressed, ...chosen].filter(Boolean).join(" ");
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
  const mayGoOn = items.length > 0 ? opens || inside.some(scrolls) : opens && isLong(value);
  return {
    value,
    cut: value.length < whole.length || isCutByPage(value, inside) || mayGoOn,
    items,
    url: links.length === 1 ? linkOf(links[0]) : null,
    datetime: times.length === 1 ? attributeOf(times[0], "datetime") : null,
    doubt: doubtAbout(value, marked, nodes, said),
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

// The code of why a value may not be what a person sees; empty if nothing speaks against it.
function doubtAbout(value, marked, nodes, inside) {
  if (!value) return isBlank(nodes) ? "" : "sign_only";
  if (hasLinkBeside(value, inside) || isLedByButton(nodes)) return LINK_BESIDE;
  const plain = withoutRaisedUnits(marked);
  if (hasPicture(plain)) return IN_TEXT;
  return paintedUnlike(value, nodes, inside, !plain.includes(EDGE_MARK));
}

// Whether nothing is painted where the value would stand: no sign, no picture, nothing to press or to
// fill in, and nothing that is still to come.
function isBlank(nodes) {
  const [el] = nodes.map(elementOfNode);
  const inside = all(
    nodes.filter((node) => tagOf(node)),
    "*",
  );
  const other = `${BUTTONS}, ${VALUE_FIELDS}, ${BUSY}`;
  const isOther = (one) => DRAWN.has(tagOf(one)) || matches(one, other);
  return !paintsSign(el) && !inside.some(isOther) && !closest(el, BUSY);
}

// Whether a button stands before all of a value: what can be done stands behind it.
function isLedByButton(nodes) {
  const [whole, own] = [flatText(nodes), flatText(nodes, BUTTONS)];
  return own !== "" && whole !== own && whole.endsWith(own);
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

function nameOfPicture(el) {
  return DRAWN.has(tagOf(el)) && !isLeftOut(el, "") ? fold(pictureName(el)) : "";
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
