// Everything that a page itself labels: term and definition, table header and cell, `Label: value`
// text, labelled inputs, sibling pairs, headings, links, counts. Whole page, hidden parts left out.
({ most }) => {
  const out = [];
  const fold = (text, n = 1000) => (text || "").replace(/\s+/g, " ").trim().slice(0, n);
  const shown = (el) => el.checkVisibility
    ? el.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true, visibilityProperty: true, opacityProperty: true })
    : true;
  const near = (el) => { const b = el.getBoundingClientRect(); return b.bottom > 0 && b.top < innerHeight; };
  const text = (el) => fold(el.innerText ?? el.textContent);
  const LABEL = 48;
  const label = (t) => fold(t).replace(/\s*[:：]\s*$/, "");
  const push = (kind, name, value, el, more = {}) => {
    name = label(name);
    if (out.length >= most || !name || name.length > 120 || !value) return;
    const link = el.matches("a[href]") ? el : el.querySelector("a[href]");
    const time = el.matches("time[datetime]") ? el : el.querySelector("time[datetime]");
    out.push({ kind, label: name, value, url: link ? link.href : null,
      datetime: time ? time.getAttribute("datetime") : null, row: null, near: near(el), ...more });
  };
  const byIds = (el, attribute) => (el.getAttribute(attribute) || "").split(/\s+/).filter(Boolean)
    .map((id) => el.getRootNode().getElementById?.(id)?.textContent || "").join(" ");

  const definitions = (list) => {
    let terms = [], fresh = true;
    for (const el of list.querySelectorAll("dt, dd")) {
      if (el.closest("dl") !== list || !shown(el)) continue;
      if (el.tagName === "DT") { if (fresh) terms = []; terms.push(text(el)); fresh = false; }
      else { fresh = true; for (const t of terms) push("definition", t, text(el), el); }
    }
  };
  const table = (grid) => {
    const rows = [...grid.rows].filter(shown);
    if (!rows.length) return;
    const cells = (row) => [...row.cells];
    const first = cells(rows[0]);
    const headed = first.length > 1 && first.every((c) => c.tagName === "TH")
      || (rows[0].parentElement.tagName === "THEAD");
    if (headed) {
      const names = first.map(text);
      for (const row of rows.slice(1)) {
        const own = cells(row), key = text(row.querySelector("th") || own[0] || row);
        own.forEach((c, n) => { if (names[n]) push("table", names[n], text(c), c, { row: fold(own.map(text).join(" | "), 300), key }); });
      }
      return;
    }
    for (const row of rows) {
      const own = cells(row);
      for (let n = 0; n + 1 < own.length; n += 2) {
        if (own[n].tagName === "TH" || own.length === 2) push("definition", text(own[n]), text(own[n + 1]), own[n + 1]);
      }
    }
  };
  const input = (el) => {
    if (el.type === "password" || el.type === "hidden" || /^(button|submit|reset|image|file)$/.test(el.type)) return;
    const name = byIds(el, "aria-labelledby") || el.getAttribute("aria-label")
      || [...(el.labels || [])].map((l) => [...l.childNodes].filter((c) => !c.contains(el)).map((c) => c.textContent).join(" ")).join(" ")
      || el.getAttribute("placeholder") || "";
    let value = el.value;
    if (el.tagName === "SELECT") value = [...el.selectedOptions].filter((o) => o.value).map((o) => o.label).join(", ");
    else if (el.type === "checkbox") value = el.checked ? "true" : "false";
    else if (el.type === "radio") {
      if (!el.checked) return;
      const group = el.closest("fieldset")?.querySelector("legend");
      if (group) { push("input", text(group), label(name), el); return; }
      value = "true";
    }
    push("input", name, fold(value), el);
  };
  const INLINE = /^(A|ABBR|B|BDI|BR|CITE|CODE|DATA|EM|I|IMG|KBD|LABEL|MARK|S|SMALL|SPAN|STRONG|SUB|SUP|SVG|TIME|U|WBR)$/i;
  // `Label: value`, the label in the block's own words or in bold in front.
  const block = (el) => {
    if (![...el.children].every((c) => INLINE.test(c.tagName))) return;
    const whole = fold(el.innerText ?? "");
    if (!whole) return;
    for (const line of (el.innerText || "").split("\n")) {
      const match = /^\s*([^:：\n]{1,48}?)\s*[:：]\s+(\S.*)$/.exec(line) || /^\s*([^:：\n\d]{1,48}?)[:：](\S.*)$/.exec(line);
      if (match && !/^\/\//.test(match[2]) && !/\d$/.test(match[1])) push("text", match[1], fold(match[2]), el);
      const count = /^\s*([\d][\d.,]*\s?[kKmM]?)\s+([\p{L}][\p{L} ]{2,30})\s*$/u.exec(line);
      if (count) push("count", count[2], fold(count[1]), el);
    }
    for (const part of el.querySelectorAll("a, span, strong, b")) {
      const count = /^([\d][\d.,]*\s?[kKmM]?)\s+([\p{L}][\p{L} ]{2,30})$/u.exec(fold(part.innerText));
      if (count && shown(part)) push("count", count[2], fold(count[1]), part);
    }
  };
  // Two neighbours, the first a short label and the second the value, as panels draw them.
  const pair = (el) => {
    const parts = [...el.children].filter((c) => c.tagName !== "SVG" && c.tagName !== "svg" && shown(c) && text(c));
    if (parts.length !== 2 || /^(DL|TR|TBODY|TABLE|UL|OL|SELECT|BODY|MAIN|NAV|HEADER|FOOTER|LABEL|FORM|BUTTON|A|P)$/.test(el.tagName)) return;
    const [a, b] = parts, name = text(a), value = text(b);
    if (a.querySelector("input, select, textarea") || b.querySelector("input, select, textarea, table, dl, form")) return;
    if (name.length > LABEL || /[.!?]$/.test(name) || a.matches("a, button") || a.querySelector("a, button")) return;
    if (value.length > 400 && !b.matches("p")) return;
    const items = [...b.querySelectorAll("li")].filter(shown);
    if (items.length) for (const item of items) push("pair", name, text(item), item);
    else push("pair", name, value, b);
  };
  const listAfterHeading = (el) => {
    const next = el.nextElementSibling;
    if (next && /^(UL|OL)$/.test(next.tagName)) {
      for (const item of next.children) if (shown(item)) push("pair", text(el), text(item), item);
    }
  };
  const visit = (el) => {
    const tag = el.tagName.toUpperCase();
    if (/^(SCRIPT|STYLE|NOSCRIPT|TEMPLATE|SVG|CANVAS|HEAD)$/.test(tag) || el.getAttribute("aria-hidden") === "true") return;
    if (!shown(el) && getComputedStyle(el).display !== "contents") return;
    if (tag === "DL") definitions(el);
    else if (tag === "TABLE") table(el);
    else if (tag === "INPUT" || tag === "SELECT" || tag === "TEXTAREA") { input(el); return; }
    else if (/^H[1-4]$/.test(tag)) { push("heading", tag.toLowerCase(), text(el), el); listAfterHeading(el); }
    else if (tag === "A" && el.href) push("link", text(el) || el.getAttribute("aria-label") || el.title, text(el) || el.title, el);
    else {
      const named = el.getAttribute("aria-label");
      if (named && !el.matches("nav, section, main, form, ul, ol, button, [role=tablist], [role=navigation]") && text(el) && text(el) !== fold(named) && text(el).length < 300) {
        push("pair", named, text(el), el);
      }
      if (el.children.length === 2 || el.children.length === 3) pair(el);
      if (!INLINE.test(tag)) block(el);
    }
    if (el.shadowRoot) for (const child of el.shadowRoot.children) visit(child);
    for (const child of el.children) visit(child);
  };
  if (document.body) visit(document.body);
  return out;
}
