// Uses: labelled/captions.js
// Uses: labelled/fields.js

// Words that stand in for a value are often set apart from the values around them: weaker, or in
// italics. A text with a digit is none of them, but in italics it may be planned, and not measured.

const RECORD_KIND = /^(definition|table|pair|text)$/;
const COLOURED = 48; // of 255, by which red, green and blue of what is no grey differ
const COLOURED_CHROMA = 0.06; // the same in OKLCH
const WEAKER = 0.75; // of the contrast that most values around have
const RGB = /^rgba?\((\d+), (\d+), (\d+)(?:, ([\d.]+))?\)$/;
const OKLCH = /^oklch\(([\d.]+) ([\d.]+) [\w.]+(?: \/ ([\d.]+))?\)$/;
const RED = 80; // of 255, by which red is more than green and blue
const UNSIGNED = /^[^\d(−-]{0,4}\d[\d.,'’\s]*[^\d)−-]{0,4}$/;
const IN_ITALICS = "it is in italics, unlike the values around it";
const IS_RED = "it is painted red in a table, as a loss may be";
const IS_WEAK = "it is painted weaker than the values around it";

/**
 * How a value is painted; of what is coloured or on a ground of its own the contrast is infinite.
 * @typedef {{ isItalic: boolean, contrast: number }} Tone
 */

// Adds a doubt to the values that are painted otherwise than most of those around them: than those
// under the same label in other records, or than the others that stand in no record.
function doubtWhatIsSetApart(found, sources) {
  const groups = new Map();
  for (const value of found) {
    const isField = matches(elementOfNode(sources.get(value)[0]), VALUE_FIELDS);
    if (!value.value || isField || !RECORD_KIND.test(value.kind)) continue;
    if (!value.doubt && isRedNumber(value.value, sources.get(value)[0])) value.doubt = IS_RED;
    const key = value.record ? value.label : "";
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(value);
  }
  for (const values of groups.values()) {
    const mayBe = values.filter(
      (one) => !one.doubt && (!/\d/.test(one.value) || isItalic(partWithText(sources.get(one)))),
    );
    if (!mayBe.length || values.length < 2) continue;
    const tones = new Map(values.map((value) => [value, toneOf(sources.get(value))]));
    const most = toneOfMost([...tones.values()]);
    for (const one of mayBe) one.doubt = differenceOf(one.value, tones.get(one), most);
  }
}

/**
 * @param {Tone[]} tones
 * @returns {Tone} Italic unless more than half are upright. More than half of those that are neither
 * coloured nor on a ground of their own have at least this contrast; 0 if there are none.
 */
function toneOfMost(tones) {
  const upright = tones.filter(({ isItalic }) => !isItalic).length;
  const contrasts = tones.map(({ contrast }) => contrast).filter(Number.isFinite);
  const middle = sortedBy(contrasts, (one) => one)[Math.ceil(contrasts.length / 2) - 1];
  return { isItalic: upright * 2 <= tones.length, contrast: middle ?? 0 };
}

// Whether a number without a sign is red in a table whose rows are not.
function isRedNumber(text, node) {
  if (!UNSIGNED.test(text)) return false;
  const el = elementOfNode(node);
  const row = closest(el, "tr, [role=row]");
  return row !== null && isRed(innermost(el)) && !isRed(row);
}

function isRed(el) {
  const [, red, green, blue] = (RGB.exec(styleOf(el).color) ?? []).map(Number);
  return red - Math.max(green, blue) > RED;
}

/**
 * @param {string} text
 * @param {Tone} own
 * @param {Tone} most
 */
function differenceOf(text, own, most) {
  if (own.isItalic && !most.isItalic) return IN_ITALICS;
  return !/\d/.test(text) && own.contrast < WEAKER * most.contrast ? IS_WEAK : "";
}

/** @returns {Tone} */
function toneOf(nodes) {
  const outer = elementOfNode(nodes[0]);
  const el = partWithText(nodes);
  const [text, ground] = [greyOf(styleOf(el).color), greyOf(backgroundOf(el))];
  const isOnOwnGround = backgroundOf(el) !== backgroundOf(flatParent(outer));
  const isPlain = text && ground && !isOnOwnGround;
  const contrast = isPlain ? Math.abs(text.light - ground.light) * text.alpha : Infinity;
  return { isItalic: isItalic(el), contrast: contrast * opacityOf(el, outer) };
}

function isItalic(el) {
  return styleOf(el).fontStyle !== "normal";
}

function partWithText(nodes) {
  const outer = elementOfNode(nodes[0]);
  return nodes.length > 1 ? outer : innermost(outer);
}

// The opacity that a value has of itself, and not with its label.
function opacityOf(el, outer) {
  const own = +styleOf(el).opacity;
  return el === outer ? own : own * opacityOf(flatParent(el), outer);
}

// How light a grey is, from 0 to 255, and its opacity; null for what is no grey.
function greyOf(colour) {
  const [isRgb, ...rgb] = RGB.exec(colour) ?? [];
  const [red, green, blue, alpha = 1] = rgb.map((part) => +(part ?? 1));
  const range = Math.max(red, green, blue) - Math.min(red, green, blue);
  if (isRgb) return range < COLOURED ? { light: (red + green + blue) / 3, alpha } : null;
  const [isOklch, light, chroma, clear = 1] = OKLCH.exec(colour) ?? [];
  return isOklch && +chroma < COLOURED_CHROMA ? { light: +light * 255, alpha: +clear } : null;
}
