// Uses: labelled/definitions.js
// Uses: labelled/entries.js
// Uses: labelled/inputs.js
// Uses: labelled/pairs.js
// Uses: labelled/tables.js
// Uses: labelled/text_lines.js
// Uses: prelude/json.js

// A <span> that a style sheet makes a line of its own, beside blocks: its parent is no one text.
const isLine = (el) =>
  el.textContent.length < 300 &&
  /[:：]/.test(el.textContent) &&
  el.parentElement &&
  isMixed(el.parentElement) &&
  !/^(inline|contents)/.test(getComputedStyle(el).display);
const mixed = new WeakMap(); // asked once a parent, which may have thousands of children
const isMixed = (el) => {
  if (!mixed.has(el))
    mixed.set(
      el,
      childrenOf(el).some((c) => !INLINE.test(tagOf(c))),
    );
  return mixed.get(el);
};
const REGIONS =
  "nav, section, main, form, ul, ol, button, [role=tablist], [role=navigation], [role=tabpanel], " +
  "[role=dialog], [role=region], [role=group]";
const SKIPPED = /^(SCRIPT|STYLE|NOSCRIPT|TEMPLATE|SVG|CANVAS|HEAD)$/;
const visit = (el) => {
  if (SKIPPED.test(tagOf(el)) || el.getAttribute("aria-hidden") === "true") return;
  if (!shown(el) && getComputedStyle(el).display !== "contents") return;
  if (isField(el)) {
    input(el);
    return;
  }
  const [from, upTo] = collect(el, tagOf(el)) ?? [0, 0]; // the pair that the element itself is
  if (el.shadowRoot) for (const child of el.shadowRoot.children) visit(child);
  const ranges = []; // of the children that label something
  for (const child of childrenOf(el)) {
    const first = out.length;
    visit(child);
    if (out.length > first) ranges.push([child, first, out.length]);
  }
  if (ranges.length > 1) entries(ranges);
  if (upTo > from && isPanel(out.slice(upTo))) out.splice(from, upTo - from);
};
// What the element itself labels. For a plain one, the range of the values that it makes as a pair.
const collect = (el, tag) => {
  if (tag === "DL") definitions(el);
  else if (tag === "TABLE" || /^(table|grid|treegrid)$/.test(el.getAttribute("role"))) table(el);
  else if (tag === "OUTPUT" && el.labels.length)
    push("pair", [...el.labels].map(text).join(" "), text(el), el);
  else if (/^H[1-6]$/.test(tag)) {
    push("heading", tag.toLowerCase(), text(el), el);
    afterHeading(el);
  } else if (tag === "A" && el.href) link(el);
  else if (/^(STRONG|B)$/.test(tag) && standsAlone(el)) afterHeading(el);
  else return plain(el, tag);
  return null;
};
const link = (el) => {
  const said = text(el),
    count = COUNT.exec(said);
  push(
    "link",
    said || el.getAttribute("aria-label") || el.getAttribute("title"),
    said || el.getAttribute("title"),
    el,
    { row: wholes.get(el.closest("tr, [role=row]")) ?? null },
  );
  if (count) push("count", count[2], clip(count[1]), el);
};
const plain = (el, tag) => {
  const named = clip(el.getAttribute("aria-label") || textOfIds(el, "aria-labelledby"));
  if (named && el.textContent.length < 600 && !el.matches(REGIONS)) {
    const said = text(el);
    if (said && said !== named && said.length < 300) push("pair", named, said, el);
  }
  const from = out.length;
  const count = childrenOf(el).length;
  if (count === 2 || count === 3) pair(el);
  const upTo = out.length;
  alternating(el);
  if (!INLINE.test(tag) || isLine(el)) block(el);
  return [from, upTo];
};
/**
 * Everything that a page itself labels: term and definition, table header and cell, labelled
 * inputs, sibling pairs, headings, links, `Label: value` text and counts. The whole page is read,
 * hidden parts left out.
 * @param {{ maxValues: number }} options
 */
function labelledValues({ maxValues: max }) {
  setMaxValues(max);
  if (document.body) {
    if (document.title)
      push("heading", "page title", clip(document.title), document.body, {
        url: null,
        datetime: null,
      });
    visit(document.body);
  }
  return toJsonText(out); // thousands of objects cost more to hand over than to find
}
