// Uses: settle/stand_in.js
// Uses: settle/timers.js

// Leaving the page, and tabs that it opens: the browser reports both later than the page is quiet.

const LEAVING = 300; // ms until the request for the next page, or for a file, is known
const SAME_TAB = ["_self", "_top", "_parent", ""];
let lastLeaving = -LEAVING;
let openedTabs = 0;
const knownWindows = new Set(SAME_TAB);

function watchLeaving() {
  window.addEventListener("beforeunload", () => {
    lastLeaving = now();
  });
  const originalClose = window.close;
  standIn(window, "close", () => {
    lastLeaving = now();
    return originalClose.call(window);
  });
}

/** @param {string} name The name of the window in which something was opened */
function countOpened(name) {
  if (knownWindows.has(name)) return;
  openedTabs++;
  if (name !== "_blank") knownWindows.add(name);
}

function watchOpenedTabs() {
  const originalOpen = window.open;
  standIn(window, "open", function (...args) {
    const opened = originalOpen.apply(this, /** @type {any} */ (args));
    const [, name, features] = args;
    if (opened || /noopener|noreferrer/.test(features || "")) countOpened(name || "_blank");
    return opened;
  });
  const countLink = (event) => {
    const link = event.composedPath().find((node) => node.localName === "a" && node.href);
    if (!link) return;
    runLater(() => {
      if (!event.defaultPrevented) countOpened(link.target);
    }, 0);
  };
  window.addEventListener("click", countLink, true);
}
