// Timers and animation frames that the page waits for.

const MAX_DELAY = 600; // ms; later timers are refreshes, time-outs or advertisements
const MAX_LATE_DELAY = 2000; // ms; later timers that a page sets for what it shows at first
const MAX_COUNTING_DELAY = 250; // ms; a slower repetition is a clock or a carousel
const MAX_COUNTING = 5000; // ms; a repetition that goes on changing the page is an animation
const SHORTEST = 50; // ms; a fast count has 100 ticks
const MAX_FRAME_WAIT = 1000; // ms; on a busy machine a frame comes late
const HIDDEN_FRAME_WAIT = 100; // ms; a page that nobody sees gets no frames
const MAX_FRAMES = 3; // in a row; after that they are an animation
const now = performance.now.bind(performance); // a page may replace it later
const originalSetTimeout = window.setTimeout.bind(window);
const runInFrame = window.requestAnimationFrame.bind(window);

/**
 * A timer's id, or an animation frame: `depth` is how many frames in a row have led to it.
 * @typedef {number | { depth: number }} Timer
 */
/** @type {Set<Timer>} */
const timers = new Set();
/**
 * Timers that are due later, but within MAX_LATE_DELAY after the document was parsed or after the
 * last input. They count for those who answer at once: a model takes longer to answer.
 * @type {Set<number>}
 */
const lateTimers = new Set();
let lastBeginning = Infinity; // so long the document is parsed
/**
 * The animation frames that the page waits for, by the ids by which a page cancels them.
 * @type {Map<number, Timer>}
 */
const framesById = new Map();
let frameDepth = 0;
let getsFrames = true;
let lastMessage = 0;
let isMessagePending = false;

/**
 * Runs `work` after `delay` ms without counting it as the page's own timer.
 * @param {() => void} work
 * @param {number} delay
 */
function runLater(work, delay) {
  originalSetTimeout(work, delay);
}

/**
 * Runs `work` with the next frame, or when it is so late that the page seems to get none.
 * @param {() => void} work
 */
function runInNextFrame(work) {
  let isOver = false;
  const end = (isFrame) => {
    getsFrames ||= isFrame;
    if (isOver) return;
    isOver = true;
    getsFrames = isFrame;
    work();
  };
  runInFrame(() => end(true));
  runLater(() => end(false), frameWait());
}

function frameWait() {
  return getsFrames ? MAX_FRAME_WAIT : HIDDEN_FRAME_WAIT;
}

/** @param {unknown} delay */
function isSoon(delay) {
  return Number(delay || 0) <= MAX_DELAY;
}

/** What is set from now on, and due soon, may belong to what the page shows next. */
function rememberBeginning() {
  lastBeginning = now();
}

/**
 * The list in which a timer counts until it has run; none for refreshes and advertisements.
 * @param {unknown} delay
 * @returns {Set<Timer> | Set<number> | null}
 */
function listOf(delay) {
  if (isSoon(delay)) return timers;
  const due = now() + Number(delay);
  return Number(delay) <= MAX_LATE_DELAY && due <= lastBeginning + MAX_LATE_DELAY
    ? lateTimers
    : null;
}

function watchTimers() {
  if (member(document, "readyState") === "loading") {
    window.addEventListener("DOMContentLoaded", rememberBeginning, { once: true });
  } else rememberBeginning();
  standIn(window, "setTimeout", (_set, _self, [work, delay, ...rest]) => {
    const list = typeof work === "function" ? listOf(delay) : null;
    if (!list) return originalSetTimeout(work, delay, ...rest);
    const run = function (...args) {
      list.delete(id);
      return work.apply(this, args);
    };
    const id = originalSetTimeout(run, delay, ...rest);
    list.add(id);
    return id;
  });
  watchIntervals();
  // One list of ids is shared by both kinds of timers, and pages clear either with either.
  for (const name of ["clearTimeout", "clearInterval"]) {
    standIn(window, name, (clear, _self, [id]) => {
      timers.delete(Number(id));
      lateTimers.delete(Number(id));
      return NATIVE_APPLY(clear, window, [id]);
    });
  }
}

/**
 * A repeated timer is pending until it has run once; a fast one, such as a number that counts up to
 * its value, until it has run once without a change of the page. At the beginning of a page a slower
 * one counts so long, too, for those who answer at once.
 */
function watchIntervals() {
  standIn(window, "setInterval", (set, _self, [work, delay, ...rest]) => {
    if (typeof work !== "function" || !isSoon(delay)) {
      return NATIVE_APPLY(set, window, [work, delay, ...rest]);
    }
    const isFast = Number(delay || 0) <= MAX_COUNTING_DELAY;
    const mostTicks = MAX_COUNTING / Math.max(Number(delay || 0), SHORTEST);
    let ticks = 0;
    let seenChanges = textChangeCount;
    const run = function (...args) {
      const isIdle = ticks++ > 0 && textChangeCount === seenChanges;
      if (!isFast || isIdle || ticks > mostTicks) timers.delete(id);
      if (isIdle || now() > lastBeginning + MAX_LATE_DELAY) lateTimers.delete(id);
      seenChanges = textChangeCount;
      return work.apply(this, args);
    };
    const id = NATIVE_APPLY(set, window, [run, delay, ...rest]);
    timers.add(id);
    if (now() <= lastBeginning + MAX_LATE_DELAY) lateTimers.add(id);
    return id;
  });
}

/** Frameworks cut long work into slices, which go on in the next frame or by a message. */
function watchSlices() {
  standIn(window, "requestAnimationFrame", (request, _self, [work]) => {
    if (typeof work !== "function") return NATIVE_APPLY(request, window, [work]);
    const frame = { depth: frameDepth + 1 };
    timers.add(frame);
    runLater(() => timers.delete(frame), frameWait());
    const run = (time) => {
      timers.delete(frame);
      framesById.delete(id);
      frameDepth = frame.depth;
      try {
        return work.call(window, time);
      } finally {
        frameDepth = 0;
      }
    };
    const id = NATIVE_APPLY(request, window, [run]);
    framesById.set(id, frame);
    return id;
  });
  standIn(window, "cancelAnimationFrame", (cancel, _self, [id]) => {
    timers.delete(framesById.get(id) ?? 0);
    framesById.delete(id);
    return NATIVE_APPLY(cancel, window, [id]);
  });
  watchMessages();
}

/**
 * A message comes in its turn, and after a pause of the machine a timer may come before it. So one
 * of our own is sent behind it: when that has come, so has what was sent before.
 */
function watchMessages() {
  const { port1, port2 } = new MessageChannel();
  const nativePost = port1.postMessage;
  let sentSince = false;
  const send = () => {
    lastMessage = now();
    sentSince = isMessagePending;
    if (isMessagePending) return;
    isMessagePending = true;
    NATIVE_APPLY(nativePost, port1, [null]);
  };
  port2.onmessage = () => {
    isMessagePending = false;
    lastMessage = now();
    if (sentSince) send();
  };
  standIn(MessagePort.prototype, "postMessage", (post, port, args) => {
    const posted = NATIVE_APPLY(post, port, args);
    send();
    return posted;
  });
}

/**
 * Whether a timer is pending that was set before the last change, or continues sliced work. A page
 * that sets the next timer again and again is quiet in between.
 * @param {Set<Timer>} relevant The timers that were pending at the last change
 */
function hasPendingTimer(relevant) {
  for (const timer of timers) {
    if (relevant.has(timer)) return true;
    if (typeof timer === "object" && timer.depth > 1 && timer.depth <= MAX_FRAMES) return true;
  }
  return false;
}
