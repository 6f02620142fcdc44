// The head of the page: how far the run is and how far the review is; and what runs now.

import { byId, el, fill } from "./dom.js";

/**
 * @param {Progress} progress
 * @param {boolean} canDecide
 */
export function showProgress(progress, canDecide) {
  const { finished, of, is_over, ended, times, open, decided, to_review } = progress;
  const made = Object.entries(decided).reduce((sum, [, count]) => sum + count, 0);
  const bar = /** @type {HTMLProgressElement} */ (byId("progress"));
  bar.max = canDecide ? Math.max(1, made + open) : Math.max(1, of);
  bar.value = canDecide ? made : finished;
  byId("progress-text").textContent = canDecide
    ? `${number(made)} decided, ${number(open)} to decide`
    : `${number(finished)} of ${number(of)} samples`;
  const state = is_over ? ended : `running, ${times}`;
  const counts = Object.entries(progress.statuses).filter(([, count]) => count > 0);
  const words = counts.map(([status, count]) => `${number(count)} ${status.replace("_", " ")}`);
  byId("totals").textContent = [
    `${number(finished)} of ${number(of)} samples`,
    ...words,
    `${number(to_review)} to look at`,
  ].join(" · ");
  byId("state").textContent = state;
  byId("state").className = is_over ? "quiet small" : "running small";
  showRunning(progress);
}

/** @param {number} count */
function number(count) {
  return count.toLocaleString("en");
}

/** @param {Progress} progress */
function showRunning({ is_over, running, last }) {
  byId("live").hidden = is_over;
  const rows = running.map(({ sample_id, step, max_steps, action, state, url }) =>
    el("tr", {}, [
      cell("sample", sample_id),
      cell("step", `${step} of ${max_steps}, ${state}`),
      cell("action", action),
      cell("page", url),
    ]),
  );
  fill(byId("running"), rows);
  fill(
    byId("last"),
    last.map(({ sample_id, ending, reason }) =>
      el("li", {}, el("b", {}, sample_id), ` ${ending}${reason && `: ${reason}`}`),
    ),
  );
}

/**
 * @param {string} name
 * @param {string} text
 */
function cell(name, text) {
  return el("td", { "data-name": name }, text);
}
