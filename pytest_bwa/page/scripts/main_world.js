// Uses: bridge/announced.js
// Uses: settle/quiet.js
// Uses: snapshot/changes.js

function listenInMainWorld() {
  watchChanges();
  watchInput();
  NATIVE_LISTEN.call(document, `${announcements}?`, answerReaders);
}

/**
 * Installs once per document what must live in the page's own world: waiting until the page is quiet,
 * and knowing what reacts to a press. It is trusted for nothing else.
 * @param {string} name Of the events that cross between the worlds
 */
function mainWorld(name) {
  if (window[Symbol.for("bwa.quiet")]) return;
  openChannel(name);
  listenInMainWorld();
  // document.open() removes all listeners.
  new MutationObserver(listenInMainWorld).observe(document, { childList: true });
  watchListeners();
  watchShadowRoots();
  watchTimers();
  watchSlices();
  watchRequests();
  watchLeaving();
  watchOpenedTabs();
  const api = { settle: waitUntilQuiet, isLoading: () => placeholders().length > 0, handOver };
  Object.defineProperty(window, Symbol.for("bwa.quiet"), { value: api, enumerable: false });
}
