const UNTYPED_INPUTS =
  /^(checkbox|radio|button|submit|reset|image|file|hidden|range|color|date|time|month|week|datetime-local)$/;

// Keys press or choose something in these: a letter chooses an option that begins with it.
const CONTROL_ROLES =
  "button link checkbox radio switch tab option listbox combobox slider menuitem".split(" ");
const CONTROL_TAGS = "select, button, a[href], summary, option";

// How a text gets into an element: "field" for a text field, "editable" for a rich one, "number" for
// a field that refuses half a number, "set" for one whose value can only be set, "control" for what
// takes no text; "" for any other.
function typingTarget(el) {
  const tag = tagOf(el);
  const field = tag === "LABEL" ? el.control : el;
  if (tagOf(field) === "TEXTAREA") return "field";
  if (tagOf(field) === "INPUT") {
    if (field.type === "number") return "number";
    return UNTYPED_INPUTS.test(field.type) ? "set" : "field";
  }
  if (member(el, "isContentEditable")) return "editable";
  const isControl = call(field ?? el, "matches", CONTROL_TAGS);
  return isControl || CONTROL_ROLES.includes(saidRole(el)) ? "control" : "";
}
