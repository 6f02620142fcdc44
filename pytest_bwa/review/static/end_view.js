// What is shown when nothing is left to ask.

import { counted, el } from "./dom.js";
import { askForDraw, reviewDraw, statementOf } from "./random.js";
import { showSignOff } from "./sign_off.js";

/** @param {import("./review.js").Review} review */
export async function endView(review) {
  const { draw, run, walk } = review;
  const statement = draw && (await statementOf(draw));
  const skipped = walk.open().length;
  const { is_over, is_read, kinds } = review.progress;
  if (!is_read) return reading();
  const isRunning = !is_over;
  return el("article", { class: "end", "aria-labelledby": "stop-title" }, [
    el("h2", { id: "stop-title", tabindex: -1 }, title(skipped, Boolean(draw))),
    statement && el("p", { class: "statement", id: "statement" }, statement),
    isRunning && el("p", {}, "The run goes on: what comes is asked here."),
    !draw && kinds.done > 0 && el("p", {}, unseen(kinds.done)),
    el("p", { class: "answers" }, [
      skipped > 0 && choice(`Ask for the ${skipped} again`, () => review.askSkipped()),
      draw && choice("Back to all that is open", () => reviewDraw(review, null)),
      run.can_decide &&
        !isRunning &&
        !draw &&
        choice("Draw a random sample", () => askForDraw(review)),
      run.can_decide && !isRunning && choice("Sign off", () => showSignOff(review)),
    ]),
  ]);
}

/** @param {number} done */
function unseen(done) {
  return `Nothing speaks against ${counted(done, "sample")}, and nobody was asked to look. A random sample says how many of them can be wrong.`;
}

/** What comes is asked at once. */
function reading() {
  return el("article", { class: "end" }, [
    el("h2", { id: "stop-title", tabindex: -1 }, "Reading the results …"),
  ]);
}

/**
 * @param {number} skipped
 * @param {boolean} isDraw
 */
function title(skipped, isDraw) {
  if (skipped > 0) return `${counted(skipped, "question")} skipped`;
  return isDraw ? "The random sample is reviewed" : "Nothing is left to decide";
}

/**
 * @param {string} label
 * @param {() => unknown} run
 */
function choice(label, run) {
  return el("button", { type: "button", on: { click: run } }, label);
}
