// The list of what is open, beside what is asked.

import { byId, counted, el, fill } from "./dom.js";

const MAX_SHOWN = 120;
const BEFORE = 15;

/**
 * @param {Stop[]} stops
 * @param {Stop | null} now
 * @param {(stop: Stop) => void} go
 */
export function showList(stops, now, go) {
  const position = stops.findIndex((stop) => stop.key === now?.key);
  const begin = Math.max(0, position - BEFORE);
  const shown = stops.slice(begin, begin + MAX_SHOWN);
  const left = stops.length - shown.length;
  fill(
    byId("list"),
    el("h2", {}, counted(stops.length, "question")),
    el(
      "ul",
      {},
      shown.map((stop) => el("li", {}, link(stop, now, go))),
    ),
    left > 0 && el("p", { class: "quiet small" }, `and ${left} more`),
  );
}

/**
 * @param {Stop} stop
 * @param {Stop | null} now
 * @param {(stop: Stop) => void} go
 */
function link(stop, now, go) {
  const isNow = stop.key === now?.key;
  const size = stop.group ? ` × ${stop.group.samples}` : "";
  return el(
    "button",
    { type: "button", "aria-current": isNow && "true", on: { click: () => go(stop) } },
    stop.title,
    el("span", { class: "quiet" }, size),
  );
}
