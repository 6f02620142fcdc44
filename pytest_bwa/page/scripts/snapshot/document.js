const PAGE_TEXT_LENGTH = 2000;

/**
 * Reads the document for the observation. It chooses what matters here, where an element costs
 * microseconds: Playwright's own snapshot of 20,000 elements takes over ten seconds.
 * @param {{ maxNodes: number, maxValues: number, goal: string }} options How many labelled values are read
 *   at once, and the words of the task with one underscore between them
 */
function readPage(options) {
  searchShadowRoots();
  return atOneGo(() => toJsonText(observationOf(options)));
}

/**
 * What the document labels that was read last.
 * @param {{ document: string, maxValues: number }} options
 */
function readLabelled({ document, maxValues }) {
  const isSame = document === documentKey();
  return atOneGo(() => toJsonText(isSame ? labelledOf(lastRead, maxValues) : []));
}

/**
 * @param {{ elements: Element[] }} reading
 * @param {number} maxValues
 */
function labelledOf({ elements }, maxValues) {
  return maxValues ? withoutAdded(() => labelledValues(maxValues, elements)) : [];
}

const MAX_UNSEEN = 300; // elements, for each of which the text is searched

/** @param {{ maxNodes: number, maxValues: number, goal: string }} options */
function observationOf({ maxNodes, maxValues, goal }) {
  forgetChanges();
  const reading = new Reading(maxNodes, goal);
  const waitedFor = placeholders();
  const rows = waitedFor.map((el) => call(el, "closest", "tr, [role=row]"));
  reading.placeholders = new Set([...waitedFor, ...rows]);
  const body = member(document, "body");
  if (body) walk(body, TOP_PLACE, reading);
  addFoundElsewhere(reading);
  markAlike(reading);
  dropSharedHints(reading);
  markGroups(reading);
  rememberList(reading);
  rememberPictures(reading);
  const text = pageText();
  rememberAppearance(text);
  const state = stateOfDocument(text);
  rememberReading(state, reading);
  // A document that is just being replaced may have no element at all.
  const root = document.scrollingElement ?? member(document, "documentElement");
  return {
    nodes: reading.nodes,
    places: reading.places,
    records: reading.records,
    frames: reading.frames,
    left_out: reading.leftOut,
    counts: reading.counts,
    unnamed_pictures: reading.unnamedPictures,
    text: cutText(withoutOffers(withoutUnseen(text)), PAGE_TEXT_LENGTH),
    scroll: root ? scrollPosition(root) : "",
    loading: waitedFor.length > 0,
    language: languageOfPage(),
    state,
    title: member(document, "title"),
    url: location.href,
    stamp: stamp(),
    document: documentKey(),
    labelled: labelledOf(reading, maxValues),
  };
}

/**
 * The page's text with the chosen option of each list instead of all that it would offer.
 * @param {string} text
 */
function withoutOffers(text) {
  let kept = "";
  let from = 0;
  for (const list of findAll(document, "select")) {
    const offered = list.multiple || list.size > 1 ? "" : visibleText(list)?.trim();
    const at = offered ? text.indexOf(offered, from) : -1;
    if (!offered || at < 0) continue;
    kept += text.slice(from, at) + (list.selectedOptions[0]?.label ?? "");
    from = at + offered.length;
  }
  return kept + text.slice(from);
}

/**
 * The page's text without what is fully transparent or cut away: nobody sees it. A few words that
 * stand in other lines, too, are left in: which of them cannot be seen, the text does not tell.
 * @param {string} text
 */
function withoutUnseen(text) {
  let kept = `\n${text}\n`;
  for (const el of unseenTexts.slice(0, MAX_UNSEEN)) {
    const own = visibleText(el)?.trim();
    if (!own) continue;
    const line = kept.indexOf(`\n${own}\n`) + 1;
    const at = line || kept.indexOf(own);
    const isOnly = line > 0 || kept.indexOf(own, at + 1) < 0;
    if (at >= 0 && isOnly) kept = kept.slice(0, at) + kept.slice(at + own.length);
  }
  return kept.slice(1, -1);
}

/** What the document says its language is, such as "de"; empty if it says nothing. */
function languageOfPage() {
  const html = member(document, "documentElement");
  return (html && attributeOf(html, "lang")?.trim()) || "";
}

/** The same for the page as it is now. */
function readState() {
  return stateOfDocument(pageText());
}

/**
 * A hash of what the document shows: equal for equal texts and field values, unlike the stamp.
 * @param {string} text The page's visible text
 */
function stateOfDocument(text) {
  const roots = rootsOfPage();
  const inside = roots.filter((root) => root !== document).map(textOfRoot);
  const fields = contentOfFields(roots);
  const parts = [location.href, text, ...inside, "", ...fields, "", ...unwrittenStates(roots)];
  return hashOf(parts.join("\u0001"));
}

/**
 * What the text does not say: the names of pictures, what is checked, chosen or open, and how far a
 * bar or a slider is.
 * @param {(Document | ShadowRoot)[]} roots
 */
function unwrittenStates(roots) {
  const said = ["checked", "selected", "pressed", "label", "valuenow", "valuetext"];
  const names = ["alt", "title", ...said.map((name) => `aria-${name}`)];
  const css = names.map((name) => `[${name}]`).join();
  const found = roots.flatMap((root) => findAll(root, css));
  const states = found.map((el) => names.map((name) => attributeOf(el, name) ?? "").join("|"));
  const bars = roots.flatMap((root) => findAll(root, "progress, meter"));
  const pictures = roots.flatMap((root) => findAll(root, "svg title"));
  const painted = pictures.map((title) => member(title, "textContent"));
  return [...states, ...bars.map((bar) => String(member(bar, "value"))), ...painted];
}
