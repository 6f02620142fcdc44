// Uses: labelled/set_apart.js

// A picture says its name where nothing else stands. One that stands beside the texts of other values,
// too, such as the pencil that opens each of them for editing, says nothing about any.

const IS_BESIDE_OTHERS = "the same picture stands beside other values";

// Adds a doubt to the values that are only such a picture.
function doubtWhatIsOnlyAnIcon(found, sources) {
  const elementsOf = (value) => sources.get(value).filter((node) => tagOf(node));
  const isAlone = (value) =>
    value.value && elementsOf(value).every((el) => !el.textContent.trim() && hasPictures([el]));
  const alone = found.filter((value) => RECORD_KIND.test(value.kind) && isAlone(value));
  if (!alone.length) return;
  const besides = new Set();
  for (const value of found.filter(({ kind }) => RECORD_KIND.test(kind))) {
    for (const el of all(elementsOf(value), "*")) {
      const name = nameOfPicture(el);
      if (name && name !== fold(value.value)) besides.add(name);
    }
  }
  for (const value of alone) if (besides.has(fold(value.value))) value.doubt ||= IS_BESIDE_OTHERS;
}
