// The text of a page in one piece, in the order in which it is painted. Between two elements of one
// line stands a mark, between two blocks a line break.

const BOUNDARY = "\ufdd0";
const UNREAD_TAGS = /^(SCRIPT|STYLE|NOSCRIPT|TEMPLATE)$/;
const NAMING = [
  ["title", "tooltip"],
  ["aria-label", "label"],
  ["alt", "picture"],
  ["placeholder", "placeholder"],
];

/**
 * What names an element, or is offered by it, besides its text.
 * @typedef {{ el: Element, text: string, what: string, heading: string }} Beside
 */
/**
 * A piece of text, and the element that it stands in.
 * @typedef {{ at: number, el: Element, heading: string }} Piece
 */
/**
 * @typedef {{ text: string, pieces: Piece[] }} TextReading
 */

class PageText {
  constructor() {
    /** @type {Beside[]} */
    this.besides = [];
    /** @type {Beside[]} */
    this.addresses = []; // of links
    /** @type {Element[]} */
    this.hidden = [];
    this.heading = "";
    /** @type {TextReading} */
    this.current = { text: "", pieces: [] };
  }

  /**
   * Reads the text of the document, or of an element that it hides.
   * @param {Document | Element} root
   */
  reading(root) {
    this.current = { text: "", pieces: [] };
    this.heading = "";
    for (const child of flatChildren(root)) this.add(child, root === document);
    return this.current;
  }

  /** @param {boolean} isPage Whether what is hidden is left for later */
  add(node, isPage) {
    if (node.nodeType === Node.TEXT_NODE) {
      const parent = flatParent(node);
      if (parent) this.addText(node.data, parent);
      return;
    }
    if (node.nodeType !== Node.ELEMENT_NODE || UNREAD_TAGS.test(tagOf(node))) return;
    const style = styleOf(node);
    if (isPage && style.display !== "contents" && !isShown(node, RENDERED)) {
      if (tagOf(node) !== "OPTION") this.hidden.push(node);
      return;
    }
    this.addNames(node);
    this.current.text += boundaryOf(node, style);
    const { before, after } = addedTo(node);
    this.addText(before.replace(MARKS, ""), node);
    if (isField(node)) this.addField(node);
    else for (const child of flatChildren(node)) this.add(child, isPage);
    this.addText(after.replace(MARKS, ""), node);
    this.current.text += boundaryOf(node, style);
    if (/^H[1-6]$/.test(tagOf(node)) || saidRole(node) === "heading") {
      this.heading = fold(visibleText(node));
    }
  }

  /**
   * @param {string} text
   * @param {Element} el
   */
  addText(text, el) {
    if (!text) return;
    this.current.pieces.push({ at: this.current.text.length, el, heading: this.heading });
    const blanks = keepsLines(el) ? /[^\S\n]/g : /\s/g;
    this.current.text += text.replace(blanks, " ").replaceAll(BOUNDARY, " ");
  }

  addField(field) {
    if (isSecret(field) || /^(checkbox|radio|hidden)$/.test(field.type)) return;
    if (tagOf(field) !== "SELECT") {
      this.addText(field.value, field);
      return;
    }
    this.addText(chosenOptions(field), field);
    for (const option of field.options) this.addBeside(field, option.label, "option");
  }

  /** @param {Element} el */
  addNames(el) {
    if (isSecret(el)) return;
    for (const [name, what] of NAMING) this.addBeside(el, attributeOf(el, name ?? ""), what ?? "");
    const text = roleOf(el) === "link" ? linkOf(el) : null;
    if (text) this.addresses.push({ el, text, what: "address", heading: this.heading });
  }

  /**
   * @param {Element} el
   * @param {string | null} text
   * @param {string} what
   */
  addBeside(el, text, what) {
    if (text) this.besides.push({ el, text, what, heading: this.heading });
  }
}

/**
 * @param {Element} el
 * @param {CSSStyleDeclaration} style
 */
function boundaryOf(el, style) {
  if (tagOf(el) === "BR") return "\n";
  return /^(inline|contents|ruby)/.test(style.display) ? BOUNDARY : "\n";
}
