// What the fields contain. No observer reports a value that a script sets, so it is asked.

const FIELD_TAGS = "input, textarea, select";
/** @type {WeakMap<HTMLInputElement, { value: string, changes: number }>} */
const secretsSeen = new WeakMap();

/**
 * A short text that differs if the text differs; not for secrets.
 * @param {string} text
 */
function hashOf(text) {
  // cyrb53 with all of its 64 bits: two texts of one page have the same hash by no chance.
  let one = 0xdeadbeef;
  let two = 0x41c6ce57;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    one = Math.imul(one ^ code, 2654435761);
    two = Math.imul(two ^ code, 1597334677);
  }
  one = Math.imul(one ^ (one >>> 16), 2246822507) ^ Math.imul(two ^ (two >>> 13), 3266489909);
  two = Math.imul(two ^ (two >>> 16), 2246822507) ^ Math.imul(one ^ (one >>> 13), 3266489909);
  return `${(two >>> 0).toString(36)}.${(one >>> 0).toString(36)}`;
}

function contentOfField(field) {
  if (tagOf(field) === "SELECT") return chosenOptions(field);
  if (/^(checkbox|radio)$/.test(field.type)) return `${field.checked}${field.indeterminate}`;
  if (field.type === "file")
    return [...field.files].map(({ name, size }) => `${name} ${size}`).join();
  return isSecret(field) ? (field.value ? "filled" : "empty") : field.value;
}

/**
 * What the fields contain, in the order of the page; of secrets only whether there is one.
 * @param {(Document | ShadowRoot)[]} roots
 */
function contentOfFields(roots) {
  const fields = roots.flatMap((root) => findAll(root, FIELD_TAGS));
  return fields.filter((field) => field.type !== "hidden").map(contentOfField);
}

/**
 * How often the secret of a field has changed, as far as it was asked.
 * @param {HTMLInputElement} field
 */
function secretChanges(field) {
  const seen = secretsSeen.get(field) ?? { value: field.value, changes: 0 };
  if (seen.value !== field.value) seen.changes++;
  seen.value = field.value;
  secretsSeen.set(field, seen);
  return seen.changes;
}

/**
 * A hash of what the fields contain; a secret is counted, but is no part of it.
 * @param {(Document | ShadowRoot)[]} roots
 */
function fieldsHash(roots) {
  const secrets = roots.flatMap((root) => findAll(root, "input").filter(isSecret));
  const changes = secrets.map(secretChanges);
  return hashOf([...contentOfFields(roots), ...changes].join("\u0001"));
}

/** The field that gets what is typed; null if none does. */
function focusedField() {
  const el = innermostFocus();
  if (window.parent !== window && !document.hasFocus()) return null; // the page has it
  return el && (isField(el) || member(el, "isContentEditable")) ? el : null;
}
