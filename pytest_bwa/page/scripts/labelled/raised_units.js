// What is raised or lowered, and means what the line says all the same: the power of a unit, the
// numbers of a formula, the end of "10th", a trademark. Of other raised signs only a person can say
// whether they are a power or lead to a footnote.

const POWER =
  /(^|[\d/·×*]\s?|\bper\s)((?:[kcdmnµμ]?m|ft|yd|mi|in|s))\ufdd0+([²³])\ufdd0+(?![\p{L}\p{N}])/gu;
const ORDINAL = /(?<=\d)\ufdd0+(st|nd|rd|th)\ufdd0+/g;
const TRADEMARK = /\ufdd0+([®™])\ufdd0+/g;
const FORMULA = /(?<![\p{L}\p{N}])(?:[A-Z][a-z]?|\ufdd0+\d{1,2}\ufdd0+)+(?=e?(?![\p{L}\p{N}]))/gu;
const PART_OF_FORMULA = /[A-Z][a-z]?|\d+/g;
const ATOMS = wordSet(
  "H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Ti V Cr Mn Fe Co Ni Cu Zn As Se Br Ag Cd " +
    "Sn Sb I Ba W Pt Au Hg Pb U",
);
const ALONE = /^(?:[HNOF]|Cl|Br|I)\ufdd0+[23]\ufdd0+$/; // O₂; but “B₂” may be anything

/**
 * A marked text without the marks around what is raised or lowered only by custom.
 * @param {string} marked
 */
function withoutRaisedUnits(marked) {
  if (!marked.includes(EDGE_MARK)) return marked;
  return marked
    .replace(POWER, "$1$2$3")
    .replace(ORDINAL, "$1")
    .replace(TRADEMARK, "$1")
    .replace(FORMULA, (text) => (isFormula(text) ? text.replaceAll(EDGE_MARK, "") : text));
}

/** @param {string} text */
function isFormula(text) {
  const atoms = (text.match(PART_OF_FORMULA) ?? []).filter((part) => !/\d/.test(part));
  return atoms.every((atom) => ATOMS.has(atom)) && (atoms.length > 1 || ALONE.test(text));
}
