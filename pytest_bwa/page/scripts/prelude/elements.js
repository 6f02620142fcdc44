const GET_FIRST_CHILD = getterOf(Node.prototype, "firstChild");
const GET_NEXT_NODE = getterOf(Node.prototype, "nextSibling");
const GET_FIRST_ELEMENT = getterOf(Element.prototype, "firstElementChild");
const GET_NEXT_ELEMENT = getterOf(Element.prototype, "nextElementSibling");

const CHECKED_ROLES = wordSet("checkbox radio switch menuitemcheckbox menuitemradio");
const KEPT_TITLE = /^data-(.+-)?title$/;
const NATIVE_FIELDS = wordSet("INPUT TEXTAREA SELECT");
/** @type {Record<string, string>} */
const LABEL_TAGS = { FIELDSET: "LEGEND", TABLE: "CAPTION", DETAILS: "SUMMARY" };

/**
 * @param {Element} el
 * @returns {readonly any[]}
 */
function childrenOf(el) {
  const known = el === lastAsked ? lastKnown : knownOf(el);
  if (!known) return chain(el, GET_FIRST_ELEMENT, GET_NEXT_ELEMENT);
  known.children ??= chain(el, GET_FIRST_ELEMENT, GET_NEXT_ELEMENT);
  return known.children;
}

/**
 * The nodes in a node. To go from one to the next takes half the time of going through their list.
 * @param {Node} node
 */
function nodesIn(node) {
  return chain(node, GET_FIRST_CHILD, GET_NEXT_NODE);
}

/**
 * @param {Node} parent
 * @param {() => any} first
 * @param {() => any} next
 */
function chain(parent, first, next) {
  const found = [];
  for (let node = first.call(parent); node; node = next.call(node)) found.push(node);
  return found;
}

/** @param {Element} el */
function classesOf(el) {
  return (attributeOf(el, "class") ?? "").split(/\s+/).filter(Boolean);
}

/**
 * What the attributes of an element that is no field say of its tick; null if nothing. Some sites say
 * it as of a button that stays pressed.
 * @param {Element} el
 */
function saidTick(el) {
  const checked = attributeOf(el, "aria-checked");
  if (checked !== null || !CHECKED_ROLES.has(saidRole(el))) return checked;
  return attributeOf(el, "aria-pressed");
}

// An element's tooltip. A library that shows its own empties the title, and keeps its text in a data
// attribute that is called like it.
function tooltipOf(el) {
  const title = attributeOf(el, "title");
  if (title !== "") return title;
  const names = /** @type {string[]} */ (call(el, "getAttributeNames"));
  const kept = names.find((name) => KEPT_TITLE.test(name));
  return kept ? attributeOf(el, kept) : "";
}

/**
 * The address of a link, which may be part of a drawing.
 * @returns {string | null}
 */
function linkOf(link) {
  const address = member(link, "href");
  return address?.baseVal ?? address ?? null;
}

/**
 * What names a group, a table or a disclosure from inside.
 * @param {Element} el
 */
function labelElementOf(el) {
  const tag = LABEL_TAGS[tagOf(el)];
  return tag ? childrenOf(el).find((child) => tagOf(child) === tag) : undefined;
}

/** @param {Node} node */
function isField(node) {
  return NATIVE_FIELDS.has(tagOf(node));
}

/**
 * What a field contains, or what an element shows that is none. Its value may be hidden, or no text:
 * pages define elements of their own.
 * @returns {string}
 */
function contentOf(el) {
  const value = member(el, "value");
  const isValue = typeof value === "string" && tagOf(el) !== "BUTTON";
  return isValue ? value : (member(el, "textContent") ?? "");
}

/**
 * The labels of the chosen options of a <select>.
 * @param {HTMLSelectElement} select
 */
function chosenOptions(select) {
  return [...select.selectedOptions].map((option) => option.label).join(", ");
}
