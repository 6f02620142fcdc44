// A random sample of what nothing speaks against: drawn, reviewed, and what it says of all others.

import { ask } from "./api.js";
import { askInDialog } from "./dialogs.js";
import { byId, el, say } from "./dom.js";

/** @typedef {import("./review.js").Review} Review */

const USUAL = 25;

/** @param {Review} review */
export async function askForDraw(review) {
  const { draws, population } = await ask("random");
  const number = el("input", {
    id: "number",
    type: "number",
    min: 1,
    max: population,
    value: Math.min(USUAL, population),
  });
  const seed = el("input", { id: "seed", type: "text", autocomplete: "off" });
  const earlier = /** @type {Draw[]} */ (draws);
  const content = [
    el(
      "p",
      {},
      `${population} samples are done, and nothing speaks against them. Review some of them, drawn at random, to know how many of all of them can be wrong.`,
    ),
    el("p", { class: "row" }, [el("label", { for: "number" }, "How many"), number]),
    el("p", { class: "row" }, [
      el("label", { for: "seed" }, "Seed, if you have one; it is recorded"),
      seed,
    ]),
    ...earlier.map(({ statement }) => el("p", { class: "note" }, statement)),
  ];
  /** @type {[string, string][]} */
  const goOn = earlier
    .filter((draw) => !draw.is_complete)
    .map((draw) => [`Go on with the ${draw.number}`, draw.hash]);
  const answer = await askInDialog("Random sample", content, [
    ["Draw", "draw"],
    ...goOn,
    ["Cancel", ""],
  ]);
  if (!answer) return;
  try {
    const wanted = seed.value.trim() ? { seed: seed.value.trim() } : {};
    const draw =
      answer === "draw" ? await ask("random", { number: Number(number.value), ...wanted }) : null;
    await reviewDraw(review, draw ?? earlier.find(({ hash }) => hash === answer) ?? null);
  } catch (refused) {
    say(/** @type {Error} */ (refused).message);
  }
}

/**
 * Ask for a random sample only, or for everything again.
 * @param {Review} review
 * @param {Draw | null} draw
 */
export async function reviewDraw(review, draw) {
  review.draw = draw;
  review.walk.restart();
  showBanner(review);
  await review.read();
  await review.next();
}

/** @param {Review} review */
export function showBanner(review) {
  const banner = byId("draw");
  banner.hidden = !review.draw;
  if (!review.draw) return;
  const { number, of, seed } = review.draw;
  banner.replaceChildren(
    el("span", {}, `Random sample: ${number} of ${of}, seed ${seed} `),
    el(
      "button",
      { type: "button", on: { click: () => reviewDraw(review, null) } },
      "Leave the sample",
    ),
  );
}

/**
 * What a random sample says, as it is now.
 * @param {Draw} draw
 * @returns {Promise<string>}
 */
export async function statementOf({ hash }) {
  const { draws } = await ask("random");
  return draws.find((/** @type {Draw} */ other) => other.hash === hash)?.statement ?? "";
}
