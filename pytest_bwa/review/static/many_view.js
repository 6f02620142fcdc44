// Entries that are judged together: a place that many samples share, or what is open of one sample.

import { image } from "./cache.js";
import { counted, el } from "./dom.js";

const SHOWN = 6;

export class ManyView {
  /**
   * @param {Stop} stop
   * @param {QueuedEntry[]} entries
   * @param {(entry: QueuedEntry) => void} look Shows one alone
   */
  constructor(stop, entries, look) {
    this.stop = stop;
    this.entries = entries;
    this.look = look;
    /** @type {Map<QueuedEntry, HTMLInputElement>} Whether each is accepted, if that is being chosen */
    this.boxes = new Map();
    this.cards = el("ul", { class: "cards" });
    this.more = el("p", { class: "more" });
    this.element = el(
      "article",
      { class: "many", "aria-labelledby": "stop-title" },
      heading(stop, entries),
      this.cards,
      this.more,
    );
    this.show();
  }

  get isChoosing() {
    return this.boxes.size > 0;
  }

  show(count = this.stop.kind === "group" && !this.isChoosing ? SHOWN : this.entries.length) {
    this.cards.replaceChildren(...this.entries.slice(0, count).map((entry) => this.card(entry)));
    const left = this.entries.length - count;
    const all = () => this.show(this.entries.length);
    this.more.replaceChildren(
      ...(left > 0
        ? [el("button", { type: "button", on: { click: all } }, `Show ${left} more`)]
        : []),
    );
  }

  /** Give each a box, which is emptied to leave it out. */
  choose() {
    for (const entry of this.entries)
      this.boxes.set(entry, el("input", { type: "checkbox", checked: true }));
    this.show();
    this.boxes.get(this.entries[0])?.focus();
  }

  stopChoosing() {
    this.boxes.clear();
    this.show();
  }

  /** @param {number} index */
  lookAt(index) {
    const entry = this.entries[index];
    if (entry) this.look(entry);
  }

  leftOut() {
    return this.entries.filter((entry) => this.boxes.get(entry)?.checked === false);
  }

  /** @param {QueuedEntry} entry */
  card(entry) {
    const isGroup = this.stop.kind === "group";
    const name = isGroup ? entry.sample_id : entry.name;
    const box = this.boxes.get(entry);
    const said = [
      el("span", { class: "quiet small" }, name),
      el("b", {}, entry.text),
      entry.source !== entry.text && el("span", { class: "quiet small" }, entry.source),
    ];
    const look = { class: "said", type: "button", on: { click: () => this.look(entry) } };
    const why = entry.why !== this.stop.group?.why && entry.why;
    return el("li", {}, [
      box ? el("label", { class: "said" }, box, ...said) : el("button", look, ...said),
      entry.crop &&
        image(entry.crop, `${entry.name} of ${entry.sample_id} where the page shows it`),
      why && el("p", { class: "unsure small" }, why),
    ]);
  }
}

/**
 * @param {Stop} stop
 * @param {QueuedEntry[]} entries
 */
function heading({ kind, title, group }, entries) {
  const size = group
    ? `: ${counted(entries.length, "sample")}${group.alike ? ", all alike" : ""}`
    : "";
  return el("header", {}, [
    kind === "sample" && el("p", { class: "quiet small" }, entries[0].ending),
    el("h2", { id: "stop-title", tabindex: -1 }, title, size),
    group && el("p", { class: "note warning" }, group.why),
    group && el("p", { class: "quiet small" }, group.page),
    !group &&
      el(
        "p",
        { class: "quiet small" },
        "Nothing speaks against them. Compare each with its picture.",
      ),
  ]);
}
