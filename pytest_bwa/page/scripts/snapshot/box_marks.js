// What shows whether a checkbox, switch or radio button is on, where the browser paints none: the
// picture in it, or two words of which one is marked. A page may show a third state that way, and say
// "off" in its source.

const BOX_PICTURES = "svg, use, img, i, [data-icon], [icon], [class*=icon]";
const BOX_ROLES = wordSet("radio checkbox switch");
const HIDDEN_BOX = "input[type=checkbox]";
const MAX_WORD = 30; // characters of a word that stands for a state
// Words of which pictures of a box that is on, or off, are called; those of a third state are others.
const ON_MARK = /^(check|checked|checkmark|tick|selected)$/;
const OFF_MARK = /^(unchecked|unselected|blank|empty|outline)$/;
const OPEN_MARK = /^(indeterminate|mixed)$/;
const OUTLINES = /^(square|circle|radio|toggle|rounded|filled|fill)$/;

/**
 * The first picture in a box that its source names, and what it is called; null if there is none.
 * @param {Element} box
 */
function pictureOfBox(box) {
  const pictures = findAll(box, BOX_PICTURES).slice(0, MAX_HINTED);
  for (const el of pictures.filter((picture) => isShown(picture))) {
    const hint = hintOfParts([el]);
    if (hint) return { el, hint };
  }
  return null;
}

/**
 * Whether a picture says no more of a box than its state does.
 * @param {string} hint
 * @param {string} state
 */
function repeatsState(hint, state) {
  const words = hint.split(" ");
  const isOff = words.some((word) => OFF_MARK.test(word));
  const areMarks = words.every((word) =>
    [ON_MARK, OFF_MARK, OUTLINES].some((marks) => marks.test(word)),
  );
  return areMarks && isOff === (state !== "true");
}

/**
 * What the picture in a box that is no native one says of it, and its state does not.
 * @param {Element} box
 * @returns {string[]}
 */
function markOfBox(box) {
  const hint = pictureOfBox(box)?.hint ?? "";
  return hint && !repeatsState(hint, saidTick(box) ?? "") ? [`icon: ${hint}`] : [];
}

/** @param {Element} el Whether a box is painted as neither on nor off, whatever its source says */
function showsThirdState(el) {
  if (isTickable(el)) return isUnmarked(el);
  if (!BOX_ROLES.has(roleOf(el))) return false;
  return (pictureOfBox(el)?.hint ?? "").split(" ").some((word) => OPEN_MARK.test(word));
}

/**
 * Whether a control without a role only shows what the box that it is in says: the picture of one, or
 * the frame around its words. Of a button that stays down, only what repeats its state is that.
 * @param {Element} el
 * @param {string} name
 * @param {{ el: Element } | null} control The control around it
 */
function isPartOfBox(el, name, control) {
  if (isAroundWords(el)) return true;
  const pressed = control && attributeOf(control.el, "aria-pressed");
  const isBox = control && BOX_ROLES.has(roleOf(control.el));
  if (name || !control || (!isBox && pressed === null)) return false;
  const picture = pictureOfBox(control.el);
  if (!picture || (picture.el !== el && !holds(el, picture.el))) return false;
  return isBox || repeatsState(picture.hint, pressed ?? "");
}

/**
 * The two words that are painted in the place of a checkbox; none if there are not two beside one
 * another in what it lies over.
 * @param {Element} box
 * @returns {Element[]}
 */
function wordsOfBox(box) {
  const around = parentOf(box);
  if (!around || !isTickable(box) || isShown(box) || hasOwnText(around)) return [];
  const words = childrenOf(around).filter((child) => child !== box && isShown(child));
  const [one, other] = words;
  if (words.length !== 2 || !one || !other || !words.every(isPaintedWord)) return [];
  const [left, right, own] = [boxOf(one), boxOf(other), boxOf(around)];
  const isBeside = Math.abs(left.top - right.top) <= 2 && left.right <= right.left + 2;
  const isOver = boxOf(box).width * boxOf(box).height >= COVERS * own.width * own.height;
  return isBeside && isOver ? words : [];
}

/** @param {Element} el Whether it is painted as nothing but a short text */
function isPaintedWord(el) {
  const text = fold(flatText(el));
  if (!text || text.length > MAX_WORD || hasInside(el, SHOWS_WITHOUT_TEXT)) return false;
  return ["::before", "::after"].every((part) => getComputedStyle(el, part).content === "none");
}

/** @param {Element} el Whether it has nothing but a checkbox and its two words */
function isAroundWords(el) {
  if (!hasInside(el, HIDDEN_BOX)) return false;
  return childrenOf(el).some((child) => matches(child, HIDDEN_BOX) && wordsOfBox(child).length > 0);
}

/**
 * Which of the words of a checkbox is marked: by a ground of its own. Where neither is painted
 * otherwise than the other, neither is chosen, whatever the checkbox says.
 * @param {Element} box
 * @returns {string[]}
 */
function markedWordOf(box) {
  const words = wordsOfBox(box);
  const [one, other] = words.map((word) => `“${fold(flatText(word))}”`);
  if (!words.length) return [];
  if (isUnmarked(box)) return [`neither ${one} nor ${other} is marked`];
  const ground = paintedBackground(parentOf(box));
  const marked = words.filter((word) => paintedBackground(word) !== ground);
  return marked.length === 1 ? [`${marked[0] === words[0] ? one : other} is marked`] : [];
}

/** @param {Element} box Whether nothing tells one of its two words from the other */
function isUnmarked(box) {
  const looks = wordsOfBox(box).map(paintOf);
  return looks.length > 0 && looks[0] === looks[1];
}
