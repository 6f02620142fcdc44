// Whether several options of a <select> can be chosen, and of each its label, its value, whether it is
// chosen, its group and whether it can be chosen; null for any other element.
function selectOptions(el) {
  if (tagOf(el) !== "SELECT") return null;
  const options = [...el.options].map((one) => {
    const isOffered = !call(one, "matches", ":disabled, [hidden]");
    return [one.label.trim(), one.value, one.selected, groupOfOption(one), isOffered];
  });
  return { multiple: el.multiple, options };
}
