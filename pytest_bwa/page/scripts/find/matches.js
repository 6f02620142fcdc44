// Uses: prelude/elements.js
// Uses: prelude/page_api.js
// Uses: prelude/text.js
// Uses: prelude/visibility.js

const BEFORE = 60; // characters shown before the text that was found
const AFTER = 90;
const ACTION_TARGETS =
  "a[href], button, input, select, textarea, summary, [role=button], [role=link], [role=tab]";

/** The places where a text was found. */
class Matches {
  /**
   * @param {string} text
   * @param {number} max
   */
  constructor(text, max) {
    this.text = text.toLowerCase();
    this.max = max;
    this.total = 0;
    /** @type {object[]} */
    this.hits = [];
  }

  /** @param {string} text */
  isIn(text) {
    return text.toLowerCase().includes(this.text);
  }

  /** @param {string} text The text around a match, cut on both sides */
  around(text) {
    const at = text.toLowerCase().indexOf(this.text);
    const from = cutText(text, Math.max(0, at - BEFORE)).length;
    const to = cutText(text, at + this.text.length + AFTER).length;
    return (from ? "…" : "") + text.slice(from, to) + (text.length > to ? "…" : "");
  }

  /**
   * Counts a match that can be seen, and keeps the first few.
   * @param {Element} el
   * @param {string} text
   */
  add(el, text) {
    if (!isShown(el, RENDERED)) return;
    this.total++;
    if (this.hits.length >= this.max) return;
    const target = call(el, "closest", ACTION_TARGETS) || el;
    this.hits.push({
      line: this.around(text),
      tag: attributeOf(target, "role") || member(target, "localName"),
      n: pageApi().number(target),
      near: isInViewport(boxOf(el)),
    });
  }
}
