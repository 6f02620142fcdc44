// Knows what a page still has in hand: timers that are due soon, requests that are under way, work
// that goes on in slices, and what the last input set off. With that, a page is at rest as soon as
// nothing is pending, and not only after a window that is long enough for everybody. Installed once
// a document, before the page's own scripts; where it comes late (`early` is false), earlier timers
// are not known.
() => {
  const KEY = Symbol.for("bwa.quiet");
  if (window[KEY]) return;
  const SOON = 600; // ms; later timers are for themselves: advertisements, refreshes, time-outs
  const LONG_POLL = 2000; // ms; an older request is a connection that is held open
  const early = !document.body;
  const now = () => performance.now();

  const timers = new Set();
  const plainSet = window.setTimeout, plainClear = window.clearTimeout;
  window.setTimeout = function (work, delay, ...given) {
    if (typeof work !== "function" || !(Number(delay || 0) <= SOON)) {
      return plainSet.call(window, work, delay, ...given);
    }
    const id = plainSet.call(window, function (...passed) {
      timers.delete(id);
      return work.apply(this, passed);
    }, delay, ...given);
    timers.add(id);
    return id;
  };
  window.clearTimeout = function (id) { timers.delete(id); return plainClear.call(window, id); };

  // Frameworks cut long work into slices, which go on in the next frame or by a message. Frames are
  // waited for up to the third in a row: after that they are an animation. A page that is not shown
  // gets none, hence the time.
  const FRAME = 100, IN_A_ROW = 3; // ms, frames
  let depth = 0, sliced = 0;
  const plainFrame = window.requestAnimationFrame;
  window.requestAnimationFrame = function (work) {
    if (typeof work !== "function") return plainFrame.call(window, work);
    const frame = { depth: depth + 1 };
    timers.add(frame);
    plainSet.call(window, () => timers.delete(frame), FRAME);
    return plainFrame.call(window, (time) => {
      timers.delete(frame);
      depth = frame.depth;
      try { return work.call(window, time); } finally { depth = 0; }
    });
  };
  const plainPost = MessagePort.prototype.postMessage;
  MessagePort.prototype.postMessage = function () { sliced = now(); return plainPost.apply(this, arguments); };

  const requests = new Set();
  const begin = () => { const request = { since: now() }; requests.add(request); return request; };
  if (window.fetch) {
    const plainFetch = window.fetch;
    window.fetch = function (...given) {
      const request = begin(), end = () => requests.delete(request);
      const answer = plainFetch.apply(this, given);
      answer.then(end, end);
      return answer;
    };
  }
  const plainSend = XMLHttpRequest.prototype.send;
  XMLHttpRequest.prototype.send = function (...given) {
    const request = begin();
    this.addEventListener("loadend", () => requests.delete(request));
    return plainSend.apply(this, given);
  };
  const asking = () => [...requests].some((request) => now() - request.since < LONG_POLL);

  // The page is about to be left, or a file to come: whoever waits hears of the request, or of the
  // file, a little later.
  const LEAVING = 300; // ms
  let left = -LEAVING;
  window.addEventListener("beforeunload", () => { left = now(); });
  const plainClose = window.close;
  window.close = function () { left = now(); return plainClose.call(window); };

  let touched = 0, asked = 0;
  for (const event of ["click", "keydown", "input", "change", "mouseover", "drop"]) {
    window.addEventListener(event, () => { touched = now(); }, true);
  }

  // Tabs that this page has opened; the browser tells of them later than the page comes to rest.
  let opens = 0;
  const windows = new Set(["_self", "_top", "_parent", ""]), plainOpen = window.open;
  const opening = (name) => { if (!windows.has(name)) { opens++; if (name !== "_blank") windows.add(name); } };
  window.open = function (url, name, features) {
    const opened = plainOpen.apply(this, arguments);
    if (opened || /noopener|noreferrer/.test(features || "")) opening(name || "_blank");
    return opened;
  };
  window.addEventListener("click", (event) => {
    const link = event.composedPath().find((node) => node.localName === "a" && node.href);
    if (link) plainSet.call(window, () => { if (!event.defaultPrevented) opening(link.target); }, 0);
  }, true);

  // A page that shows nothing yet, or says itself that it is loading, is not at rest.
  const empty = () => {
    const text = (document.body?.innerText || "").trim();
    return (!text && !document.querySelector("input, button, canvas, svg, img"))
      || /^loading\W*$/i.test(text) || !!document.querySelector('[aria-busy="true"]');
  };

  // Resolves when nothing has changed for `quiet` ms and nothing is pending, or after `most` ms;
  // says how it ended. Only timers that were set before the last change are waited for: a page
  // that sets the next one again and again is at rest in between.
  const settle = ({ quiet, late, most, changes }) => new Promise((resolve) => {
    const begun = now(), before = asked, window_ = early ? quiet : late;
    // It was to be left, and is still here: a file comes instead of a page, or nothing.
    const told = (state) => ({ state, opens, leaving: left > before });
    let seen = changes(), since = touched > asked ? touched : begun, pending = new Set(timers);
    const look = () => {
      if (changes() !== seen) { seen = changes(); since = now(); pending = new Set(timers); }
      const follows = (timer) => pending.has(timer) || (timer.depth > 1 && timer.depth <= IN_A_ROW);
      const waiting = [...timers].some(follows) || asking()
        || now() - left < LEAVING;
      if (document.readyState !== "loading" && !waiting && now() - Math.max(since, sliced) >= window_) {
        asked = now();
        resolve(told(empty() ? "empty" : "quiet"));
      } else if (now() - begun >= most) {
        asked = now();
        resolve(told("busy"));
      } else {
        plainSet.call(window, look, 10);
      }
    };
    look();
  });
  Object.defineProperty(window, KEY, { value: { settle }, enumerable: false });
}
