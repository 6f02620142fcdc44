/**
 * Finds a text in one frame and its open shadow roots, as a person reads it: across elements and
 * line breaks. Also in tooltips, labels, options and what is hidden. What was found and can be seen
 * joins the list of elements.
 * @param {{ text: string, most: number }} options
 */
function find({ text, most }) {
  const page = new PageText();
  const matches = new Matches(text, most);
  matches.addFrom(page.reading(document));
  for (const part of page.besides) matches.addBeside(part);
  // What is hidden may hold hidden parts itself, which are then added at the end.
  for (let at = 0; at < page.hidden.length; at++) {
    matches.addFrom(page.reading(/** @type {Element} */ (page.hidden[at])));
  }
  // What nothing says is looked for where links lead: one that shows only an icon has no text.
  if (!matches.total) for (const link of page.addresses) matches.addBeside(link);
  return toJsonText({ hits: matches.hits, total: matches.total, document: documentKey() });
}
