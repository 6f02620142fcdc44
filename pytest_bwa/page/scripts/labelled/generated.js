// Uses: prelude/background.js
// Uses: prelude/flat_tree.js

// What a style sheet adds to an element: words and signs, in front of it and behind it, and boxes.

const PSEUDO = ["::before", "::after"];
const NOTHING_ADDED = /^(?:none|normal|"(?:[\s\u200b]|\\a )*")$/;
const DECORATION = /^"[\s\p{Co},;:·•|]*"$/u; // and icons of a font
const PLAIN_MARKER = /^(none|disc|circle|square|decimal|(lower|upper|disclosure)-\w+)$/;
const WORD_ADDED = /[\p{L}\p{N}\p{Sc}%]/u;

/** @returns {any[]} The styles of what stands before and behind the content of an element */
function pseudosOf(el) {
  return once(el, "pseudos", (one) => {
    const styles = PSEUDO.map((name) => getComputedStyle(one, name));
    return styles.filter(({ content }) => !/^(none|normal|)$/.test(content)); // empty: not painted
  });
}

// What is added to an element, as it is written in the style sheet, with a marker that is no bullet.
function addedTexts(el) {
  return once(el, "addedTexts", (one) => {
    const texts = pseudosOf(one).map(({ content }) => content);
    const { display, listStyleType } = styleOf(one);
    if (display === "list-item" && !PLAIN_MARKER.test(listStyleType)) texts.push(listStyleType);
    if (display === "list-item") texts.push(getComputedStyle(one, "::marker").content);
    return texts.filter((text) => !NOTHING_ADDED.test(text));
  });
}

// Whether a value has more than its text: whatever sign it is, it may say the opposite. Beside words, an
// icon, a bullet or what joins the entries of a list says nothing.
function isAddedTo(el, value) {
  return addedTexts(el).some((text) => UNSIGNED.test(value) || !DECORATION.test(text));
}

// The words that are added to an element: of a label or a row, a bullet or an arrow means nothing.
function addedWords(el) {
  return once(el, "addedWords", (one) => {
    const texts = pseudosOf(one).flatMap(({ content }) => content.match(/"[^"]*"/g) ?? []);
    const words = texts.filter((text) => WORD_ADDED.test(text)).map((text) => text.slice(1, -1));
    return words.length && isShown(one) ? words.join(" ") : "";
  });
}

// Whether an element or a pseudo-element paints something, with or without a text.
function paintsGround(style) {
  if (style.opacity === "0" || style.visibility !== "visible") return false;
  const { backgroundColor, backgroundImage, backdropFilter } = style;
  const isClear = CLEAR.test(backgroundColor) && backgroundImage === "none";
  return !isClear || (backdropFilter ?? "none") !== "none";
}
