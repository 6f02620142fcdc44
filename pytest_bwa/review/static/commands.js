// What can be done at this moment: the one table behind keys, buttons and help.

import { askInDialog } from "./dialogs.js";
import { EntryView } from "./entry_view.js";
import { commentForm, correctionForm } from "./forms.js";
import { help } from "./keys.js";
import { askForDraw } from "./random.js";
import { showSignOff } from "./sign_off.js";

/** @typedef {import("./review.js").Review} Review */
/** @typedef {import("./many_view.js").ManyView} ManyView */
/** @typedef {import("./forms.js").Typed} Typed */

/**
 * @param {string} keys With spaces between them
 * @param {string} label
 * @param {string} help
 * @param {(key: string) => unknown} run
 * @returns {Command}
 */
function command(keys, label, help, run) {
  return { keys: keys.split(" "), label, help, run };
}

/** @param {Parameters<typeof command>} words Only a key, without a button at the foot */
function quiet(...words) {
  return { ...command(...words), isQuiet: true };
}

/** @param {Parameters<typeof command>} words What is done most often */
function main(...words) {
  return { ...command(...words), isMain: true };
}

/**
 * @param {Review} review
 * @returns {Command[]}
 */
export function commandsOf(review) {
  const { view } = review;
  const own = view instanceof EntryView ? ofEntry(review, view) : view ? ofMany(review, view) : [];
  const undo = command("u", "Undo", "Undo your last decision", () => review.undo());
  return [
    ...own,
    ...(view
      ? [command("s ArrowRight", "Skip", "Go on without a decision", () => review.skip())]
      : []),
    command("b ArrowLeft", "Back", "Go back to what was shown before", () => review.back()),
    ...(review.run.can_decide && (view || review.isAtEnd) ? [undo] : []),
  ];
}

/**
 * The buttons of the head.
 * @param {Review} review
 * @returns {Command[]}
 */
export function headCommands(review) {
  const deciding = [
    command("n", "Random sample", "Draw a random sample, or go on with one", () =>
      askForDraw(review),
    ),
    command("g", "Sign off", "See what was decided, and sign it", () => showSignOff(review)),
  ];
  const keys = command("?", "Keys", "Show all keys", () => showHelp(review));
  return [...(review.run.can_decide ? deciding : []), keys];
}

/** @param {Review} review */
function showHelp(review) {
  return askInDialog("Keys", help([...commandsOf(review), ...headCommands(review)]), [
    ["Close", ""],
  ]);
}

/** @param {Review} review @param {EntryView} view */
function ofEntry(review, { entry, picture }) {
  const zoom = picture && [
    quiet("+ =", "Larger", "Larger picture", () => picture.larger()),
    quiet("-", "Smaller", "Smaller picture", () => picture.smaller()),
    quiet("0", "Fit", "The picture as wide as there is room", () => picture.scale(0)),
  ];
  return [...(review.run.can_decide ? decisions(review, entry) : []), ...(zoom ?? [])];
}

/** @param {Review} review @param {Entry} entry */
function decisions(review, entry) {
  const close = () => review.closeForm();
  /** @param {string} decision */
  const save = (decision) => (/** @type {Typed} */ typed) => review.decide(entry, decision, typed);
  const why = { label: "Why, if you like", button: "Reject", isNeeded: false };
  const comment = { label: "Comment; it decides nothing", button: "Comment", isNeeded: true };
  return [
    main("a", "Accept", "Accept: it is right", () => review.decide(entry, "accepted")),
    command("c", "Correct", "Correct: type what is right", () =>
      review.ask(correctionForm(entry, save("corrected"), close)),
    ),
    command("r", "Reject", "Reject: it is wrong, and what is right is not known", () =>
      review.ask(commentForm(why, save("rejected"), close)),
    ),
    command("m", "Comment", "Comment, and decide nothing", () =>
      review.ask(commentForm(comment, save("commented"), close)),
    ),
    quiet("Escape", "Close", "Close what is being typed", close),
  ];
}

/** @param {Review} review @param {ManyView} view */
function ofMany(review, view) {
  const look = [
    quiet("1 2 3 4 5 6 7 8 9", "Look", "Look at the first to the ninth alone", (key) =>
      view.lookAt(Number(key) - 1),
    ),
    command("o", "One by one", "Ask for each alone", () => review.split()),
  ];
  if (!review.run.can_decide) return look;
  const accept = () => review.acceptMany(view);
  /** @param {() => void} change */
  const changing = (change) => () => {
    change();
    review.refreshButtons();
  };
  if (view.isChoosing) {
    return [
      main("a Enter", "Accept the ticked", "Accept those that are ticked", accept),
      command(
        "Escape",
        "Cancel",
        "Leave none out",
        changing(() => view.stopChoosing()),
      ),
    ];
  }
  return [
    main("a", "Accept all", "Accept all of them", accept),
    command(
      "e",
      "Accept all but …",
      "Accept all except some",
      changing(() => view.choose()),
    ),
    ...look,
  ];
}
