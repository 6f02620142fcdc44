const NATIVE_STRINGIFY = JSON.stringify;

// JSON text of a value made of plain objects, arrays and primitives. A page's own toJSON, which old
// libraries define on Array.prototype, would turn arrays into texts, so it is not asked.
function toJsonText(value) {
  if (!("toJSON" in Array.prototype)) return NATIVE_STRINGIFY(value);
  if (value === null || typeof value !== "object") return NATIVE_STRINGIFY(value) ?? "null";
  let text = "";
  for (const key of Object.keys(value)) {
    if (value[key] === undefined) continue;
    const name = Array.isArray(value) ? "" : `${NATIVE_STRINGIFY(key)}:`;
    text += (text && ",") + name + toJsonText(value[key]);
  }
  return Array.isArray(value) ? `[${text}]` : `{${text}}`;
}
