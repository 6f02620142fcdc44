// Uses: settle/timers.js

const LONG_POLL = 2000; // ms; an older request is a connection that is kept open
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
    window.fetch = function (...args) {
      const request = beginRequest();
      const end = () => requests.delete(request);
      const answer = originalFetch.apply(this, args);
      answer.then(end, end);
      return answer;
    };
  }
  const originalSend = XMLHttpRequest.prototype.send;
  XMLHttpRequest.prototype.send = function (...args) {
    const request = beginRequest();
    this.addEventListener("loadend", () => requests.delete(request));
    return originalSend.apply(this, args);
  };
}

function hasPendingRequest() {
  for (const request of requests) if (now() - request.since < LONG_POLL) return true;
  return false;
}
