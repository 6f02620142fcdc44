// Uses: labelled/painted.js

// What the nodes of a value show, and what speaks against taking it as it is.

const WHOLE_LENGTH = 4000; // characters
const LINE = 60; // characters; beside a longer text a button may show the rest
const ICON_FONT = /icon|symbol|glyph|awesome/i;
const BUTTONS = "button, [role=button], summary, [role=menuitem]";

// `isTrusted`: the value was read otherwise, so that its painting tells nothing about it.
function contentsOf(nodes, isTrusted) {
  const elements = nodes.filter((node) => node.nodeType === Node.ELEMENT_NODE);
  const marked = markedText(nodes, BUTTONS);
  const whole = marked.replace(MARKS, "");
  const value = cutText(whole, WHOLE_LENGTH);
  const links = all(elements, "a[href]").filter((el) => isShown(el));
  const times = all(elements, "time[datetime]").filter((el) => isShown(el));
  const opens = all(elements, `${BUTTONS}, [aria-expanded=false]`).some((el) => isShown(el));
  const items = itemsOf(elements, whole);
  const more = opens && items.length ? "a button may show more" : "";
  return {
    value,
    cut: value.length < whole.length || /(…|\.\.\.)$/.test(value) || (opens && value.length > LINE),
    items,
    url: links.length === 1 ? linkOf(links[0]) : null,
    datetime: times.length === 1 ? attributeOf(times[0], "datetime") : null,
    doubt: isTrusted ? "" : doubtAbout(value, nodes, elements) || doubtAboutMarks(marked) || more,
    language: languageOf(nodes[0]),
  };
}

// The language that the value's own surroundings name.
function languageOf(node) {
  for (let up = node; up; up = flatParent(up)) {
    const language = up.nodeType === Node.ELEMENT_NODE && attributeOf(up, "lang");
    if (language) return language;
  }
  return "";
}

// The elements themselves and those inside them that match.
function all(elements, css) {
  return elements.flatMap((el) => [...(call(el, "matches", css) ? [el] : []), ...findAll(el, css)]);
}

// The entries of a value that is a list: list items, or elements that hold all of its text.
function itemsOf(elements, whole) {
  let items = all(elements, "li, [role=listitem]").filter((el) => isShown(el));
  let parts = elements;
  while (!items.length && parts.length === 1)
    parts = childrenOf(parts[0]).filter((el) => isShown(el));
  if (!items.length) items = parts;
  const texts = items.map((el) => flatText(el, BUTTONS)).filter(Boolean);
  const isAll = texts.join("").replace(/\s/g, "") === whole.replace(/\s/g, "");
  return texts.length > 1 && isAll ? texts : [];
}

// Why a value may not be what a person sees; empty if nothing speaks against it.
function doubtAbout(value, nodes, elements) {
  if (!value) return isBlank(elements) ? "" : "nothing names what is shown";
  const inside = all(elements, "*");
  const around = elements.length ? elements : [elementOfNode(nodes[0])];
  for (const link of inside.filter((el) => call(el, "matches", "a[href]") && isShown(el))) {
    const entry = call(link, "closest", "li, dd, [role=listitem]");
    const isInside = elements.some((el) => el === entry || call(el, "contains", entry));
    const text = entry && isInside ? flatText(entry, BUTTONS) : value;
    if (isAppended(text, fold(flatText(link)))) return "a link follows the text";
  }
  if (call(elementOfNode(nodes[0]), "closest", "[aria-busy=true]")) return "it is still loading";
  if (/^[\d.,\s]+$/.test(value) && inside.some(hasBackground))
    return "a picture stands in the text";
  const row = call(elementOfNode(nodes[0]), "closest", "tr, li, dl > div, [role=row]");
  if ([...inside, ...(row ? [row] : [])].some(isGenerated)) return "a style sheet adds to the text";
  if (inside.some(isRenamed)) return "its text and its name differ";
  if (all(around, "[title], data[value]").some(saysOtherDigits))
    return "its tooltip or its data differ";
  if (inside.some((el) => tagOf(el) === "DETAILS")) return "a part of it unfolds";
  if (inside.some((el) => isField(el) && isShown(el))) return "a field stands beside the text";
  if (nodes.flatMap(textNodes).some((node) => !canBeSeen(node))) return "not all of it can be seen";
  if (nodes.map(elementOfNode).some(isReordered)) return "it is painted in another order";
  return "";
}

function doubtAboutMarks(marked) {
  const trimmed = marked.replace(/^[\ufffc\ufdd0\s]+|[\ufffc\ufdd0\s]+$/g, "");
  const isInside = /\ufffc/.test(trimmed) || /[^\s\ufdd0]\ufdd0+[^\s\ufdd0]/.test(trimmed);
  const isSign = /^\ufffc\s*\d/.test(marked);
  return isInside || isSign ? "a picture or a box stands in the text" : "";
}

// The text nodes that make up a value.
function textNodes(node) {
  if (node.nodeType === Node.TEXT_NODE) return node.data.trim() ? [node] : [];
  if (node.nodeType !== Node.ELEMENT_NODE || DRAWN.test(tagOf(node))) return [];
  const style = getComputedStyle(node);
  if (isLeftOut(node, style, BUTTONS) || isUnseen(node, style)) return [];
  return flatChildren(node).flatMap(textNodes);
}

function hasBackground(el) {
  return getComputedStyle(el).backgroundImage !== "none";
}

function isReordered(el) {
  if (/[\u202a-\u202e]/.test(member(el, "textContent"))) return true;
  return all([el], "*").some((part) => /override/.test(getComputedStyle(part).unicodeBidi));
}

// An icon's name in an icon font, or a name for screen readers that says something else.
function isRenamed(el) {
  const text = fold(el.textContent);
  const name = fold(attributeOf(el, "aria-label"));
  if (name && text && !isField(el) && !name.includes(text)) return true;
  return (
    text !== "" &&
    !childrenOf(el).length &&
    ICON_FONT.test(getComputedStyle(el).fontFamily.split(",")[0])
  );
}

// Whether a tooltip or a machine-readable value has other digits than the text: "3 May", "4 May".
function saysOtherDigits(el) {
  const said = attributeOf(el, tagOf(el) === "DATA" ? "value" : "title") || "";
  const numbers = (text) => (text.match(/\d+/g) ?? []).map(Number);
  const [shown, named] = [numbers(flatText(el)), numbers(said)];
  const isSame = shown.join("") === named.join("");
  return !isSame && named.length > 0 && shown.some((number) => !named.includes(number));
}

// Whether a value is a text and, behind a space, a link such as "Edit".
function isAppended(value, link) {
  return (
    link !== "" &&
    value !== link &&
    value.endsWith(link) &&
    /\s$/.test(value.slice(0, -link.length))
  );
}

// Whether the style sheet adds letters, digits or signs in front of an element or behind it.
function isGenerated(el) {
  return ["::before", "::after"].some((pseudo) => {
    const content = getComputedStyle(el, pseudo).content;
    return !/^(none|normal)$/.test(content) && /[\p{L}\p{N}\p{Sc}%−+-]/u.test(content);
  });
}

// Whether nothing at all is painted.
function isBlank(elements) {
  const painting =
    "img, svg, canvas, video, object, embed, input, select, textarea, meter, progress";
  if (all(elements, painting).length) return false;
  return all(elements, "*").every((el) =>
    [null, "::before", "::after"].every((pseudo) => {
      const style = getComputedStyle(el, pseudo);
      if (pseudo && /^(none|normal)$/.test(style.content)) return true;
      const hasColour = pseudo !== null || !call(el, "matches", "td, th, dd, tr");
      const isPlain = style.backgroundImage === "none" && style.maskImage === "none";
      return isPlain && !(hasColour && style.backgroundColor !== "rgba(0, 0, 0, 0)") && !pseudo;
    }),
  );
}
