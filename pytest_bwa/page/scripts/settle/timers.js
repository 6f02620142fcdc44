// Timers and animation frames that the page waits for.

const MAX_DELAY = 600; // ms; later timers are refreshes, time-outs or advertisements
const MAX_FRAME_WAIT = 100; // ms; a page that is not visible gets no frames
const MAX_FRAMES = 3; // in a row; after that they are an animation
const now = () => performance.now();
const originalSetTimeout = window.setTimeout;

/**
 * A timer's id, or an animation frame: `depth` is how many frames in a row have led to it.
 * @typedef {number | { depth: number }} Timer
 */
/** @type {Set<Timer>} */
const timers = new Set();
let frameDepth = 0;
let lastMessage = 0;

/**
 * Runs `work` after `delay` ms without counting it as the page's own timer.
 * @param {() => void} work
 * @param {number} delay
 */
function runLater(work, delay) {
  originalSetTimeout.call(window, work, delay);
}

function watchTimers() {
  const originalClearTimeout = window.clearTimeout;
  window.setTimeout = /** @type {any} */ (
    (work, delay, ...rest) => {
      if (typeof work !== "function" || !(Number(delay || 0) <= MAX_DELAY)) {
        return originalSetTimeout.call(window, work, delay, ...rest);
      }
      const run = function (...args) {
        timers.delete(id);
        return work.apply(this, args);
      };
      const id = originalSetTimeout.call(window, run, delay, ...rest);
      timers.add(id);
      return id;
    }
  );
  window.clearTimeout = (id) => {
    timers.delete(/** @type {number} */ (id));
    return originalClearTimeout.call(window, id);
  };
}

/** Frameworks cut long work into slices, which go on in the next frame or by a message. */
function watchSlices() {
  const originalFrame = window.requestAnimationFrame;
  window.requestAnimationFrame = (work) => {
    if (typeof work !== "function") return originalFrame.call(window, work);
    const frame = { depth: frameDepth + 1 };
    timers.add(frame);
    runLater(() => timers.delete(frame), MAX_FRAME_WAIT);
    return originalFrame.call(window, (time) => {
      timers.delete(frame);
      frameDepth = frame.depth;
      try {
        return work.call(window, time);
      } finally {
        frameDepth = 0;
      }
    });
  };
  const originalPost = MessagePort.prototype.postMessage;
  MessagePort.prototype.postMessage = function (...args) {
    lastMessage = now();
    return originalPost.apply(this, /** @type {any} */ (args));
  };
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
