// Something that is just being shown or hidden is waited for, but not for ever: a slide show begins
// again and again.

const MAX_FADE = 1000; // ms after the last input, for each element
/** @type {WeakMap<Element, number>} */
const fadesSince = new WeakMap();

/**
 * @param {number} lastInputAt
 */
function isFading(lastInputAt) {
  return fadingElements(rootsOfPage()).some((el) => {
    const since = fadesSince.get(el);
    if (since === undefined || since < lastInputAt) fadesSince.set(el, now());
    return now() - (fadesSince.get(el) ?? 0) < MAX_FADE;
  });
}
