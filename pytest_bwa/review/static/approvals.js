// What waits for a person before it is sent, while the run goes on.

import { ask } from "./api.js";
import { byId, counted, el, factList, fill, say } from "./dom.js";
import { PictureView } from "./picture_view.js";

/** @type {Map<string, HTMLLIElement>} The cards that are shown; what is typed in them stays */
const cards = new Map();

/**
 * @param {Question[]} waiting
 * @param {boolean} canDecide
 */
export function showApprovals(waiting, canDecide) {
  const section = byId("approvals");
  const hadFocus = section.contains(document.activeElement);
  const list = section.querySelector("ul") ?? el("ul");
  const known = cards.size;
  for (const [id, card] of cards) {
    if (waiting.some((question) => question.id === id)) continue;
    card.remove();
    cards.delete(id);
  }
  for (const question of waiting.filter(({ id }) => !cards.has(id))) {
    const card = cardOf(question, canDecide);
    cards.set(question.id, card);
    list.append(card);
  }
  const text = `${counted(cards.size, "action")} ${cards.size === 1 ? "waits" : "wait"} for approval`;
  if (!list.isConnected) fill(section, el("h2", {}), list);
  fill(/** @type {Element} */ (section.querySelector("h2")), text);
  section.hidden = !cards.size;
  if (cards.size > known) say(text);
  if (hadFocus && !section.contains(document.activeElement))
    /** @type {HTMLElement} */ (list.querySelector("button.main") ?? byId("stop")).focus();
}

/**
 * @param {Question} question
 * @param {boolean} canDecide
 */
function cardOf(question, canDecide) {
  const until = new Date(Date.parse(question.since) + question.seconds * 1000);
  return el(
    "li",
    { "aria-label": `${question.sample_id}: ${question.what}` },
    el("div", {}, [
      el("h3", {}, `${question.sample_id}: `, el("span", { class: "text" }, question.what)),
      factList([
        ["Sends", question.to],
        ...question.fields,
        ["From", `${question.title} ${question.url}`.trim()],
        ["Task", question.task_id],
        ["Rejected if nobody decides by", until.toLocaleTimeString()],
      ]),
      canDecide && answersOf(question),
    ]),
    question.picture && new PictureView(question.picture, "what would be pressed").element,
  );
}

/** @param {Question} question */
function answersOf({ id, sample_id }) {
  const comment = el("input", {
    type: "text",
    maxlength: 10000,
    autocomplete: "off",
    "aria-label": `Comment on ${sample_id}`,
    placeholder: "Comment, if you like",
  });
  const said = el("p", { class: "small failed", role: "alert" });
  /** @param {string} decision @param {boolean} alike */
  const decide = async (decision, alike) => {
    try {
      const answer = await ask("approvals", { id, decision, comment: comment.value, alike });
      showApprovals(answer.waiting, true);
      say(`${sample_id}: ${decision}`);
    } catch (problem) {
      said.textContent = /** @type {Error} */ (problem).message;
    }
  };
  /** @param {string} label @param {string} decision @param {boolean} alike @param {string} title */
  const button = (label, decision, alike, title) =>
    el(
      "button",
      {
        type: "button",
        class: label === "Approve" ? "main" : "",
        title,
        on: { click: () => decide(decision, alike) },
      },
      label,
    );
  return el("div", {}, [
    el("div", { class: "answers" }, [
      button("Approve", "approved", false, "This action of this sample"),
      button("Reject", "rejected", false, "Nothing is sent, and the sample goes on without it"),
      button("Approve all alike", "approved", true, "From now on: this button and these fields"),
      comment,
    ]),
    said,
  ]);
}
