// The head of the page: how far the run is and how far the review is; and what runs now.

import { byId, el, fill } from "./dom.js";

/**
 * @param {Progress} progress
 * @param {boolean} canDecide
 * @param {number} left Values that are still asked for
 */
export function showProgress(progress, canDecide, left) {
  const { finished, of, is_over, is_read, ended, times, decided } = progress;
  const made = Object.values(decided).reduce((sum, count) => sum + count, 0);
  const bar = /** @type {HTMLProgressElement} */ (byId("progress"));
  bar.max = canDecide ? Math.max(1, made + left) : Math.max(1, of);
  bar.value = canDecide ? made : finished;
  const samples = `${number(finished)} of ${number(of)} samples`;
  byId("progress-text").textContent = canDecide
    ? `${number(made)} decided, ${number(left)} to decide`
    : samples;
  const kinds = Object.entries(progress.kinds).map(([kind, count]) => `${number(count)} ${kind}`);
  byId("totals").textContent = (canDecide ? [samples, ...kinds] : kinds).join(" · ");
  const state = is_over ? `ended: ${ended}` : `running, ${times}`;
  byId("state").textContent = is_read ? state : "reading …";
  byId("state").className = is_over ? "" : "running";
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
    el("li", {}, [
      el("b", {}, sample_id),
      ` step ${step} of ${max_steps}, ${state} `,
      el("span", { class: "quiet" }, `${action} ${url}`),
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
