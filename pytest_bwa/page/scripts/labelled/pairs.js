// Uses: labelled/inputs.js
// Uses: labelled/text_lines.js

const AMOUNT = /^\d[\d.,]*\s?[kKmM]?$/;
const BLOCKS =
  /^(DL|TR|THEAD|TBODY|TFOOT|TABLE|UL|OL|SELECT|BODY|MAIN|NAV|HEADER|FOOTER|LABEL|FORM|BUTTON|A)$/;
const hasText = (el) => [...el.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
const ACTIVE = "a, button, input, select, textarea";
// Two neighbours, the first a short label and the second the value, as panels draw them.
const pair = (el) => {
  if (
    BLOCKS.test(tagOf(el)) ||
    el.matches("[role=row], [role=rowgroup], [role=table]") ||
    hasText(el)
  )
    return;
  const parts = childrenOf(el).filter(
    (c) =>
      shown(c) &&
      !c.matches(MUTE) &&
      (c.textContent.trim() || shownValue(c)) &&
      !/^svg$/i.test(tagOf(c)),
  );
  if (parts.length !== 2) return;
  const [a, b] = parts;
  if (a.textContent.length > 200 || b.textContent.length > 2000) return;
  if (a.matches(ACTIVE) || a.querySelector(ACTIVE)) return;
  if (b.matches("table, dl, form, h1") || b.querySelector("table, dl, form, h1, h2, h3")) return;
  /** @type {any[]} */
  const fields = [b, ...b.querySelectorAll("*")].filter((c) => isField(c));
  if (
    fields.some(
      (f) => f.labels?.length || f.getAttribute("aria-label") || f.getAttribute("aria-labelledby"),
    )
  )
    return;
  const name = text(a),
    value = shownValue(b).replace(/^[:：]\s*/, "");
  if (AMOUNT.test(name) && /^\p{L}[\p{L} ]{2,30}$/u.test(value)) {
    push("count", value, name, a);
    return;
  }
  if (
    name.length > LABEL ||
    /[.!?]$/.test(name) ||
    COLON.test(name) ||
    (value.length > 400 && !b.matches("p"))
  )
    return;
  if (fields.length === 1) beneath.add(fields[0]);
  const items = [...b.querySelectorAll("li")].filter(shown);
  for (const part of items.length ? items : [b])
    push("pair", name, items.length ? text(part) : value, part);
};
// Label, value, label, value, as a grid lays them out; which is which shows in their classes.
const alternating = (el) => {
  const parts = childrenOf(el).filter(shown),
    sign = (c) => `${tagOf(c)} ${c.className}`;
  if (parts.length < 4 || parts.length % 2 || BLOCKS.test(tagOf(el)) || hasText(el)) return;
  if (parts.some((c, n) => (sign(c) === sign(parts[0])) !== (n % 2 === 0))) return;
  const names = parts.filter((_, n) => n % 2 === 0);
  if (names.some((c) => text(c).length > LABEL || c.matches("a, button, img, hr"))) return;
  for (const [n, c] of names.entries()) {
    push("pair", text(c), shownValue(parts[2 * n + 1]), parts[2 * n + 1]);
  }
};
// A list under a heading, or the one line between it and the next heading.
const afterHeading = (el) => {
  const next = el.nextElementSibling,
    name = text(el);
  if (!next || name.length > LABEL || !shown(next)) return;
  if (/^(UL|OL)$/.test(tagOf(next))) {
    for (const item of childrenOf(next)) if (shown(item)) push("pair", name, text(item), item);
  } else if (
    tagOf(el) !== "H1" &&
    /^(P|DIV|SPAN|TIME|A|CODE|ADDRESS)$/.test(tagOf(next)) &&
    next.textContent.length <= 200 &&
    childrenOf(next).every((c) => INLINE.test(tagOf(c))) &&
    /^(H[1-6]|HR|STRONG|B)?$/.test(tagOf(next.nextElementSibling))
  ) {
    push("pair", name, text(next), next);
  }
};
// A label in bold type that stands for itself between blocks, as a heading would.
const standsAlone = (el) => {
  const sides = [el.previousSibling, el.nextSibling].map((n) =>
    n?.nodeType === 3 && !n.data.trim() ? null : n,
  );
  return (
    !sides.some((n) => n?.nodeType === 3) &&
    /^(P|DIV|UL|OL|ADDRESS)$/.test(tagOf(el.nextElementSibling)) &&
    !(el.previousElementSibling && INLINE.test(tagOf(el.previousElementSibling)))
  );
};
