// Uses: snapshot/flat_texts.js
// Uses: snapshot/roles.js
// Uses: snapshot/rows.js

const INNER_ENTRIES = "[role=group], [role=menu], ul, ol"; // of an entry of a tree or menu

/**
 * The element's name, roughly as a screen reader would say it.
 * @param {any} el
 * @param {string} role
 * @returns {string}
 */
function nameOf(el, role) {
  if (role === "row") return rowText(el) || shorten(attributeOf(el, "aria-label"));
  const labelled =
    shorten(textOfIds(el, "aria-labelledby")) || shorten(attributeOf(el, "aria-label"));
  if (labelled) return labelled;
  if (isField(el)) return nameOfField(el);
  if (tagOf(el) === "IMG") return shorten(el.alt) || shorten(attributeOf(el, "title"));
  if (role === "table") return shorten(tagOf(el) === "TABLE" ? el.caption?.innerText : "");
  if (role === "dialog" || role === "alertdialog") {
    return shorten(call(el, "querySelector", "h1,h2,h3")?.textContent);
  }
  const mayHaveEntries = /^(tree|menu)item/.test(role);
  if (mayHaveEntries && findAll(el, INNER_ENTRIES).length)
    return shorten(flatText(el, INNER_ENTRIES));
  const text = ROLES_NAMED_BY_TEXT.has(role) ? shorten(paintedTextOf(el)) : "";
  return text || shorten(namesOfPicturesIn(el)) || shorten(attributeOf(el, "title"));
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
  const parts = [...label.childNodes].filter((node) => !call(node, "contains", field));
  return parts.map((node) => member(node, "textContent")).join(" ");
}

/**
 * What pictures inside a button or link without text are called.
 * @param {Element} el
 */
function namesOfPicturesIn(el) {
  const pictures = findAll(el, "img[alt], svg[aria-label], [aria-label], svg > title");
  const name = (/** @type {Element} */ node) =>
    attributeOf(node, "alt") || attributeOf(node, "aria-label") || member(node, "textContent");
  return pictures.map(name).join(" ");
}
