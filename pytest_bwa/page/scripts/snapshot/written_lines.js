// Uses: prelude/flat_tree.js

// Text whose line breaks and indentation say something, such as code and messages, and what was
// added to a text or deleted from it.

const LINES_LENGTH = 1000; // characters
const EDIT_LENGTH = 120;

/**
 * The text of an element with its lines; empty if it has only one, or if the page folds them.
 * @param {Element} el
 */
function writtenLines(el) {
  const source = member(el, "textContent").trim();
  if (!source.includes("\n") || !/^(pre|break)/.test(styleOf(el).whiteSpace)) return "";
  const lines = (visibleText(el) ?? "").split("\n").map((line) => line.trimEnd());
  const text = lines
    .join("\n")
    .replace(/^\n+|\n+$/g, "")
    .replace(/\n{3,}/g, "\n\n");
  if (!text.includes("\n")) return "";
  return text.length > LINES_LENGTH ? `${cutText(text, LINES_LENGTH)}…` : text;
}

/**
 * What an element says was added to its text, or deleted from it. What is deleted is no part of it.
 * @param {Element} el
 */
function editsOf(el) {
  if (!el.firstElementChild && !/^(INS|DEL)$/.test(tagOf(el))) return [];
  const edits = [el, ...findAll(el, "ins, del")].filter((part) => /^(INS|DEL)$/.test(tagOf(part)));
  const shown = edits.filter((edit) => isShown(edit));
  return shown.map((edit) => {
    const text = fold(member(edit, "textContent"), EDIT_LENGTH, "…");
    if (tagOf(edit) === "DEL") return `deleted="${text}"`;
    return edit === el ? "added" : `added="${text}"`;
  });
}
