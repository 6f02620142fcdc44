// Uses: prelude/elements.js

const UNTYPED_INPUTS =
  /^(checkbox|radio|button|submit|reset|image|file|hidden|range|color|date|time|month|week|datetime-local)$/;

/**
 * How a text gets into an element: "field" for a text field, "editable" for a rich one, "number" for
 * a field that refuses half a number, "set" for one whose value can only be set; "" for any other.
 * @param {any} el
 */
function typingTarget(el) {
  const tag = tagOf(el);
  const field = tag === "LABEL" ? el.control : el;
  if (tagOf(field) === "TEXTAREA") return "field";
  if (tagOf(field) === "INPUT") {
    if (field.type === "number") return "number";
    return UNTYPED_INPUTS.test(field.type) ? "set" : "field";
  }
  return member(el, "isContentEditable") ? "editable" : "";
}
