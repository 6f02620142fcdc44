// Everything that a page itself labels: term and definition, table header and cell, labelled inputs,
// sibling pairs, headings, links; `lines` (text_lines.js) adds `Label: value` text and counts. Whole
// page, hidden parts left out.
({ most, lines }) => {
  const out = [], LABEL = 48;
  // XHTML has them in small letters; a comment has none.
  const tagOf = (el) => el?.localName?.toUpperCase() ?? "";
  // A form's own field may be called "children", and then stands in place of its children.
  const CHILDREN = Object.getOwnPropertyDescriptor(Element.prototype, "children").get;
  const childrenOf = (el) => [...CHILDREN.call(el)];
  const fold = (text, n = 1000) => (text || "").replace(/\s+/g, " ").trim().slice(0, n);
  const shown = (el) => el.checkVisibility
    ? el.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true, visibilityProperty: true, opacityProperty: true })
    : true;
  const near = (el) => { const b = el.getBoundingClientRect(); return b.bottom > 0 && b.top < innerHeight; };
  // Icons' ligatures and doubled texts stand in aria-hidden; only then is the slow way taken.
  const MUTE = '[aria-hidden="true"]';
  const BUTTON = "button, [role=button], [role=radio], [role=option]";
  const heard = (node, without = MUTE) => {
    if (node.nodeType === 3) return node.data;
    if (node.nodeType !== 1 || node.matches(without) || /^(SCRIPT|STYLE|TEMPLATE)$/.test(tagOf(node)) || !shown(node)) return "";
    const inside = [...node.childNodes].map((child) => heard(child, without)).join("");
    return /^(inline|contents)$/.test(getComputedStyle(node).display) && tagOf(node) !== "BR" ? inside : ` ${inside} `;
  };
  const text = (el) => fold(el.querySelector(MUTE) ? heard(el) : el.innerText ?? el.textContent);
  // Words for screen readers alone, "30% complete" beside 30%, are in no picture: they are a value
  // only where nothing else is.
  const ASIDE = '.sr-only, .screen-reader-text, [class*="-sr-only"], [class*="visually-hidden"], [class*="visuallyhidden"]';
  const tiny = (el) => { const b = el.getBoundingClientRect(); return b.width <= 1 && b.height <= 1; };
  const seen = (el) => ([...el.querySelectorAll(ASIDE)].some(tiny) && fold(heard(el, `${MUTE}, ${ASIDE}`))) || text(el);
  const fieldValue = (el) => {
    if (tagOf(el) === "SELECT") return [...el.selectedOptions].filter((o) => o.value).map((o) => o.label).join(", ");
    if (el.type === "checkbox") return el.checked ? "true" : "false";
    return UNREAD.test(el.type) || el.type === "radio" ? "" : el.value;
  };
  const UNREAD = /^(password|hidden|button|submit|reset|image|file)$/;
  // "JD John Doe": a picture of him made of his initials stands beside the name.
  const withoutInitials = (el, said) => {
    const [first, ...rest] = said.split(" ");
    const drawn = /^\p{Lu}{2,3}$/u.test(first) && [...first].every((c, n) => rest[n]?.[0]?.toUpperCase() === c)
      && [...el.querySelectorAll("*")].some((part) => part.textContent.trim() === first);
    return drawn ? rest.join(" ") : said;
  };
  // What a cell or panel shows: its text (beside its buttons, if there is any), else its one field,
  // else what its one picture is called. Of several choices only the one that says it is chosen.
  const FIELD = /^(INPUT|SELECT|TEXTAREA)$/;
  const shownValue = (el) => {
    if (FIELD.test(tagOf(el))) return fold(fieldValue(el));
    const buttons = [...el.querySelectorAll(BUTTON)].filter(shown);
    const all = seen(el), said = (buttons.length && fold(heard(el, `${MUTE}, ${BUTTON}`))) || all;
    if (buttons.length > 1 && said === all) {
      const chosen = buttons.filter((b) => ["pressed", "checked", "selected", "current"].some((state) => b.getAttribute("aria-" + state) === "true"));
      return chosen.length === 1 ? text(chosen[0]) : "";
    }
    if (said) return withoutInitials(el, said);
    const only = (css) => { const all = [...el.querySelectorAll(css)].filter(shown); return all.length === 1 ? all[0] : null; };
    const field = only("input, select, textarea");
    if (field) return fold(fieldValue(field));
    const picture = only("img[alt], svg[aria-label], [role=img][aria-label], svg:has(> title)");
    return picture && !picture.closest(MUTE)
      ? fold(picture.getAttribute("alt") || picture.getAttribute("aria-label") || picture.querySelector("title")?.textContent) : "";
  };
  // That there is nothing is an answer too; but not where a style, a picture or a field may say it.
  const isBlank = (el) => !el.textContent.trim() && !el.querySelector("input, select, textarea, img, svg, canvas, i, [role=img]")
    && [el, ...el.querySelectorAll("*")].every((part) => [null, "::before", "::after"].every((pseudo) => {
      const style = getComputedStyle(part, pseudo);
      return style.backgroundImage === "none" && (pseudo === null || /^(none|normal)$/.test(style.content));
    }) && !/icon|glyph/i.test(part.className));
  const label = (t) => fold(t).replace(/\s*[:：]\s*$/, "");
  const push = (kind, name, value, el, more = {}) => {
    name = label(name);
    if (out.length >= most || !name || name.length > 120 || !(value || (/^(definition|table)$/.test(kind) && isBlank(el)))) return;
    const link = el.matches("a[href]") ? el : el.querySelector("a[href]");
    const time = el.matches("time[datetime]") ? el : el.querySelector("time[datetime]");
    out.push({ kind, label: name, value, url: link ? link.href : null,
      datetime: time ? time.getAttribute("datetime") : null, row: null, near: near(el), ...more });
  };
  const byIds = (el, attribute) => (el.getAttribute(attribute) || "").split(/\s+/).filter(Boolean)
    .map((id) => el.getRootNode().getElementById?.(id)?.textContent || "").join(" ");

  const definitions = (list) => {
    let terms = [], given = [];
    const told = () => {
      const values = given.filter((el) => !onlyLinks(el)); // beside a value, links are what can be done with it
      for (const el of values.length ? values : given) {
        const items = [...el.querySelectorAll("li")].filter(shown);
        for (const t of terms) for (const part of items.length ? items : [el]) push("definition", t, shownValue(part), part);
      }
      terms = []; given = [];
    };
    for (const el of list.querySelectorAll("dt, dd")) {
      if (el.closest("dl") !== list || !shown(el)) continue;
      if (tagOf(el) === "DD") { given.push(el); continue; }
      if (given.length) told();
      terms.push(text(el));
    }
    told();
  };
  const onlyLinks = (el) => fold(text(el).replace(/[|·•]/g, " ")) === fold([...el.querySelectorAll("a[href], button")].filter(shown).map(text).join(" "));
  const isHead = (c) => tagOf(c) === "TH" || /^(columnheader|rowheader)$/.test(c.getAttribute("role"));
  // Every row as its cells by column, spans written out: [[cell, …], …]; hidden cells keep their place.
  const columns = (rows, cellsOf) => {
    const carried = [];
    return rows.map((row) => {
      const line = [];
      let n = 0;
      const carry = () => { while (carried[n]?.left > 0) { line[n] = carried[n].cell; carried[n].left--; n++; } };
      for (const cell of cellsOf(row)) {
        carry();
        const across = Math.min(cell.colSpan || 1, 100), down = Math.min(cell.rowSpan || 1, 1000);
        for (let i = 0; i < across; i++, n++) { line[n] = cell; carried[n] = { cell, left: down - 1 }; }
      }
      carry();
      return line;
    });
  };
  const spans = (line, cell) => line.indexOf(cell) !== line.lastIndexOf(cell);
  const wholes = new WeakMap(); // what each entry of a table says
  const table = (grid) => {
    const native = tagOf(grid) === "TABLE";
    const rows = (native ? [...grid.rows] : [...grid.querySelectorAll("[role=row]")]).filter(shown);
    if (!rows.length) return;
    const lines = columns(rows, (row) => native ? [...row.cells]
      : [...row.querySelectorAll("[role=cell], [role=gridcell], [role=columnheader], [role=rowheader]")]);
    const heading = (n) => tagOf(rows[n].parentElement) === "THEAD"
      || (lines[n].length > 1 && lines[n].every((c) => !c || isHead(c)));
    let headed = 0;
    while (headed < rows.length && heading(headed)) headed++;
    if (!headed) { rows.forEach((row, n) => keyed([...new Set(lines[n])])); return; }
    const names = lines[headed - 1].map((c) => (c && shown(c) ? text(c) : ""));
    const valued = names.length < 5 ? names.findIndex((name) => /^(?:\p{L}+ )?value$/iu.test(name)) : -1;
    rows.slice(headed).forEach((row, n) => {
      const own = lines[headed + n], says = new Map([...new Set(own)].filter((c) => c && shown(c)).map((c) => [c, text(c)]));
      const whole = fold([...says.values()].join(" | "), 300);
      wholes.set(row, whole);
      own.forEach((c, place) => {
        // A cell across several columns belongs to none of them; a foot may repeat the headers.
        if (names[place] && says.has(c) && !spans(own, c) && says.get(c) !== names[place]) push("table", names[place], shownValue(c), c, { row: whole });
      });
      // "Parameter | Value": each row is a label and its value.
      if (valued > 0 && own[0] !== own[valued] && says.get(own[0]) && says.has(own[valued])) push("definition", says.get(own[0]), shownValue(own[valued]), own[valued]);
      const filled = [...says.keys()].filter((c) => c.parentElement === row && says.get(c));
      // "Total" and its value, below the entries: the label spans columns, or empty cells before it do.
      if (filled.length === 2 && own.indexOf(filled[1]) > 1 && own.some((c) => c && spans(own, c))) keyed(filled);
    });
  };
  // A row without column headers: label and value, or several such pairs with labels in <th>.
  const keyed = (own) => {
    own = own.filter((c) => c && shown(c) && !/^[:：]$/.test(text(c)));
    // What can be done with a value, or nothing, may stand behind it.
    if (!own.some(isHead)) own = own.filter((c, n) => n < 2 || (text(c) && !onlyLinks(c)));
    for (let n = 0; n + 1 < own.length; n += 2) {
      if (isHead(own[n]) ? !isHead(own[n + 1]) : own.length === 2 && text(own[n]).length <= LABEL) push("definition", text(own[n]), shownValue(own[n + 1]), own[n + 1]);
    }
  };
  const beneath = new WeakSet(); // fields with a label above or beside them that is not tied to them
  const input = (el) => {
    if (UNREAD.test(el.type)) return;
    const name = byIds(el, "aria-labelledby") || el.getAttribute("aria-label")
      || [...(el.labels || [])].map((l) => [...l.childNodes].filter((c) => !c.contains(el)).map((c) => c.textContent).join(" ")).join(" ")
      || (!beneath.has(el) && el.getAttribute("placeholder")) || "";
    if (el.type !== "radio") { push("input", name, fold(fieldValue(el)), el); return; }
    if (!el.checked) return;
    const group = el.closest("fieldset")?.querySelector("legend");
    if (group) push("input", text(group), label(name), el);
    else push("input", name, "true", el);
  };
  const { INLINE, COLON, COUNT, block } = lines({ fold, tagOf, childrenOf, text, shown, push, MUTE, LABEL });
  const AMOUNT = /^\d[\d.,]*\s?[kKmM]?$/;
  const BLOCKS = /^(DL|TR|THEAD|TBODY|TFOOT|TABLE|UL|OL|SELECT|BODY|MAIN|NAV|HEADER|FOOTER|LABEL|FORM|BUTTON|A)$/;
  const ownText = (el) => [...el.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
  // Two neighbours, the first a short label and the second the value, as panels draw them.
  const pair = (el) => {
    if (BLOCKS.test(tagOf(el)) || el.matches("[role=row], [role=rowgroup], [role=table]") || ownText(el)) return;
    const parts = childrenOf(el).filter((c) => shown(c) && !c.matches(MUTE) && (c.textContent.trim() || shownValue(c)) && !/^svg$/i.test(tagOf(c)));
    if (parts.length !== 2) return;
    const [a, b] = parts;
    if (a.textContent.length > 200 || b.textContent.length > 2000) return;
    if (a.matches("a, button, input, select, textarea") || a.querySelector("a, button, input, select, textarea")) return;
    if (b.matches("table, dl, form, h1") || b.querySelector("table, dl, form, h1, h2, h3")) return;
    const fields = [b, ...b.querySelectorAll("*")].filter((c) => FIELD.test(tagOf(c)));
    if (fields.some((f) => f.labels?.length || f.getAttribute("aria-label") || f.getAttribute("aria-labelledby"))) return;
    const name = text(a), value = shownValue(b).replace(/^[:：]\s*/, "");
    if (AMOUNT.test(name) && /^\p{L}[\p{L} ]{2,30}$/u.test(value)) { push("count", value, name, a); return; }
    if (name.length > LABEL || /[.!?]$/.test(name) || COLON.test(name) || (value.length > 400 && !b.matches("p"))) return;
    if (fields.length === 1) beneath.add(fields[0]);
    const items = [...b.querySelectorAll("li")].filter(shown);
    for (const part of items.length ? items : [b]) push("pair", name, items.length ? text(part) : value, part);
  };
  // Label, value, label, value, as a grid lays them out; which is which shows in their classes.
  const alternating = (el) => {
    const parts = childrenOf(el).filter(shown), sign = (c) => `${tagOf(c)} ${c.className}`;
    if (parts.length < 4 || parts.length % 2 || BLOCKS.test(tagOf(el)) || ownText(el)) return;
    if (parts.some((c, n) => (sign(c) === sign(parts[0])) !== (n % 2 === 0))) return;
    const names = parts.filter((_, n) => n % 2 === 0);
    if (names.some((c) => text(c).length > LABEL || c.matches("a, button, img, hr"))) return;
    names.forEach((c, n) => push("pair", text(c), shownValue(parts[2 * n + 1]), parts[2 * n + 1]));
  };
  // What holds labelled values of its own is a panel of them, and no value. One alone is none: a
  // name may come in two pieces, and a title have a colon.
  const isPanel = (inside) => inside.some((v) => /^(definition|table|input)$/.test(v.kind))
    || new Set(inside.filter((v) => /^(pair|text|prose)$/.test(v.kind)).map((v) => v.label)).size > 1;
  // A list under a heading, or the one line between it and the next heading.
  const afterHeading = (el) => {
    const next = el.nextElementSibling, name = text(el);
    if (!next || name.length > LABEL || !shown(next)) return;
    if (/^(UL|OL)$/.test(tagOf(next))) {
      for (const item of childrenOf(next)) if (shown(item)) push("pair", name, text(item), item);
    } else if (tagOf(el) !== "H1" && /^(P|DIV|SPAN|TIME|A|CODE|ADDRESS)$/.test(tagOf(next)) && next.textContent.length <= 200
      && childrenOf(next).every((c) => INLINE.test(tagOf(c))) && /^(H[1-6]|HR|STRONG|B)?$/.test(tagOf(next.nextElementSibling))) {
      push("pair", name, text(next), next);
    }
  };
  // A label in bold type that stands for itself between blocks, as a heading would.
  const standsAlone = (el) => {
    const sides = [el.previousSibling, el.nextSibling].map((n) => (n?.nodeType === 3 && !n.data.trim() ? null : n));
    return !sides.some((n) => n?.nodeType === 3) && /^(P|DIV|UL|OL|ADDRESS)$/.test(tagOf(el.nextElementSibling))
      && !(el.previousElementSibling && INLINE.test(tagOf(el.previousElementSibling)));
  };
  // Cards or list items that repeat the same labels are entries of one list, as rows of a table are:
  // what stands in one of them is told by its whole text.
  const entries = (ranges) => {
    const named = ranges.map(([, first, end]) => new Set(out.slice(first, end)
      .filter((v) => v.row === null && /^(definition|input|pair|text|prose)$/.test(v.kind)).map((v) => v.label)));
    const times = new Map();
    for (const labels of named) for (const name of labels) times.set(name, (times.get(name) ?? 0) + 1);
    const alike = ranges.filter((_, n) => {
      const again = [...named[n]].filter((name) => times.get(name) > 1).length;
      return again > 1 || (again === 1 && named[n].size === 1);
    });
    if (alike.length < 2) return;
    for (const [child, first, end] of alike) {
      const whole = fold(text(child), 600);
      for (const value of out.slice(first, end)) value.row ??= whole;
    }
  };
  // A <span> that a style sheet makes a line of its own, beside blocks: its parent is no one text.
  const isLine = (el) => el.textContent.length < 300 && /[:：]/.test(el.textContent)
    && el.parentElement && isMixed(el.parentElement) && !/^(inline|contents)/.test(getComputedStyle(el).display);
  const mixed = new WeakMap(); // asked once a parent, which may have thousands of children
  const isMixed = (el) => {
    if (!mixed.has(el)) mixed.set(el, childrenOf(el).some((c) => !INLINE.test(tagOf(c))));
    return mixed.get(el);
  };
  const REGIONS = "nav, section, main, form, ul, ol, button, [role=tablist], [role=navigation], [role=tabpanel], [role=dialog], [role=region], [role=group]";
  const visit = (el) => {
    const tag = tagOf(el);
    let from = 0, upTo = 0; // the pair that the element itself is
    if (/^(SCRIPT|STYLE|NOSCRIPT|TEMPLATE|SVG|CANVAS|HEAD)$/.test(tag) || el.getAttribute("aria-hidden") === "true") return;
    if (!shown(el) && getComputedStyle(el).display !== "contents") return;
    if (tag === "DL") definitions(el);
    else if (tag === "TABLE" || /^(table|grid|treegrid)$/.test(el.getAttribute("role"))) table(el);
    else if (FIELD.test(tag)) { input(el); return; }
    else if (tag === "OUTPUT" && el.labels.length) push("pair", [...el.labels].map(text).join(" "), text(el), el);
    else if (/^H[1-6]$/.test(tag)) { push("heading", tag.toLowerCase(), text(el), el); afterHeading(el); }
    else if (tag === "A" && el.href) {
      const said = text(el), count = COUNT.exec(said);
      push("link", said || el.getAttribute("aria-label") || el.getAttribute("title"), said || el.getAttribute("title"), el, { row: wholes.get(el.closest("tr, [role=row]")) ?? null });
      if (count) push("count", count[2], fold(count[1]), el);
    }
    else if (/^(STRONG|B)$/.test(tag) && standsAlone(el)) afterHeading(el);
    else {
      const named = fold(el.getAttribute("aria-label") || byIds(el, "aria-labelledby"));
      if (named && el.textContent.length < 600 && !el.matches(REGIONS)) {
        const said = text(el);
        if (said && said !== named && said.length < 300) push("pair", named, said, el);
      }
      from = out.length;
      const count = childrenOf(el).length;
      if (count === 2 || count === 3) pair(el);
      upTo = out.length;
      alternating(el);
      if (!INLINE.test(tag) || isLine(el)) block(el);
    }
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
  if (document.body) {
    if (document.title) push("heading", "page title", fold(document.title), document.body, { url: null, datetime: null });
    visit(document.body);
  }
  return JSON.stringify(out); // thousands of objects cost more to hand over than to find
}
