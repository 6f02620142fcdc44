// Uses: labelled/shown_text.js

const LABEL = 48; // characters
const out = [];
let maxValues = 0;
const setMaxValues = (max) => {
  maxValues = max;
};
const label = (t) => clip(t).replace(/\s*[:：]\s*$/, "");
const push = (kind, name, value, el, more = {}) => {
  name = label(name);
  if (
    out.length >= maxValues ||
    !name ||
    name.length > 120 ||
    !(value || (/^(definition|table)$/.test(kind) && isBlank(el)))
  )
    return;
  const link = el.matches("a[href]") ? el : el.querySelector("a[href]");
  const time = el.matches("time[datetime]") ? el : el.querySelector("time[datetime]");
  out.push({
    kind,
    label: name,
    value,
    url: link ? link.href : null,
    datetime: time ? time.getAttribute("datetime") : null,
    row: null,
    in_viewport: isInViewport(el.getBoundingClientRect()),
    ...more,
  });
};
