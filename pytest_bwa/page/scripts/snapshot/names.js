// Uses: prelude/text.js
// Uses: prelude/elements.js
// Uses: snapshot/roles.js

const NAME_LENGTH = 200;
const ROW_LENGTH = 300;
const CELL_LENGTH = 80;

/**
 * Text as the observation shows it: folded, and with an ellipsis where it was cut.
 * @param {string | null | undefined} text
 */
function shorten(text, max = NAME_LENGTH) {
  return fold(text, max, "…");
}

/** @param {any} el */
function visibleText(el) {
  return el.innerText ?? el.textContent;
}

/** @param {Element} row */
function rowText(row) {
  const cells = childrenOf(row).map((cell) => shorten(visibleText(cell), CELL_LENGTH));
  return shorten(cells.join(" | "), ROW_LENGTH);
}

/**
 * The element's name, roughly as a screen reader would say it.
 * @param {any} el
 * @param {string} role
 * @returns {string}
 */
function nameOf(el, role) {
  const labelled =
    shorten(textOfIds(el, "aria-labelledby")) || shorten(el.getAttribute("aria-label"));
  if (labelled) return labelled;
  if (isField(el)) return nameOfField(el);
  if (tagOf(el) === "IMG") return shorten(el.alt) || shorten(el.getAttribute("title"));
  if (role === "row") return rowText(el);
  if (role === "table") return shorten(el.caption?.innerText);
  if (role === "dialog" || role === "alertdialog") {
    return shorten(el.querySelector("h1,h2,h3")?.textContent);
  }
  const text = ROLES_NAMED_BY_TEXT.has(role) ? shorten(visibleText(el)) : "";
  return text || shorten(namesOfPicturesIn(el)) || shorten(el.getAttribute("title"));
}

/** @param {any} field */
function nameOfField(field) {
  if (/^(button|submit|reset)$/.test(field.type)) {
    return shorten(field.value) || shorten(field.type);
  }
  const labels = [...(field.labels || [])].map((label) => textOfLabel(label, field));
  return (
    shorten(labels.join(" ")) ||
    shorten(field.getAttribute("placeholder")) ||
    shorten(field.getAttribute("title")) ||
    shorten(field.alt) ||
    (field.type === "file" ? "file" : shorten(field.name))
  );
}

/**
 * A label's text without the field that it may contain.
 * @param {HTMLLabelElement} label
 * @param {Element} field
 */
function textOfLabel(label, field) {
  if (!label.contains(field)) return label.textContent;
  const parts = [...label.childNodes].filter((node) => !node.contains(field));
  return parts.map((node) => node.textContent).join(" ");
}

/**
 * What pictures inside a button or link without text are called.
 * @param {Element} el
 */
function namesOfPicturesIn(el) {
  const pictures = el.querySelectorAll("img[alt], svg[aria-label], [aria-label], svg > title");
  return [...pictures]
    .map((node) => node.getAttribute("alt") || node.getAttribute("aria-label") || node.textContent)
    .join(" ");
}
