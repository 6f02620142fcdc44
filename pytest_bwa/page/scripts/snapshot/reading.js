// Uses: prelude/visibility.js
// Uses: snapshot/names.js
// Uses: snapshot/numbers.js
// Uses: snapshot/states.js

const MAX_UNNAMED_PICTURES = 10;
const PICTURE_PARENTS = 4;
const MIN_PICTURE_SIZE = 6; // pixels

/** @param {any} el A link, which may be part of a drawing */
function linkOf(el) {
  const address = member(el, "href");
  return address?.baseVal ?? address ?? null;
}

/** What one snapshot has collected so far. */
class Reading {
  /** @param {number} max */
  constructor(max) {
    /** @type {object[]} */
    this.nodes = [];
    this.leftOut = 0;
    this.counts = { all: 0, interactive: 0, unnamed: 0, canvas: 0, svg: 0, semantic: 0 };
    /** @type {string[]} */
    this.unnamedPictures = [];
    this.max = max;
    this.width = innerWidth;
    this.height = innerHeight;
  }

  /**
   * @param {any} el
   * @param {string} role
   * @param {string} name
   * @param {DOMRect} box
   * @param {string} landmark
   */
  add(el, role, name, box, landmark) {
    if (this.nodes.length >= this.max) {
      this.leftOut++;
      return;
    }
    const url = role === "link" ? linkOf(el) : null;
    const level = role === "heading" ? +(attributeOf(el, "aria-level") || tagOf(el)[1] || 0) : 0;
    this.nodes.push({
      number: numberOf(el),
      role,
      name,
      value: fieldValueOf(el, role),
      states: statesOf(el, role),
      url: url || null,
      note: noteOf(el, name),
      box: [box.left + scrollX, box.top + scrollY, box.width, box.height],
      in_viewport: isInViewport(box, this.width, this.height),
      landmark,
      level,
    });
  }

  /**
   * Remembers the text next to a picture that has no name.
   * @param {Element} picture
   * @param {string} landmark
   */
  addUnnamedPicture(picture, landmark) {
    if (landmark || this.unnamedPictures.length >= MAX_UNNAMED_PICTURES) return;
    const box = boxOf(picture);
    if (box.width < MIN_PICTURE_SIZE || box.height < MIN_PICTURE_SIZE) return;
    let text = "";
    let parent = parentOf(picture);
    for (let up = 0; parent && !text && up < PICTURE_PARENTS; up++, parent = parentOf(parent)) {
      text = shorten(tagOf(parent) === "TR" ? rowText(parent) : visibleText(parent), CELL_LENGTH);
    }
    if (text && !this.unnamedPictures.includes(text)) this.unnamedPictures.push(text);
  }
}
