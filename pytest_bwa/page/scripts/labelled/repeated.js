// Uses: labelled/contents.js
// Uses: labelled/set_apart.js

// Texts that are no values because the same stands beside several: pictures and links.

// A picture says its name where nothing else stands. One that stands beside the texts of other values,
// too, such as the pencil that opens each of them for editing, says nothing about any.

const IS_BESIDE_OTHERS = "the same picture stands beside other values";
const IS_REPEATED_LINK = "a link of that name stands beside other labels";

// Adds a doubt to the values that are only such a picture.
function doubtWhatIsOnlyAnIcon(found, sources) {
  const ofRecord = found.filter(({ kind }) => RECORD_KIND.test(kind));
  const isAlone = (value) => value.value && !sources.get(value).flatMap(textNodes).length;
  const alone = ofRecord.filter(isAlone);
  if (!alone.length) return;
  const besides = new Set();
  for (const value of ofRecord) {
    for (const el of all(sources.get(value).filter(tagOf), "*")) {
      const name = nameOfPicture(el);
      if (name && name !== fold(value.value)) besides.add(name);
    }
  }
  for (const value of alone) if (besides.has(fold(value.value))) value.doubt ||= IS_BESIDE_OTHERS;
}

// Adds a doubt to words that are all of a link which stands beside several labels, such as "Edit",
// and leads elsewhere from each or nowhere: one person's name leads to the same page.
function doubtWhatIsARepeatedLink(found, sources) {
  const named = new Map();
  for (const value of found.filter(({ kind }) => RECORD_KIND.test(kind))) {
    const name = fold(value.value);
    if (!/\p{L}/u.test(name) || /\d/.test(name)) continue;
    if (!named.has(name)) named.set(name, []);
    named.get(name).push(value);
  }
  for (const [name, values] of named) {
    if (!haveSeveralLabels(values)) continue; // before their elements are read
    const links = new Map(values.map((value) => [value, wholeLink(sources.get(value), name)]));
    const alike = values.filter((value) => links.get(value));
    const urls = new Set(alike.map((value) => linkOf(links.get(value)) || ""));
    const isOnePlace = urls.size === 1 && !urls.has("");
    if (isOnePlace || !haveSeveralLabels(alike)) continue;
    for (const value of alike) value.doubt ||= IS_REPEATED_LINK;
  }
}

const haveSeveralLabels = (values) => new Set(values.map(({ label }) => label)).size > 1;

// The link of which all words are a value's.
function wholeLink(nodes, name) {
  return all(nodes.filter(tagOf), "a").find((el) => fold(textOf(el)) === name);
}
