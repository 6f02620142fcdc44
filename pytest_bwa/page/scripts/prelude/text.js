/**
 * Joins runs of white space to single spaces and cuts the text to `max` characters; a text that
 * was cut ends with `ending`, which counts towards `max`.
 * @param {string | null | undefined} text
 */
function fold(text, max = Infinity, ending = "") {
  const folded = (text || "").replace(/\s+/g, " ").trim();
  return folded.length > max ? folded.slice(0, max - ending.length) + ending : folded;
}
