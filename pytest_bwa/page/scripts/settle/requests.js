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
  if (typeof window.fetch === "function") {
    standIn(window, "fetch", (fetch, self, args) => {
      const request = beginRequest();
      const end = () => requests.delete(request);
      const answer = NATIVE_APPLY(fetch, self, args);
      answer.then(end, end);
      return answer;
    });
  }
  standIn(XMLHttpRequest.prototype, "send", (send, xhr, args) => {
    const request = beginRequest();
    xhr.addEventListener("loadend", () => requests.delete(request));
    return NATIVE_APPLY(send, xhr, args);
  });
}

function hasUnreportedRequest() {
  for (const request of requests) if (now() - request.since < REPORTED_AFTER) return true;
  return false;
}
