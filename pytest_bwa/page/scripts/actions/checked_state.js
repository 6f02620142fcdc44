/**
 * The kind of a checkable element and whether it is checked, such as "radio|true"; null if it
 * cannot be checked.
 * @param {any} el The element or its label
 */
function checkedState(el) {
  const box = tagOf(el) === "LABEL" ? el.control : el;
  if (!box) return null;
  if (tagOf(box) === "INPUT" && /^(checkbox|radio)$/.test(box.type))
    return `${box.type}|${box.checked}`;
  const role = saidRole(box);
  if (!/^(checkbox|radio|switch)$/.test(role)) return null;
  return `${role}|${saidTick(box) === "true"}`;
}
