// The sign-off: what was decided, by whom, when, and the end of the chain; it is printed as it is.

import { ask } from "./api.js";
import { counted, el, factList, say } from "./dom.js";
import { shortTime } from "./entry_view.js";

/** @typedef {import("./review.js").Review} Review */

/** @param {Review} review */
export async function showSignOff(review) {
  const [state, { draws }] = await Promise.all([ask("sign-off"), ask("random")]);
  const problem = el("p", { class: "failed", role: "alert" });
  const name = el("input", { id: "name", autocomplete: "name", value: review.run.reviewer });
  const role = el("input", { id: "role", autocomplete: "organization-title" });
  const remark = el("textarea", { id: "remark", rows: 2 });
  const sign = async () => {
    try {
      await ask("sign-off", {
        name: name.value.trim(),
        role: role.value.trim(),
        remark: remark.value.trim(),
      });
      await showSignOff(review);
      say("signed");
    } catch (refused) {
      problem.textContent = /** @type {Error} */ (refused).message;
    }
  };
  const fields = form(
    [
      ["name", "Name", name],
      ["role", "Role", role],
      ["remark", "Remark", remark],
    ],
    sign,
    problem,
  );
  const sheet = el("article", { class: "paper", "aria-labelledby": "stop-title" }, [
    el("h2", { id: "stop-title", tabindex: -1 }, "Sign-off"),
    facts(review, state, draws),
    state.signed.map(signature),
    state.signed.length > 0
      ? el("details", { class: "unprinted" }, [el("summary", {}, "Sign again"), fields])
      : fields,
    el("p", { class: "answers unprinted" }, [
      el("button", { type: "button", on: { click: () => window.print() } }, "Print"),
      el("button", { type: "button", on: { click: () => review.next() } }, "Back to the review"),
    ]),
  ]);
  review.walk.leave();
  review.isAtEnd = false; // what comes meanwhile does not take the sheet away
  review.put(null, sheet);
  if (state.signed.length === 0) (name.value ? role : name).focus();
}

/** @param {Review} review @param {SignOffState} state @param {Draw[]} draws */
function facts({ run }, { decided, head }, draws) {
  const unasked = decided.not_asked;
  return factList([
    ["what", run.title],
    ["run", run.run_id],
    ["decided", countsOf(decided)],
    ["by", decided.by.join(", ")],
    ["still open", String(decided.open)],
    ["not asked", unasked > 0 && `${counted(unasked, "value")} that nothing speaks against`],
    ["random samples", draws.map((draw) => draw.statement).join("\n")],
    ["last hash of the chain", head && el("span", { class: "hash" }, head)],
  ]);
}

/** @param {Record<string, unknown>} decided */
function countsOf(decided) {
  const counts = Object.entries(decided).filter(
    ([word, count]) => !["open", "not_asked"].includes(word) && typeof count === "number",
  );
  return counts.map(([word, count]) => `${count} ${word}`).join(", ");
}

/** @param {SignOff} signed */
function signature({ name, role, remark, time, head, decided }) {
  return el("section", { class: "signature", "aria-label": `Signed by ${name}` }, [
    el(
      "p",
      {},
      el("b", {}, name),
      role && `, ${role}`,
      el("span", { class: "quiet" }, ` signed on ${shortTime(time)}`),
    ),
    remark && el("p", { class: "text" }, remark),
    el(
      "p",
      { class: "quiet small" },
      countsOf(decided),
      "; the last hash was ",
      el("span", { class: "hash" }, head),
    ),
  ]);
}

/**
 * @param {[string, string, HTMLElement][]} fields
 * @param {() => unknown} send
 * @param {HTMLElement} problem
 */
function form(fields, send, problem) {
  const rows = fields.map(([id, label, field]) =>
    el("p", { class: "row" }, [el("label", { for: id }, label), field]),
  );
  const made = el("form", { class: "unprinted" }, [
    ...rows,
    problem,
    el("p", { class: "answers" }, el("button", { type: "submit", class: "main" }, "Sign")),
  ]);
  made.addEventListener("submit", (event) => {
    event.preventDefault();
    send();
  });
  return made;
}
