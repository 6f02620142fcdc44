// What happens while the page is open: results that come, and what others decide.

import { showApprovals } from "./approvals.js";
import { forget } from "./cache.js";
import { say } from "./dom.js";
import { keyOf } from "./walk.js";

const PATIENCE_MS = 300;

/** @param {import("./review.js").Review} review */
export function followRun(review) {
  const events = new EventSource("/api/events");
  /** @param {string} name @param {(data: any) => void} take */
  const on = (name, take) =>
    events.addEventListener(name, (event) =>
      take(JSON.parse(/** @type {MessageEvent} */ (event).data)),
    );
  on("progress", (progress) => review.take(progress));
  on("approvals", ({ waiting }) => showApprovals(waiting, review.run.can_decide));
  on("decision", (decision) => takeDecision(review, decision));
  let timer = 0;
  on("queue", ({ version }) => {
    clearTimeout(timer);
    timer = setTimeout(() => review.version < version && review.refresh(), PATIENCE_MS);
  });
}

/**
 * @param {import("./review.js").Review} review
 * @param {Decision} decision
 */
function takeDecision(review, decision) {
  if (decision.reviewer === review.run.reviewer) return;
  const key = keyOf(/** @type {any} */ (decision));
  if (key === review.walk.now?.key) {
    say(`${decision.reviewer} has just ${decision.decision} this`); // the server asks, if it is decided again
    return;
  }
  forget([key]);
}
