// Where on a page an element stands: its regions, the headings above it, and its record.

const RECORD_ROLES = wordSet("row listitem article");
const SECTIONS = wordSet(
  "SECTION ARTICLE ASIDE NAV MAIN LI TR TD TH TABLE FIELDSET DETAILS DIALOG FORM",
);
const LABELLED_TAGS = wordSet("SECTION ARTICLE ASIDE NAV FORM DIALOG");
const LABELLED = wordSet(
  "region group radiogroup tabpanel dialog alertdialog form article list table",
);

/**
 * A heading, or the label of a section (level 0), above the element that is being read.
 * @typedef {{ level: number, text: string, at: number }} OutlineEntry
 */
/**
 * A row, list item or article that is one of several.
 * @typedef {{ el: Element, role: string, text: string | null }} PageRecord
 */

/**
 * The outline in which a heading of that level begins: without those of its level and below.
 * @param {OutlineEntry[]} outline
 * @param {number} level
 */
function outlineAbove(outline, level) {
  let length = outline.length;
  while (length && outline[length - 1].level >= level && outline[length - 1].level > 0) length--;
  return length === outline.length ? outline : outline.slice(0, length);
}

/**
 * The label of the section that an element makes; empty if it makes none.
 * @param {Element} el
 * @param {string} tag
 * @param {string} role
 */
function labelOfSection(el, tag, role) {
  const label = LABEL_TAGS[tag] && labelElementOf(el);
  if (label) return shorten(paintedTextOf(label));
  if (!LABELLED_TAGS.has(tag) && !LABELLED.has(role)) return "";
  return shorten(textOfIds(el, "aria-labelledby")) || shorten(attributeOf(el, "aria-label"));
}

/**
 * The outline after an element has ended. Headings stay in their section. In a plain block they stay
 * if something follows them there, because then it is their section: others, and the page's title,
 * are also the headings of what comes after the block.
 * @param {Element} el
 * @param {OutlineEntry[]} before The outline before the element, which is another one now
 * @param {Reading} reading
 */
function outlineAfter(el, before, reading) {
  const tag = tagOf(el);
  if (SECTIONS.has(tag) || regionOf(el) || LABELLED.has(saidRole(el))) return before;
  const inside = reading.outline.filter((entry) => !before.includes(entry));
  const isHeader = /^(HEADER|HGROUP)$/.test(tag); // of the section around it
  const kept = inside.filter(
    ({ level, at }) => level === 1 || (level > 1 && (isHeader || at === reading.count())),
  );
  let outline = before;
  for (const entry of kept) outline = [...outlineAbove(outline, entry.level), entry];
  return outline;
}

/**
 * The record that an element makes; null if it makes none, or is the only one of its kind.
 * @param {Element} el
 * @param {string} role
 * @returns {PageRecord | null}
 */
function recordOf(el, role) {
  if (!RECORD_ROLES.has(role) && tagOf(el) !== "ARTICLE") return null;
  const siblings = [member(el, "previousElementSibling"), member(el, "nextElementSibling")];
  const isOneOfSeveral = siblings.some((sibling) => sibling && tagOf(sibling) === tagOf(el));
  return isOneOfSeveral ? { el, role, text: null } : null;
}

/** @param {PageRecord} record */
function textOfRecord(record) {
  const { el, role } = record;
  record.text ??= role === "row" ? rowText(el) : shorten(paintedTextOf(el), ROW_LENGTH);
  return record.text;
}
