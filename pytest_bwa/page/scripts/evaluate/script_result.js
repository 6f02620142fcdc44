/**
 * What a model's script returns, as text; an element is its text. V8 stops all of this if any part
 * of it might have an effect, so it is made only of what V8 knows to be harmless.
 * @param {() => any} script
 * @param {number} most characters
 */
function scriptResult(script, most) {
  const found = script();
  const value = typeof found === "function" ? found() : found;
  const text = typeof value === "string" ? value : JSON.stringify(plainResult(value), plainPart);
  return text === undefined ? "" : `${text.length} ${text.slice(0, most)}`;
}

/**
 * @param {string} _key
 * @param {any} value
 */
function plainPart(_key, value) {
  return plainResult(value);
}

/** @param {any} value */
function plainResult(value) {
  if (typeof value === "bigint" || typeof value === "symbol") return String(value);
  if (value === null || typeof value !== "object") return value;
  if (typeof value.nodeType === "number") return value.textContent;
  const isList = typeof value.item === "function" && typeof value.length === "number";
  return isList || value instanceof Set || value instanceof Map ? [...value] : value;
}
