const TIME_UNITS = /** @type {const} */ ([
  "second",
  "minute",
  "hour",
  "day",
  "week",
  "month",
  "year",
]);

/**
 * What an element is called now, what its record says and which headings are above it, as JSON text;
 * null if a reading would not list it. The page is walked again only if it has changed.
 * @param {Element} el
 */
function saidNow(el) {
  const last = lastRead.elements.indexOf(el);
  if (last >= 0 && isAsRead()) return toJsonText(said(lastRead.nodes[last], lastRead, []));
  return atOneGo(() => {
    const reading = new Reading(Infinity);
    reading.asked = el;
    const body = member(document, "body");
    if (body) walk(body, TOP_PLACE, reading);
    const at = reading.elements.indexOf(el);
    return at < 0 ? null : toJsonText(said(reading.nodes[at], reading, wordsOfTime()));
  });
}

/** Whether nothing has changed since the document was read last. */
function isAsRead() {
  const { targets, isOverflowing } = changesSinceReading;
  return !targets.size && !isOverflowing && fieldsHash(rootsOfPage()) === lastRead.fields;
}

/**
 * @param {any} node
 * @param {{ places: any[], records: string[][] }} reading
 * @param {string[]} ago
 */
function said({ name, place, around, url }, { places, records }, ago) {
  const { headings } = places[place];
  return { name, url: url ?? "", headings, around: records[around] ?? [], ago };
}

/**
 * The words in which the page's language and English say how long ago something was; it takes 20 ms to ask
 * for them, so only of a page that has changed.
 */
function wordsOfTime() {
  const words = new Set();
  for (const language of new Set(["en", languageOfPage() || "en"])) {
    for (const style of /** @type {const} */ (["long", "short"])) {
      for (const text of timesAgo(language, style)) {
        for (const word of text.replace(/\p{Nd}+/gu, "#").split(/\s+/)) words.add(word);
      }
    }
  }
  return [...words];
}

/**
 * @param {string} language
 * @param {"long" | "short"} style
 */
function timesAgo(language, style) {
  try {
    const format = new Intl.RelativeTimeFormat(language, { style });
    return TIME_UNITS.flatMap((unit) => [1, 2, 5].map((count) => format.format(-count, unit)));
  } catch {
    return []; // it is the code of no language
  }
}
