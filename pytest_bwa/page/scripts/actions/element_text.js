const LONG_TEXT = 2000; // characters; a part of the page with more is read as the browser has it

// What an element contains, for the action that reads it; empty for a secret field.
function elementText(el) {
  if (isSecret(el)) return "";
  const tag = tagOf(el);
  if (tag === "SELECT") return chosenOptions(el);
  if (tag === "INPUT" && /^(checkbox|radio)$/.test(el.type)) {
    return el.checked ? "checked" : "not checked";
  }
  const value = member(el, "value");
  const isContent = typeof value === "string" && value !== "" && tag !== "LI" && tag !== "BUTTON";
  if (isContent) return value;
  // The text of a shadow root is no innerText, and neither is what a style sheet adds; and it makes one
  // word of two with a gap between them.
  const code = textOfCodeRows(el);
  const text = code || visibleText(el) || "";
  if (code || text.length > LONG_TEXT) return text;
  if (flatTexts.gaps.has(el)) return writtenText(el);
  return holdsAdded(el) ? flatText(el) : text || flatText(el);
}
