// All that ARIA 1.2 defines; a page may name others before them.
const KNOWN_ROLES = wordSet(
  "alert alertdialog application article banner blockquote button caption cell checkbox code " +
    "columnheader combobox comment complementary contentinfo definition deletion dialog directory document " +
    "emphasis feed figure form generic grid gridcell group heading img image insertion link list " +
    "listbox listitem log main marquee math menu menubar menuitem menuitemcheckbox menuitemradio " +
    "meter navigation none note option paragraph presentation progressbar radio radiogroup region " +
    "row rowgroup rowheader scrollbar search searchbox separator slider spinbutton status strong " +
    "subscript superscript switch tab table tablist tabpanel term textbox time timer toolbar " +
    "tooltip tree treegrid treeitem",
);

/**
 * The first role that an element says and that there is; empty if it says none.
 * @param {Element} el
 */
function saidRole(el) {
  const attribute = attributeOf(el, "role");
  if (!attribute) return "";
  const roles = attribute.toLowerCase().split(/\s+/);
  const role = roles.find((one) => KNOWN_ROLES.has(one)) ?? "";
  return role === "image" ? "img" : role;
}
