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
  standIn(window, "close", (close) => {
    lastLeaving = now();
    return NATIVE_APPLY(close, window, []);
  });
}

/** @param {string} name The name of the window in which something was opened */
function countOpened(name) {
  if (knownWindows.has(name)) return;
  openedTabs++;
  if (name !== "_blank") knownWindows.add(name);
}

function watchOpenedTabs() {
  standIn(window, "open", (open, self, args) => {
    const opened = NATIVE_APPLY(open, self, args);
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
