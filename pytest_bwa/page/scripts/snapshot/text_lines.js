// Texts that stand in no element with a role: each once, read together with its inline elements.

const INLINE_TAGS = new Set([
  ...["B", "STRONG", "I", "EM", "U", "SPAN", "SMALL", "CODE", "KBD", "TIME", "ABBR", "MARK"],
  ...["SUP", "SUB", "BR", "WBR", "A", "LABEL", "SLOT", "INS", "DEL", "S", "Q", "CITE"],
]);
const FIELD_OR_BUTTON = wordSet("BUTTON INPUT SELECT TEXTAREA");
const IN_LINES = "button, input, select, textarea"; // in a line of text; they are listed themselves
const BLOCK_PARTS = "h1, h2, h3, h4, h5, h6, p, li, tr, pre, [role=heading], [role=row]";
const TEXT_LENGTH = 300;
const GROUPED = `${ANY_FIELD}, button, a[href], [role=button], [role=option], [role=radio]`;
const GROUP_ROLES = wordSet("group radiogroup");

/**
 * Text directly inside an element, read together with its inline children; or the name of an
 * element that shows something without any text.
 * @param {Place} place
 * @param {Reading} reading
 */
function addOwnText(el, place, reading) {
  if (!isShown(el) && styleOf(el).visibility !== "visible") return; // only what is in it is seen
  const cutBefore = cutTexts;
  const isCode = tagOf(el) === "PRE";
  if (!hasOwnText(el) && !isCode && !hasWritten(addedTo(el))) {
    if (!reading.texts.pictures.has(el) || !hasArea(el)) return;
    if (LISTED_ROLES.has(roleOf(el)) || roleOf(el) === "tabpanel") return; // called by its tab
    if (el.contentDocument?.body?.firstChild) return; // what is in the frame is listed
    if (hasInside(el, GROUPED)) {
      if (!isGroup(el)) reading.add(el, "group", shorten(pictureName(el)), place, cutBefore);
      return;
    }
    reading.add(el, "img", shorten(pictureName(el)), place, cutBefore);
    return;
  }
  const blocks = isCode ? [] : childrenOf(el).filter((child) => !INLINE_TAGS.has(tagOf(child)));
  const isSeen = !unpainted.has(el);
  const isInline = isSeen && blocks.every((child) => FIELD_OR_BUTTON.has(tagOf(child)));
  const text = !isInline ? ownText(el) : blocks.length ? flatText(el, IN_LINES) : paintedTextOf(el);
  const name = shorten(text, isCode || isBroken(el) ? LINES_LENGTH : TEXT_LENGTH);
  if (!name || isNameOfFieldBefore(el, name, reading)) return;
  reading.counts.semantic++;
  reading.add(el, "text", name, place, cutBefore);
  // The words in it are said; what comes after a cut is not.
  place.covered ||= isInline && cutTexts === cutBefore && !hasInside(el, BLOCK_PARTS);
}

/** @param {Element} el */
function isGroup(el) {
  const role = saidRole(el);
  return role ? GROUP_ROLES.has(role) : tagOf(el) === "FIELDSET";
}

/**
 * The name of a group of fields or options that no text of the page shows.
 * @param {Element} el
 * @param {Place} place
 * @param {Reading} reading
 */
function addGroup(el, place, reading) {
  if (place.covered || !isGroup(el) || !hasInside(el, GROUPED)) return;
  const isShownThere = elementsOfIds(el, "aria-labelledby").some((one) => isShown(one));
  const cutBefore = cutTexts;
  const name = isShownThere
    ? ""
    : shorten(textOfIds(el, "aria-labelledby")) || shorten(attributeOf(el, "aria-label"));
  if (name && reading.nodes.at(-1)?.name !== name) reading.add(el, "group", name, place, cutBefore);
}

/**
 * What was crossed out as a whole: a line of its own, which is no text of the page.
 * @param {Element} el
 * @param {Place} place
 * @param {Reading} reading
 */
function addStruck(el, place, reading) {
  if (place.covered || !hasOwnText(el)) return;
  const parent = parentOf(el);
  const isInText = reading.texts.struck.has(el) && parent && hasOwnText(parent);
  if (!isInText) reading.add(el, "text", "", place);
  place.covered = true; // the words in it are said
}
