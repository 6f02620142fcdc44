// Uses: labelled/collect.js

const beneath = new WeakSet(); // fields with a label above or beside them that is not tied to them
const input = (el) => {
  if (isUnread(el)) return;
  const name =
    textOfIds(el, "aria-labelledby") ||
    el.getAttribute("aria-label") ||
    [...(el.labels || [])]
      .map((l) =>
        [...l.childNodes]
          .filter((c) => !c.contains(el))
          .map((c) => c.textContent)
          .join(" "),
      )
      .join(" ") ||
    (!beneath.has(el) && el.getAttribute("placeholder")) ||
    "";
  if (el.type !== "radio") {
    push("input", name, clip(fieldValue(el)), el);
    return;
  }
  if (!el.checked) return;
  const group = el.closest("fieldset")?.querySelector("legend");
  if (group) push("input", text(group), label(name), el);
  else push("input", name, "true", el);
};
