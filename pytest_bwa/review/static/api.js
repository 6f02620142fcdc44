// What is asked of the server. Every answer that is no success says in `error` why.

export class Refused extends Error {
  /**
   * @param {number} status
   * @param {any} answer
   */
  constructor(status, answer) {
    super(answer.error || `the server answered with ${status}`);
    this.status = status;
    this.answer = answer;
  }
}

/**
 * @param {string} path
 * @param {object} [body] Sent as JSON by POST
 * @returns {Promise<any>}
 */
export async function ask(path, body) {
  const options = body && {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  };
  const response = await fetch(`/api/${path}`, options).catch(() => {
    throw new Refused(0, { error: "the server does not answer: is `bwa review` still running?" });
  });
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Refused(response.status, answer);
  return answer;
}
