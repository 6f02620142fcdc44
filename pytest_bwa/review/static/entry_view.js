// One entry: its crop, what it is said to be, and all that helps to judge it.

import { image } from "./cache.js";
import { counted, el, factList } from "./dom.js";
import { PictureView } from "./picture_view.js";

export class EntryView {
  /** @param {Entry} entry */
  constructor(entry) {
    this.entry = entry;
    this.picture = entry.picture && new PictureView(entry.picture, entry.name);
    this.forms = el("div", { class: "forms" });
    const card = el("div", {}, [
      entry.judgment && reasoning(entry.judgment),
      history(entry),
      facts(entry),
      siblings(entry.siblings),
    ]);
    this.element = el("article", { "aria-labelledby": "stop-title" }, [
      heading(entry),
      against(entry),
      this.forms,
      closeUp(entry),
      el("div", { class: "sides" }, card, this.picture?.element ?? pictures(entry)),
    ]);
  }
}

/** @param {Entry} entry */
function heading({ subject, name, question, text, sample, sample_id }) {
  const what = { value: name, judgment: question || "Judgment", sample: "How it ended" };
  return el("header", {}, [
    el(
      "h2",
      { id: "stop-title", tabindex: -1 },
      el(
        "span",
        { class: "field" },
        el("b", {}, sample_id),
        ` · ${sample.ending} · ${what[subject]} `,
      ),
      el("span", { class: "answer" }, text),
    ),
  ]);
}

/** @param {Entry} entry What speaks against it */
function against({ why, sample_why, subject, sample }) {
  const reason = why || (subject === "value" ? "" : sample.reason);
  return [
    reason && el("p", { class: "note warning" }, reason),
    !reason &&
      sample_why &&
      el("p", { class: "quiet small" }, `The sample is to be looked at: ${sample_why}`),
    sample.changed &&
      el(
        "p",
        { class: "note warning" },
        "These files are not what the run wrote: `bwa verify` says what changed.",
      ),
  ];
}

/** @param {Entry} entry */
function closeUp({ crop, subject, name, source, text, file }) {
  if (crop)
    return el(
      "div",
      { class: "close-up" },
      image(crop, `${name} where the page shows it: ${source || text}`),
    );
  if (subject !== "value") return null;
  return el(
    "p",
    { class: "close-up quiet" },
    file ? `It stands in the file ${file}.` : "No picture shows it.",
  );
}

/** @param {NonNullable<Entry["judgment"]>} judgment */
function reasoning({ reasoning: text, confidence, more }) {
  return [el("p", { class: "text" }, text), factList([["confidence", confidence], ...more])];
}

/** @param {Entry} entry */
function facts(entry) {
  const { subject, sample } = entry;
  const isValue = subject === "value";
  const address = entry.frame || entry.url || sample.address;
  const notes = sample.notes.filter((note) => !entry.why || !note.includes(entry.why));
  return factList([
    ["page says", entry.source],
    ["label", entry.label],
    ["how", isValue && entry.how],
    ["when", entry.read],
    ["where", address && el("a", { href: address, rel: "noreferrer", target: "_blank" }, address)],
    ["asked for", entry.description],
    ["question", subject !== "judgment" && entry.question],
    ...sample.inputs.filter(([name]) => name !== "sample_id"),
    ["reason", isValue && sample.reason],
    ["notes", notes.join("\n")],
  ]);
}

/** @param {Entry["siblings"]} siblings What other samples have there */
function siblings(siblings) {
  if (!siblings) return null;
  const { labels, values } = siblings;
  const places = labels.map(
    ({ label, samples }) => `${label ? `“${label}”` : "no label"} in ${counted(samples, "sample")}`,
  );
  return (
    values.length > 0 && [
      el("h3", {}, "Other samples"),
      places.length > 0 && el("p", { class: "quiet small" }, places.join(", ")),
      el(
        "ul",
        { class: "siblings" },
        values.map(({ sample_id, text }) =>
          el("li", {}, el("span", { class: "quiet small" }, sample_id), ` ${text}`),
        ),
      ),
    ]
  );
}

/** @param {Entry} entry What was decided already */
function history({ history: decisions }) {
  const lines = decisions.map(({ decision, corrected_text, reviewer, time, comment }) =>
    el("li", {}, [
      el("b", {}, decision),
      decision === "corrected" && ` to ${corrected_text}`,
      ` by ${reviewer} at ${shortTime(time)}`,
      comment && `: ${comment}`,
    ]),
  );
  return lines.length > 0 && el("ul", { class: "earlier" }, lines);
}

/** @param {string} time UTC, RFC 3339 */
export function shortTime(time) {
  return `${time.slice(0, 16).replace("T", " ")} UTC`;
}

/** @param {Entry} entry The pictures of a judgment, or of a sample without values */
function pictures({ judgment, sample }) {
  const shown =
    judgment && judgment.pictures.length > 0 ? judgment.pictures : sample.pictures.slice(-1);
  return el(
    "section",
    { class: "picture", "aria-label": "Pictures" },
    shown.map((picture) =>
      el(
        "figure",
        {},
        el("figcaption", { class: "quiet small" }, `${picture.name}, ${picture.source_url}`),
        image(picture.url, picture.name, picture),
      ),
    ),
  );
}
