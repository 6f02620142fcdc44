// The page in which a person looks at a run and decides. This starts it.

import { ask } from "./api.js";
import { commandsOf, headCommands } from "./commands.js";
import { byId, el } from "./dom.js";
import { button, listen } from "./keys.js";
import { followRun } from "./live.js";
import { reviewDraw } from "./random.js";
import { Review } from "./review.js";

async function start() {
  const run = /** @type {RunState} */ (await ask("run"));
  const review = new Review(run);
  review.commands = () => commandsOf(review);
  byId("head-buttons").replaceChildren(...headCommands(review).map(button));
  byId("bar").hidden = false;
  listen(() => [...commandsOf(review), ...headCommands(review)]);
  followRun(review);
  const { draws } = run.draw ? await ask("random") : { draws: [] };
  const draw = draws.find((/** @type {Draw} */ { hash }) => hash === run.draw);
  if (draw) return reviewDraw(review, draw);
  await review.read();
  const named = review.walk.open().find(({ key }) => `#${key}` === location.hash);
  return named ? review.show(named) : review.next();
}

start().catch((problem) =>
  byId("stop").replaceChildren(el("p", { class: "note warning", role: "alert" }, problem.message)),
);
