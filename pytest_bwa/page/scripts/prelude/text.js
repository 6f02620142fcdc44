// What nobody sees, except what may change how a letter or an emoji is written: Python decides that
// from its neighbours (text.py). Here it would cut a name short, and hide a text that is looked for.
const UNSEEN =
  /(?!\u00ad|[\u180b-\u180f]|[\u200c\u200d]|[\ufe00-\ufe0f]|[\u{e0020}-\u{e01ef}])\p{DI}/gu;

// What remains as it is when it is folded, as most texts do: words of ASCII and single spaces.
const FOLDED = /^(?:[!-~]+(?: [!-~]+)*)?$/;
// A new process needs up to some ms to make its first pattern of all letters or of all that is unseen,
// so texts of ASCII are not compared with these.
const NOT_ASCII = /[^\0-\x7f]/;

/**
 * The words of a text as a set. To look a name up takes a third of the time of a pattern, which each
 * new process has to compile first.
 * @param {string} words
 */
function wordSet(words) {
  return new Set(words.split(" "));
}

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
 * Removes what nobody sees, joins runs of white space to single spaces and cuts the text to `max`
 * characters; a text that was cut ends with `ending`, which counts towards `max`.
 * @param {string | null | undefined} text
 */
function fold(text, max = Infinity, ending = "") {
  const whole = text || "";
  const folded = FOLDED.test(whole)
    ? whole
    : (NOT_ASCII.test(whole) ? whole.replace(UNSEEN, "") : whole).replace(/\s+/g, " ").trim();
  return folded.length > max ? cutText(folded, max - ending.length) + ending : folded;
}

/**
 * Whether a text has a letter or a digit of any script.
 * @param {string} text
 */
function saysSomething(text) {
  return /[A-Za-z0-9]/.test(text) || (NOT_ASCII.test(text) && /[\p{L}\p{N}]/u.test(text));
}

/**
 * Whether a character is a letter of any script.
 * @param {string} character
 */
function isLetter(character) {
  return /[A-Za-z]/.test(character) || (NOT_ASCII.test(character) && /\p{L}/u.test(character));
}

/**
 * A whole number as English text has it: 1,240.
 * @param {number} number
 */
function withCommas(number) {
  return String(Math.round(number)).replace(/\B(?=(\d{3})+$)/g, ",");
}
