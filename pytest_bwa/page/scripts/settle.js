// Uses: prelude/members.js
// Uses: settle/timers.js
// Uses: settle/requests.js
// Uses: settle/tabs.js

// Knows what a page still has to do: timers that are due soon, pending requests, sliced work, and
// what the last input has caused. So a page is quiet as soon as nothing is pending, and not only
// after a time that is long enough for every page.

const LOOK_EVERY = 10; // ms
// Installed before the page's own scripts; if not, earlier timers are not known.
const isEarly = !member(document, "body");
let lastInput = 0;
let lastSettled = 0;

function watchInput() {
  for (const event of ["click", "keydown", "input", "change", "mouseover", "drop"]) {
    const remember = () => {
      lastInput = now();
    };
    window.addEventListener(event, remember, true);
  }
}

/** Whether the page shows nothing yet, or says itself that it is loading. */
function isEmpty() {
  const text = pageText().trim();
  if (!text && !call(document, "querySelector", "input, button, canvas, svg, img")) return true;
  return /^loading\W*$/i.test(text) || !!call(document, "querySelector", '[aria-busy="true"]');
}

/**
 * Waits until nothing has changed for `quiet` ms (`late`, if the script was installed late) and
 * nothing is pending, or for `most` ms; the result says how it ended.
 * @param {{ quiet: number, late: number, most: number, changes: () => number }} options
 */
function waitUntilQuiet({ quiet, late, most, changes }) {
  const begin = now();
  const previous = lastSettled;
  const quietTime = isEarly ? quiet : late;
  let seenChanges = changes();
  let since = lastInput > lastSettled ? lastInput : begin;
  let relevant = new Set(timers);
  const isQuiet = () => {
    if (changes() !== seenChanges) {
      seenChanges = changes();
      since = now();
      relevant = new Set(timers);
    }
    if (member(document, "readyState") === "loading" || hasPendingTimer(relevant)) return false;
    if (hasPendingRequest() || now() - lastLeaving < LEAVING) return false;
    return now() - Math.max(since, lastMessage) >= quietTime;
  };
  return new Promise((resolve) => {
    const end = (state) => {
      lastSettled = now();
      // Still here although it was being left: a file comes instead of a page, or nothing.
      resolve({ state, opens: openedTabs, leaving: lastLeaving > previous });
    };
    const look = () => {
      if (isQuiet()) end(isEmpty() ? "empty" : "quiet");
      else if (now() - begin >= most) end("busy");
      else runLater(look, LOOK_EVERY);
    };
    look();
  });
}

/** Installs the script once per document. */
function settle() {
  if (window[Symbol.for("bwa.quiet")]) return;
  watchTimers();
  watchSlices();
  watchRequests();
  watchLeaving();
  watchOpenedTabs();
  watchInput();
  const api = { settle: waitUntilQuiet };
  Object.defineProperty(window, Symbol.for("bwa.quiet"), { value: api, enumerable: false });
}
