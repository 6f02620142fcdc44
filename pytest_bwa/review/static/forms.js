// What a person types: the right value, a reason, a comment.

import { ask } from "./api.js";
import { el } from "./dom.js";

/**
 * @typedef {object} Typed
 * @property {string} text
 * @property {string} comment
 */

/**
 * The right value. What is typed is compared with the schema at once.
 * @param {Entry} entry
 * @param {(typed: Typed) => unknown} save
 * @param {() => void} cancel
 */
export function correctionForm(entry, save, cancel) {
  const field = entry.choices
    ? choice(entry)
    : textField("right-value", entry.text === "–" ? "" : entry.text);
  const said = el("p", { class: "small checked", role: "status" });
  const why = textField("why", "");
  let asked = 0;
  const check = async () => {
    const mine = ++asked;
    const { sample_id, subject, field: name } = entry;
    const answer = await ask("check", { sample_id, subject, field: name, text: field.value }).catch(
      (refused) => ({
        problem: refused.message,
      }),
    );
    if (mine !== asked) return answer;
    said.className = `small checked ${answer.ok ? "done" : "failed"}`;
    said.textContent = answer.ok
      ? `will be written as: ${answer.text === "–" ? "no value" : answer.text}`
      : answer.problem;
    return answer;
  };
  field.addEventListener("input", check);
  const send = async () => {
    const answer = await check();
    if (answer.ok) await save({ text: field.value, comment: why.value.trim() });
    else field.focus();
  };
  const type = entry.type ? ` (${entry.type})` : "";
  const rows = [
    el(
      "label",
      { for: "right-value" },
      `The right value${type}${entry.choices ? "" : "; empty if there is none"}`,
    ),
    field,
    said,
    el("label", { for: "why" }, "Why, if you like"),
    why,
  ];
  return form("Correct", rows, send, cancel);
}

/**
 * A reason or a comment.
 * @param {{label: string, button: string, isNeeded: boolean}} words
 * @param {(typed: Typed) => unknown} save
 * @param {() => void} cancel
 */
export function commentForm({ label, button, isNeeded }, save, cancel) {
  const field = textField("comment", "");
  const send = async () => {
    const comment = field.value.trim();
    if (comment || !isNeeded) await save({ text: "", comment });
    else field.focus();
  };
  return form(button, [el("label", { for: "comment" }, label), field], send, cancel);
}

/** @param {Entry} entry */
function choice({ choices, text }) {
  const others = (choices ?? []).filter((word) => word !== text);
  return el(
    "select",
    { id: "right-value" },
    ["", ...others].map((word) => el("option", {}, word)),
  );
}

/**
 * @param {string} id
 * @param {string} text
 */
function textField(id, text) {
  const field = el("textarea", { id, rows: 1, autocomplete: "off", spellcheck: "false" });
  field.value = text;
  return field;
}

/**
 * Enter sends it, Escape leaves it.
 * @param {string} label
 * @param {Node[]} rows
 * @param {() => unknown} send
 * @param {() => void} cancel
 */
function form(label, rows, send, cancel) {
  const made = el("form", { class: "typed" }, [
    ...rows,
    el("p", { class: "answers" }, [
      el(
        "button",
        { type: "submit", class: "main" },
        label,
        " ",
        el("kbd", { "aria-hidden": "true" }, "Enter"),
      ),
      el(
        "button",
        { type: "button", on: { click: cancel } },
        "Cancel ",
        el("kbd", { "aria-hidden": "true" }, "Esc"),
      ),
    ]),
  ]);
  made.addEventListener("submit", (event) => {
    event.preventDefault();
    send();
  });
  made.addEventListener("keydown", (event) => {
    const isField = /** @type {Element} */ (event.target).matches("textarea, select");
    if (event.key !== "Enter" || event.shiftKey || !isField) return;
    event.preventDefault();
    send();
  });
  return made;
}

/** @param {HTMLFormElement} shown Put the cursor into a form's first field */
export function focusField(shown) {
  const field = /** @type {HTMLTextAreaElement | HTMLSelectElement | null} */ (
    shown.querySelector("textarea, select")
  );
  field?.focus();
  if (field instanceof HTMLTextAreaElement) field.select();
}
