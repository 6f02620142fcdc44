// Uses: labelled/set_apart.js

// A picture says its name where nothing else stands. One that stands beside the texts of other values,
// too, such as the pencil that opens each of them for editing, says nothing about any.

const IS_BESIDE_OTHERS = "the same picture stands beside other values";

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
