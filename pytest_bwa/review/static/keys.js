// The keyboard: one key for each thing that can be done now, and the buttons that say so.

import { byId, el, fill } from "./dom.js";

const OFF = "bwa.review.keys.off";
const TYPING = "textarea, select, input:not([type=checkbox])";
const NAMES = { ArrowLeft: "←", ArrowRight: "→", Escape: "Esc" };

/** @param {() => Command[]} commands What can be done at this moment */
export function listen(commands) {
  document.addEventListener("keydown", (event) => {
    const target = /** @type {Element} */ (event.target);
    const isOurs = !(event.ctrlKey || event.metaKey || event.altKey || event.repeat);
    if (!isOurs || document.querySelector("dialog[open]")) return;
    if (target.closest("#approvals")) return; // there, nobody means the value below
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (target.matches(TYPING) ? key !== "Escape" : key === "Enter" && target.matches("button, a"))
      return;
    if (key.length === 1 && key !== "?" && localStorage.getItem(OFF)) return;
    const command = commands().find(({ keys }) => keys.includes(key));
    if (!command) return;
    event.preventDefault();
    command.run(key);
  });
}

/** @param {Command} command */
export function button({ keys, label, run, isMain }) {
  const attributes = {
    type: "button",
    class: isMain ? "main" : "",
    "aria-keyshortcuts": keys.join(" "),
    on: { click: () => run(keys[0]) },
  };
  return el("button", attributes, label, " ", el("kbd", { "aria-hidden": "true" }, shown(keys[0])));
}

/** @param {string} key */
function shown(key) {
  return NAMES[/** @type {keyof typeof NAMES} */ (key)] ?? key;
}

/** @param {Command[]} commands */
export function showButtons(commands) {
  const bar = byId("buttons");
  const hadFocus = bar.contains(document.activeElement);
  fill(bar, commands.filter((command) => !command.isQuiet).map(button));
  if (hadFocus) bar.querySelector("button")?.focus();
}

/** @param {Command[]} commands */
export function help(commands) {
  const off = el("input", { type: "checkbox", checked: !localStorage.getItem(OFF) });
  off.addEventListener("change", () => {
    if (off.checked) localStorage.removeItem(OFF);
    else localStorage.setItem(OFF, "1");
  });
  return [
    el(
      "dl",
      { class: "keys" },
      commands.flatMap(({ keys, help: text }) => [
        el(
          "dt",
          {},
          keys.map((key) => el("kbd", {}, shown(key))),
        ),
        el("dd", {}, text),
      ]),
    ),
    el("p", {}, el("label", {}, off, " Single letters and signs are shortcuts")),
  ];
}
