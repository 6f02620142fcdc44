// What is shown next is here before it is asked for: its texts, its crops and its whole picture.

import { ask } from "./api.js";
import { el } from "./dom.js";

/** @type {Map<string, Promise<any>>} */
const answers = new Map();
/** @type {Map<string, HTMLImageElement>} */
const images = new Map();
const MAX_KEPT = 80;
const SHOWN_FIRST = 6;

/**
 * What a stop shows, from the server only if it is not here.
 * @param {Stop} stop
 * @returns {Promise<any>}
 */
export function load(stop) {
  if (stop.kind === "sample") return Promise.resolve(stop);
  const known = answers.get(stop.key);
  if (known) return known;
  const answer = ask(
    stop.group ? `group?${new URLSearchParams({ id: stop.group.id })}` : entryPath(stop.entries[0]),
  );
  keep(answers, stop.key, answer);
  answer.catch(() => answers.delete(stop.key)); // so that it is asked for again
  return answer;
}

/** @param {EntryName} entry */
function entryPath({ sample_id, subject, field }) {
  return `entry?${new URLSearchParams({ sample: sample_id, subject, field })}`;
}

/**
 * Somebody decided these: what was answered of them, and of any group, is not true any more.
 * @param {string[]} keys
 */
export function forget(keys) {
  for (const key of answers.keys()) {
    if (key.startsWith("group/") || keys.includes(key)) answers.delete(key);
  }
}

/** @param {Stop[]} stops */
export async function prefetch(stops) {
  for (const stop of stops) {
    const found = await load(stop).catch(() => null);
    const crops = (found?.entries ?? [])
      .slice(0, SHOWN_FIRST)
      .map((/** @type {any} */ entry) => entry.crop);
    const first = stop.kind === "entry" ? [found?.crop, found?.picture?.url] : crops;
    for (const address of first.filter(Boolean)) image(address, "");
  }
}

/**
 * The element of a picture. It is loaded once, and taken from where it was shown before.
 * @param {string} address
 * @param {string} alt
 * @param {{width: number, height: number}} [size] So that nothing moves when it comes
 */
export function image(address, alt, { width, height } = { width: 0, height: 0 }) {
  const found = images.get(address) ?? el("img", { src: address });
  found.alt = alt;
  if (width > 0) Object.assign(found, { width, height });
  keep(images, address, found);
  return found;
}

/**
 * @template Value
 * @param {Map<string, Value>} kept
 * @param {string} key
 * @param {Value} value
 */
function keep(kept, key, value) {
  kept.delete(key);
  kept.set(key, value);
  const [oldest] = kept.keys();
  if (kept.size > MAX_KEPT) kept.delete(oldest);
}
