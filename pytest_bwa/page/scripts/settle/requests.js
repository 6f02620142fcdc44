// Uses: settle/stand_in.js
// Uses: settle/timers.js

// Requests that the browser may not have reported to Python yet. From then on Python counts them,
// because it also sees frames, and bodies that are still streaming: see actions/settle.py.

const REPORTED_AFTER = 150; // ms
/** @type {Set<{ since: number }>} */
const requests = new Set();

function beginRequest() {
  const request = { since: now() };
  requests.add(request);
  return request;
}

function watchRequests() {
  if (window.fetch) {
    const originalFetch = window.fetch;
    standIn(window, "fetch", function (...args) {
      const request = beginRequest();
      const end = () => requests.delete(request);
      const answer = originalFetch.apply(this, /** @type {any} */ (args));
      answer.then(end, end);
      return answer;
    });
  }
  const originalSend = XMLHttpRequest.prototype.send;
  standIn(XMLHttpRequest.prototype, "send", function (...args) {
    const request = beginRequest();
    this.addEventListener("loadend", () => requests.delete(request));
    return originalSend.apply(this, /** @type {any} */ (args));
  });
}

function hasUnreportedRequest() {
  for (const request of requests) if (now() - request.since < REPORTED_AFTER) return true;
  return false;
}
