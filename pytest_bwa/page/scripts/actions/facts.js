// Single facts about an element or the page that actions and pictures ask for.

/** @param {Element} el */
function takesKeys(el) {
  return call(el, "matches", "input, [role=combobox], [aria-haspopup]");
}

/** @param {Element} el */
function takesText(el) {
  return call(el, "matches", "input:not([readonly]):not([disabled])");
}

/** @param {Element} el */
function isFileField(el) {
  return call(el, "matches", "input[type=file]");
}

// A file field: the names of its files, and whether it takes several
function fileNames(el) {
  return [[...el.files].map((file) => file.name), el.multiple];
}

/**
 * How often the page shows each of some texts.
 * @param {string[]} texts
 */
function countTexts(texts) {
  const whole = rootsOfPage().map((root) => (root === document ? pageText() : textOfRoot(root)));
  return texts.map((text) => whole.reduce((sum, one) => sum + one.split(text).length - 1, 0));
}

/** @param {Element} el */
function sizeOf(el) {
  const { width, height } = boxOf(el);
  return [width, height];
}

// Of a frame's element: its box, where its inside begins, and whether that has another scale.
function frameWindow(el) {
  const { left, top, width, height } = boxOf(el);
  const style = styleOf(el);
  const x = left + el.clientLeft + parseFloat(style.paddingLeft);
  const y = top + el.clientTop + parseFloat(style.paddingTop);
  const isScaled = Math.abs(width - el.offsetWidth) > 1 || Math.abs(height - el.offsetHeight) > 1;
  return [[left, top, width, height], [x, y], isScaled];
}

/** Where the document's root begins in the window, and its width. */
function rootBox() {
  const { x, y, width } = boxOf(member(document, "documentElement"));
  return [x, y, width];
}

/** How high the document is, and how far it is scrolled. */
function extent() {
  return [member(document, "documentElement")?.scrollHeight ?? 0, scrollX, scrollY];
}
