// Elements. A text is always a text node, whatever a page or a model has written into it.

/** @typedef {Node | string | number | null | undefined | false | Child[]} Child */

/**
 * A new element. `on` has listeners; of the others, true is an attribute without a value, and
 * false, null and undefined are none.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, any>} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function el(tag, { on = {}, ...attributes } = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(name, "");
    else if (value !== false && value != null) made.setAttribute(name, String(value));
  }
  for (const [name, listener] of Object.entries(on)) made.addEventListener(name, listener);
  fill(made, ...children);
  return made;
}

/**
 * Put children in place of what an element has.
 * @param {Element} parent
 * @param {...Child} children
 */
export function fill(parent, ...children) {
  const kept = /** @type {any[]} */ (children).flat(3).filter((child) => child || child === 0);
  parent.replaceChildren(...kept.map((child) => (child instanceof Node ? child : String(child))));
}

/**
 * The element of the page that has this id.
 * @param {string} id
 */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no ${id}`);
  return found;
}

/**
 * Say something to a screen reader, and show it for those who see.
 * @param {string} text
 */
export function say(text) {
  byId("spoken").textContent = text;
}

/**
 * A list of names and what they are; those that are empty are left out.
 * @param {[string, Child][]} facts
 */
export function factList(facts) {
  const known = facts.filter(([, value]) => value !== "" && value != null && value !== false);
  return el(
    "dl",
    { class: "facts" },
    known.map(([name, value]) =>
      el("div", {}, el("dt", {}, name), el("dd", { class: "text" }, value)),
    ),
  );
}

/**
 * @param {number} number
 * @param {string} word
 */
export function counted(number, word) {
  return `${number.toLocaleString("en")} ${word}${number === 1 ? "" : "s"}`;
}
