// The review itself: what is shown now, and what happens when a person decides.

import { ask } from "./api.js";
import { forget, load, prefetch } from "./cache.js";
import { askInDialog } from "./dialogs.js";
import { byId, counted, el, fill, say } from "./dom.js";
import { endView } from "./end_view.js";
import { EntryView, shortTime } from "./entry_view.js";
import { focusField } from "./forms.js";
import { showProgress } from "./head.js";
import { showButtons } from "./keys.js";
import { showList } from "./list.js";
import { ManyView } from "./many_view.js";
import { entryStop, keyOf, Walk } from "./walk.js";

const AHEAD = 3;

export class Review {
  /** @param {RunState} run */
  constructor(run) {
    this.run = run;
    this.progress = run.progress;
    this.walk = new Walk();
    this.version = 0;
    /** @type {Draw | null} The random sample that is reviewed, if it is one */
    this.draw = null;
    /** @type {EntryView | ManyView | null} None at the end, and beside the walk */
    this.view = null;
    /** @type {{hashes: string[], stop: Stop}[]} What can be undone, the latest at the end */
    this.made = [];
    this.isBusy = false;
    this.isAtEnd = false;
    /** @type {() => Command[]} */
    this.commands = () => [];
  }

  // -- what is asked ------------------------------------------------------------------------------

  /** Read what is open. */
  async read() {
    const queue = await ask(
      this.draw ? `queue?${new URLSearchParams({ draw: this.draw.hash })}` : "queue",
    );
    this.version = queue.version;
    this.walk.take(queue);
    this.list();
  }

  /** What is open has changed: results came, or somebody decided. */
  async refresh() {
    await this.read();
    if (this.isAtEnd && this.walk.upcoming(1).length > 0) await this.next();
    else prefetch(this.walk.upcoming(AHEAD));
  }

  list() {
    showList(this.walk.open(), this.walk.now, (stop) => this.show(stop));
    this.take(this.progress);
  }

  async next() {
    if (this.walk.upcoming(1).length === 0) await this.read();
    const [stop] = this.walk.upcoming(1);
    await (stop ? this.show(stop) : this.end());
  }

  async back() {
    const before = this.walk.back();
    if (before) await this.show(before);
    else say("There is nothing before this.");
  }

  async skip() {
    if (this.walk.now) this.walk.skipped.add(this.walk.now.key);
    await this.next();
  }

  async end() {
    this.walk.now = null;
    this.isAtEnd = true;
    this.put(null, await endView(this));
    this.list();
  }

  async askSkipped() {
    this.walk.skipped.clear();
    this.walk.at = 0;
    await this.next();
  }

  /** @param {Stop} stop */
  async show(stop) {
    this.walk.go(stop);
    const found = await load(stop).catch((refused) => ({ error: refused.message }));
    if (this.walk.now?.key !== stop.key) return; // another one was asked for meanwhile
    this.isAtEnd = false;
    if (found.error)
      this.put(
        null,
        el("p", { class: "note warning", tabindex: -1, id: "stop-title" }, found.error),
      );
    else this.showFound(stop, found);
    this.list();
    prefetch(this.walk.upcoming(AHEAD));
  }

  /**
   * @param {Stop} stop
   * @param {any} found
   */
  showFound(stop, found) {
    const look = (/** @type {QueuedEntry} */ entry) => this.show(entryStop(entry));
    const view =
      stop.kind === "entry" ? new EntryView(found) : new ManyView(stop, found.entries, look);
    this.put(view, view.element);
  }

  /**
   * @param {EntryView | ManyView | null} view
   * @param {HTMLElement} element
   */
  put(view, element) {
    this.view = view;
    fill(byId("stop"), element);
    const address = this.walk.now ? `#${this.walk.now.key}` : " ";
    history.replaceState(null, "", address);
    this.refreshButtons();
    document.getElementById("stop-title")?.focus({ preventScroll: true });
    window.scrollTo(0, 0); // on a narrow screen; on a wide one, only this part scrolls
    byId("stop").scrollTop = 0;
  }

  refreshButtons() {
    showButtons(this.commands());
  }

  /** A group is asked one by one. */
  async split() {
    const { now } = this.walk;
    if (!now || !(this.view instanceof ManyView)) return;
    this.walk.split.set(now.key, this.view.entries);
    await this.show(entryStop(this.view.entries[0]));
  }

  /** @param {Progress} progress */
  take(progress) {
    const isJustRead = progress.is_read && !this.progress.is_read;
    this.progress = progress;
    if (isJustRead && this.isAtEnd) this.end();
    showProgress(progress, this.run.can_decide, this.walk.left);
  }

  // -- what is decided ----------------------------------------------------------------------------

  /**
   * @param {Entry} entry
   * @param {string} decision
   * @param {{text: string, comment: string}} [typed]
   */
  async decide(entry, decision, typed = { text: "", comment: "" }) {
    const { sample_id, subject, field, result_sha256 } = entry;
    const name = { sample_id, subject, field };
    await this.send(
      { ...name, decision, ...typed, seen: entry.decision?.hash ?? "", result_sha256 },
      [name],
    );
  }

  /** @param {ManyView} view Those that are not left out are accepted */
  async acceptMany(view) {
    const { group, entries } = view.stop;
    const out = view.leftOut();
    const accepted = view.entries.filter((entry) => !out.includes(entry));
    const names = group
      ? { group: group.id, except: out.map((entry) => entry.sample_id) }
      : { sample: entries[0].sample_id, fields: accepted.map((entry) => entry.field) };
    if (out.length > 0 && this.walk.now) this.walk.split.set(this.walk.now.key, out);
    await this.send({ ...names, decision: "accepted" }, accepted);
  }

  /**
   * @param {object} body
   * @param {EntryName[]} entries
   */
  async send(body, entries) {
    const stop = this.walk.now;
    if (this.isBusy || !stop) return;
    this.isBusy = true;
    try {
      await this.settle(await ask("decide", body), entries, stop);
    } catch (refused) {
      this.isBusy = false;
      await this.refused(/** @type {any} */ (refused), body, entries);
    } finally {
      this.isBusy = false;
    }
  }

  /**
   * @param {{decisions: Decision[], undo: string[], progress: Progress}} answer
   * @param {EntryName[]} entries
   * @param {Stop} stop
   */
  async settle({ decisions, undo, progress }, entries, stop) {
    if (undo.length > 0) this.made.push({ hashes: undo, stop });
    // Nothing else has changed: what is open is known here.
    if (progress.version === this.version + 1) this.version = progress.version;
    this.take(progress);
    const keys = entries.map(keyOf);
    forget(keys);
    const [{ decision }] = [...decisions, { decision: "nothing left to decide" }];
    const what =
      entries.length === 1
        ? `${entries[0].sample_id} ${entries[0].field}`
        : counted(entries.length, "value");
    say(`${decision}: ${what}`);
    if (decision === "commented") return this.show(stop);
    this.walk.settle(entries);
    return this.next();
  }

  /**
   * @param {{status: number, message: string, answer: any}} refused
   * @param {object} body
   * @param {EntryName[]} entries
   */
  async refused({ status, message, answer }, body, entries) {
    forget(entries.map(keyOf));
    if (status === 409 && answer.decision)
      return this.askAgain(message, answer.decision, body, entries);
    say(message);
    if (status === 409 && this.walk.now) await this.show(this.walk.now);
    return undefined;
  }

  /**
   * Somebody else decided meanwhile.
   * @param {string} message
   * @param {Decision} other
   * @param {object} body
   * @param {EntryName[]} entries
   */
  async askAgain(message, other, body, entries) {
    const said = el("p", {}, message, other.comment && ` (“${other.comment}”)`);
    const when = el("p", { class: "quiet small" }, shortTime(other.time));
    const keep = `Leave it as ${other.reviewer} decided`;
    const answer = await askInDialog(
      "Decided meanwhile",
      [said, when],
      [
        [keep, ""],
        ["Decide all the same", "again"],
      ],
    );
    if (answer === "again") return this.send({ ...body, seen: other.hash }, entries);
    this.walk.settle(entries);
    return this.next();
  }

  async undo() {
    const last = this.made.pop();
    if (!last) return say("You have decided nothing that could be undone.");
    try {
      const { decisions, progress } = await ask("undo", { hashes: last.hashes });
      forget(decisions.map(keyOf));
      this.take(progress);
      await this.read();
      await this.show(this.walk.open().find((stop) => stop.key === last.stop.key) ?? last.stop);
      say(`undone: ${counted(decisions.length, "decision")}`);
    } catch (refused) {
      say(/** @type {Error} */ (refused).message);
    }
    return undefined;
  }

  /** @param {HTMLFormElement} form Shown in the card of the entry */
  ask(form) {
    if (!(this.view instanceof EntryView)) return;
    fill(this.view.forms, form);
    focusField(form);
  }

  closeForm() {
    if (this.view instanceof EntryView) this.view.forms.replaceChildren();
    document.getElementById("stop-title")?.focus();
  }
}
