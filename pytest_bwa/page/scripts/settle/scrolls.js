// Scrolling that the browser animates, by a key or by `scroll-behavior: smooth`. Each step counts as
// a change (prelude/changes.js), but on a busy machine the next one may come after the page has
// been called quiet.

// ms between two steps; engines without `scrollend` only fall silent
const MAX_SCROLL_GAP = "onscrollend" in window ? 2000 : 300;
/**
 * When each scroller that is moving made its last step.
 * @type {Map<EventTarget | null, number>}
 */
const scrolling = new Map();
let awaitedFrames = 0;

function watchScrolling() {
  window.addEventListener("scroll", ({ target }) => scrolling.set(target, now()), true);
  window.addEventListener("scrollend", ({ target }) => scrolling.delete(target), true);
  const inputs = ["keydown", "click", "mousemove"]; // what is dragged follows the pointer
  for (const event of inputs) window.addEventListener(event, awaitFirstStep, true);
}

/** What an input scrolls makes its first step with the second frame after it. */
function awaitFirstStep() {
  awaitedFrames++;
  runInNextFrame(() => runInNextFrame(() => awaitedFrames--));
}

function isScrolling() {
  for (const [target, last] of scrolling) {
    if (now() - last > MAX_SCROLL_GAP) scrolling.delete(target);
  }
  return awaitedFrames > 0 || scrolling.size > 0;
}
