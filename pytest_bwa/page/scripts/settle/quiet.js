// Knows what a page still has to do: timers that are due soon, pending requests, sliced work, and
// what the last input has caused. So a page is quiet as soon as nothing is pending, and not only
// after a time that is long enough for every page.

const LOOK_EVERY = 10; // ms
const LOOK_FOR_FRAME_EVERY = 2; // ms; where nothing but a frame of the browser is missing
const LOOK_FOR_PLACEHOLDERS_EVERY = 50; // ms
// Installed before the page's own scripts; if not, earlier timers are not known.
const isEarly = !member(document, "body");
let lastInput = 0;
let lastSettled = 0;
let nextLookForPlaceholders = 0;
/** @type {WeakSet<Element>} */
const givenUpPlaceholders = new WeakSet();

function watchInput() {
  for (const event of ["click", "keydown", "input", "change", "mouseover", "drop"]) {
    window.addEventListener(event, rememberInput, true);
  }
}

function rememberInput() {
  lastInput = now();
  rememberBeginning();
}

/**
 * Waits until nothing has changed for `quiet` ms (`late`, if the script was installed late), nothing
 * is pending and the page was painted, or for `most` ms; the result says how it ended. Only painting
 * brings scroll events, and tells observers of sizes and of what is in view. `isLast` says that the
 * time is up afterwards: placeholders that are still there are not waited for again. `isPatient`
 * waits for late timers, too.
 * @param {SettleOptions} options
 */
function waitUntilQuiet({ quiet, late, most, isLast, isPatient }) {
  const begin = now();
  const previous = lastSettled;
  const quietTime = isEarly ? quiet : late;
  let seenChanges = changeCount;
  let since = lastInput > lastSettled ? lastInput : begin;
  let relevant = new Set(timers);
  let isPainted = !getsFrames;
  runInNextFrame(() => {
    runLater(() => {
      isPainted = true;
    }, LOOK_EVERY);
  });
  const leftOfQuiet = () => quietTime - (now() - Math.max(since, lastMessage));
  const isQuiet = () => {
    if (changeCount !== seenChanges) {
      seenChanges = changeCount;
      since = now();
      relevant = new Set(timers);
    }
    if (member(document, "readyState") === "loading" || hasPendingTimer(relevant)) return false;
    if (isPatient && lateTimers.size > 0) return false;
    if (!isPainted || isMessagePending || hasUnreportedRequest()) return false;
    if (now() - lastLeaving < LEAVING) return false;
    if (leftOfQuiet() > 0) return false;
    return !isScrolling() && !isFading(lastInput) && !isShowingPlaceholder();
  };
  return new Promise((resolve) => {
    const end = (state) => {
      lastSettled = now();
      // Still here although it was being left: a file comes instead of a page, or nothing.
      const leaving = lastLeaving > previous;
      resolve({ state, opens: openedTabs, leaving, document: documentKey() });
    };
    const look = () => {
      if (isQuiet()) end(isEmpty() ? "empty" : "quiet");
      else if (now() - begin >= most) {
        if (isLast) for (const el of placeholders()) givenUpPlaceholders.add(el);
        end("busy");
      } else runLater(() => guarded(look, end), untilNextLook(leftOfQuiet(), isPainted));
    };
    guarded(look, end);
  });
}

/**
 * The ms until it is of use to look again.
 * @param {number} leftOfQuiet
 * @param {boolean} isPainted
 */
function untilNextLook(leftOfQuiet, isPainted) {
  if (leftOfQuiet > 0) return Math.min(Math.ceil(leftOfQuiet), LOOK_EVERY);
  return isPainted && awaitedFrames === 0 ? LOOK_EVERY : LOOK_FOR_FRAME_EVERY;
}

/**
 * What a page has replaced may throw: then nobody knows, and nobody waits for ever.
 * @param {() => void} look
 * @param {(state: string) => void} end
 */
function guarded(look, end) {
  try {
    look();
  } catch {
    end("busy");
  }
}

/** Whether the page shows a placeholder that was not waited for in vain already. */
function isShowingPlaceholder() {
  if (now() < nextLookForPlaceholders) return true;
  const found = placeholders().some((el) => !givenUpPlaceholders.has(el));
  if (found) nextLookForPlaceholders = now() + LOOK_FOR_PLACEHOLDERS_EVERY;
  return found;
}
