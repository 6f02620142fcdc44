/**
 * At most `max` characters of the text from its beginning; a pair of surrogates, which is one
 * character such as an emoji, is not cut in two.
 * @param {string} text
 * @param {number} max
 */
function cutText(text, max) {
  const isInPair = /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(max - 1, max + 1));
  return text.slice(0, isInPair ? max - 1 : max);
}

/**
 * Joins runs of white space to single spaces and cuts the text to `max` characters; a text that
 * was cut ends with `ending`, which counts towards `max`.
 * @param {string | null | undefined} text
 */
function fold(text, max = Infinity, ending = "") {
  const folded = (text || "").replace(/\s+/g, " ").trim();
  return folded.length > max ? cutText(folded, max - ending.length) + ending : folded;
}

/**
 * A whole number as English text has it: 1,240.
 * @param {number} number
 */
function withCommas(number) {
  return String(Math.round(number)).replace(/\B(?=(\d{3})+$)/g, ",");
}
