/** @type {Record<string, string>} */
const REGION_BY_TAG = {
  MAIN: "main",
  NAV: "navigation",
  ASIDE: "complementary",
  SEARCH: "search",
  FORM: "form",
  DIALOG: "dialog",
  ARTICLE: "article",
};
/** @type {Record<string, string>} */
const REGION_BY_ROLE = {
  ...{ main: "main", navigation: "navigation", complementary: "complementary" },
  ...{ banner: "banner", contentinfo: "contentinfo", search: "search", form: "form" },
  ...{ dialog: "dialog", alertdialog: "dialog", article: "article", comment: "comment" },
};

/**
 * The region that an element itself makes; empty if it makes none.
 * @returns {string}
 */
function regionOf(el) {
  return once(el, "region", regionNow);
}

function regionNow(el) {
  const role = saidRole(el);
  if (role) return REGION_BY_ROLE[role] || "";
  const tag = tagOf(el);
  if (tag === "HEADER" || tag === "FOOTER") {
    if (call(el, "closest", "article, section, main, aside, nav, dialog")) return "";
    return tag === "HEADER" ? "banner" : "contentinfo";
  }
  return REGION_BY_TAG[tag] || "";
}
