// What a style sheet paints where no text stands: a word, a sign, a coloured dot, a bar.

const BARS = /^(PROGRESS|METER)$/;
const SIGN_SIZE = 4; // pixels; a smaller ground is a line or an edge

/** @param {Element} el Whether a person sees something in it although nothing is written there */
function paintsSign(el) {
  return paintedInside(el).some((inner) => isSign(inner)) || addsText(el);
}

/** @param {Element} el Inside of an element without any text */
function isSign(el) {
  if (!isShown(el)) return false;
  return BARS.test(tagOf(el)) || addsText(el) || hasOwnGround(el);
}

/** @param {Element} el */
function addsText(el) {
  return pseudosOf(el).some(({ content }) => !/^"\s*"$/.test(content));
}

/** @param {Element} el */
function hasOwnGround(el) {
  if (!hasGround(styleOf(el))) return false;
  const { width, height } = boxOf(el);
  return Math.min(width, height) >= SIGN_SIZE;
}
