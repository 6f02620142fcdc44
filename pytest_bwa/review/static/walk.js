// The order in which a person is asked, and where in it the person is.

/** @param {EntryName} entry */
export function keyOf({ sample_id, subject, field }) {
  return [sample_id, subject, field].map(encodeURIComponent).join("/");
}

/** @param {QueuedEntry} entry @returns {Stop} */
export function entryStop(entry) {
  return {
    key: keyOf(entry),
    kind: "entry",
    title: `${entry.sample_id}: ${entry.name}`,
    entries: [entry],
  };
}

/**
 * Every screen of a queue. What speaks against a value is asked for itself; all else of its sample
 * is asked together.
 * @param {Queue} queue
 * @returns {Stop[]}
 */
export function stopsOf(queue) {
  const groups = queue.groups.map((group) => groupStop(group));
  /** @type {Map<string, QueuedEntry[]>} */
  const samples = new Map();
  for (const entry of queue.entries) {
    samples.set(entry.sample_id, [...(samples.get(entry.sample_id) ?? []), entry]);
  }
  return [...groups, ...[...samples.values()].flatMap(sampleStops)];
}

/** @param {Group} group @returns {Stop} */
function groupStop(group) {
  return {
    key: `group/${group.id}`,
    kind: "group",
    title: group.where,
    group,
    entries: group.shown,
  };
}

/** @param {QueuedEntry[]} entries Of one sample */
function sampleStops(entries) {
  const alone = entries.filter((entry) => entry.doubted || entry.subject !== "value");
  const others = entries.filter((entry) => !alone.includes(entry));
  if (others.length < 2) return entries.map(entryStop);
  const [{ sample_id }] = others;
  const title = `${sample_id}: ${others.length} ${alone.length > 0 ? "other " : ""}values`;
  return [
    ...alone.map(entryStop),
    /** @type {Stop} */ ({ key: `sample/${sample_id}`, kind: "sample", title, entries: others }),
  ];
}

export class Walk {
  constructor() {
    /** @type {Stop[]} What is open */
    this.stops = [];
    this.unsent = 0; // values that come when those before them are decided
    /** @type {Stop | null} */
    this.now = null;
    /** @type {Stop[]} */
    this.visited = [];
    /** @type {Set<string>} */
    this.skipped = new Set();
    /** @type {Map<string, QueuedEntry[]>} The entries of groups that are asked one by one, by key */
    this.split = new Map();
    /** @type {Set<string>} Decided since the queue was read */
    this.decided = new Set();
    this.at = 0;
  }

  /** @param {Queue} queue */
  take(queue) {
    this.decided.clear();
    this.stops = stopsOf(queue);
    this.unsent = queue.left;
    const position = this.position();
    if (position >= 0) this.at = position;
  }

  position() {
    return this.open().findIndex((stop) => stop.key === this.now?.key);
  }

  /** @returns {Stop[]} */
  open() {
    return this.stops
      .flatMap((stop) => this.split.get(stop.key)?.map(entryStop) ?? [stop])
      .map((stop) => ({
        ...stop,
        entries: stop.entries.filter((entry) => !this.decided.has(keyOf(entry))),
      }))
      .filter((stop) => stop.entries.length > 0);
  }

  /** How many values are asked for. */
  get left() {
    return this.open().reduce(
      (sum, { group, entries }) => sum + (group ? group.values : entries.length),
      this.unsent,
    );
  }

  /** What comes after this stop and was not skipped; what comes before it last. @param {number} count */
  upcoming(count) {
    const open = this.open();
    const position = this.position();
    const [begin, from] = position < 0 ? [this.at, this.at] : [position + 1, position];
    const ordered = [...open.slice(begin), ...open.slice(0, from)];
    return ordered.filter((stop) => !this.skipped.has(stop.key)).slice(0, count);
  }

  /** @param {Stop} stop */
  go(stop) {
    if (this.now && this.now.key !== stop.key) this.visited.push(this.now);
    this.now = stop;
    const position = this.position();
    if (position >= 0) this.at = position;
  }

  /** Something else is shown; what is asked next stays. */
  leave() {
    if (this.now) this.visited.push(this.now);
    this.now = null;
  }

  /** Another queue is asked, from its beginning. */
  restart() {
    this.leave();
    this.skipped.clear();
    this.at = 0;
  }

  /** @returns {Stop | null} The stop before, if there is one */
  back() {
    const before = this.visited.pop();
    if (before) this.now = before;
    return before ?? null;
  }

  /** @param {EntryName[]} entries */
  settle(entries) {
    for (const entry of entries) this.decided.add(keyOf(entry));
  }
}
