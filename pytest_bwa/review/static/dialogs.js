// Questions in front of the page.

import { byId, el } from "./dom.js";

/**
 * Show a dialog until it is closed, and then give the focus back.
 * @param {string} title
 * @param {(Node | string)[]} content
 * @param {[string, string][]} answers What each button says, and what it answers; the last one is Escape's
 * @returns {Promise<string>}
 */
export function askInDialog(title, content, answers) {
  const focused = /** @type {HTMLElement | null} */ (document.activeElement);
  const buttons = answers.map(([label, value], index) =>
    el(
      "button",
      {
        type: "submit",
        value,
        formnovalidate: index > 0,
        class: index === 0 && answers.length > 1 ? "main" : "",
      },
      label,
    ),
  );
  const form = el(
    "form",
    { method: "dialog" },
    el("h2", { id: "dialog-title" }, title),
    ...content,
    el("p", { class: "answers" }, buttons),
  );
  const dialog = el("dialog", { "aria-labelledby": "dialog-title" }, form);
  byId("dialogs").replaceChildren(dialog);
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      if (focused?.isConnected) focused.focus();
      resolve(dialog.returnValue || answers[answers.length - 1][1]);
    });
    dialog.showModal();
  });
}
