// What is just being shown or hidden by an animation. No node changes when one ends, and those of a
// script, or in a shadow root, send no event that the document gets.

const MAX_REMAINING = 3000; // ms; a slower change is part of the picture
/** @type {WeakMap<Animation, number>} */
const numbersOfFades = new WeakMap();
let nextFade = 0;

/**
 * The running animations that show or hide something with a text or a control in it.
 * @param {(Document | ShadowRoot)[]} roots
 */
function fadesIn(roots) {
  const animations = roots.flatMap(
    (root) => /** @type {Animation[]} */ (call(root, "getAnimations")),
  );
  return animations.filter(isFade);
}

/** @param {Animation} animation */
function isFade(animation) {
  const effect = /** @type {KeyframeEffect} */ (animation.effect);
  if (animation.playState !== "running" || !effect?.target || effect.pseudoElement) return false;
  const end = Number(effect.getComputedTiming().endTime);
  // An endless animation has an endless end.
  if (!(end - Number(animation.currentTime ?? 0) <= MAX_REMAINING)) return false;
  return effect.getKeyframes().some(isHiding) && showsSomething(effect.target);
}

/** @param {ComputedKeyframe} frame */
function isHiding({ opacity, visibility, display }) {
  return (
    (opacity !== undefined && Number(opacity) < 0.01) ||
    /^(hidden|collapse)$/.test(String(visibility)) ||
    display === "none"
  );
}

/** @param {Element} el */
function showsSomething(el) {
  if (member(el, "textContent").trim() || member(el, "shadowRoot")) return true;
  return findAll(el, "input, button, slot").length > 0;
}

/**
 * The elements that are just being shown or hidden.
 * @param {(Document | ShadowRoot)[]} roots
 * @returns {any[]}
 */
function fadingElements(roots) {
  return fadesIn(roots).map((fade) => /** @type {KeyframeEffect} */ (fade.effect).target);
}

/**
 * A text that differs as soon as one of them begins or ends.
 * @param {(Document | ShadowRoot)[]} roots
 */
function fadesHash(roots) {
  const fades = fadesIn(roots);
  for (const fade of fades) {
    if (!numbersOfFades.has(fade)) numbersOfFades.set(fade, nextFade++);
  }
  return fades.map((fade) => numbersOfFades.get(fade)).join();
}
