const NAME_LENGTH = 200;

const TEMPLATE_MARK = /\??lit\$\d+\$/g; // of a template that is not rendered yet
let cutTexts = 0; // how many were cut so far

/**
 * Text as the observation shows it: folded, and with an ellipsis where it was cut.
 * @param {string | null | undefined} text
 */
function shorten(text, max = NAME_LENGTH) {
  const whole = fold(text?.includes("lit$") ? text.replace(TEMPLATE_MARK, "") : text);
  if (whole.length <= max) return whole;
  cutTexts++;
  return fold(whole, max, "…");
}
