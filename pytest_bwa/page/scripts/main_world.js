// Uses: prelude/
// Uses: settle/
// Uses: bridge/announced.js

function listenInMainWorld() {
  watchChanges();
  watchInput();
  watchScrolling();
  NATIVE_APPLY(NATIVE_LISTEN, document, [`${announcements}?`, answerReaders]);
}

/**
 * Installs once per document what must live in the page's own world: waiting until the page is quiet,
 * and knowing what reacts to a press. It is trusted for nothing else.
 * @param {string} channel The name of the events that cross between the worlds
 * @param {string} name Of the property that Python asks
 */
function mainWorld(channel, name) {
  if (window[name]) return;
  openChannel(channel);
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
  const isLoading = () => placeholders().length > 0;
  const api = { settle: waitUntilQuiet, isLoading, isEmpty, handOver };
  Object.defineProperty(window, name, { value: api, enumerable: false });
}
