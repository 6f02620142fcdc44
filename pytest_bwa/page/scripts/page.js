// The eyes' own script inside a page. Installed once a document, as one hidden property; answers
// `snapshot`, `stamp` and `element`. Chooses what matters here, where a node costs microseconds:
// Playwright's own snapshot of 20,000 elements takes over ten seconds.
() => {
  const KEY = Symbol.for("bwa");
  if (window[KEY]) return;

  const INTERACTIVE = new Set([
    "button", "link", "textbox", "searchbox", "checkbox", "radio", "switch", "slider", "spinbutton",
    "combobox", "listbox", "option", "tab", "menuitem", "menuitemcheckbox", "menuitemradio", "treeitem",
  ]);
  // Roles whose whole text is their name: what is inside them is not repeated as text.
  const NAMED_BY_TEXT = new Set([
    "button", "link", "heading", "tab", "menuitem", "menuitemcheckbox", "menuitemradio", "option",
    "switch", "treeitem", "row", "status", "alert",
  ]);
  const KEPT = new Set([...INTERACTIVE, "heading", "table", "row", "listitem", "status", "alert", "img", "dialog", "alertdialog"]);
  const BY_TAG = {
    BUTTON: "button", SUMMARY: "button", TEXTAREA: "textbox", TABLE: "table", TR: "row", LI: "listitem",
    H1: "heading", H2: "heading", H3: "heading", H4: "heading", H5: "heading", H6: "heading",
    IMG: "img", NAV: "navigation", HEADER: "banner", FOOTER: "contentinfo", OPTION: "option",
    DIALOG: "dialog", OUTPUT: "status", PROGRESS: "progressbar", METER: "progressbar",
  };
  const BY_INPUT = {
    checkbox: "checkbox", radio: "radio", range: "slider", number: "spinbutton", search: "searchbox",
    button: "button", submit: "button", reset: "button", image: "button", file: "button", hidden: null,
  };
  const SKIPPED = new Set(["SCRIPT", "STYLE", "NOSCRIPT", "TEMPLATE", "HEAD", "META", "LINK", "TITLE"]);
  const NAME = 200, VALUE = 200;

  let next = 0, changes = 0;
  const numbers = new WeakMap(), elements = new Map();
  const number = (el) => {
    let n = numbers.get(el);
    if (n === undefined) { n = next++; numbers.set(el, n); elements.set(n, new WeakRef(el)); }
    return n;
  };
  // XHTML has them in small letters; a comment has none.
  const tagOf = (el) => el?.localName?.toUpperCase() ?? "";
  // A form's own field may be called "children", and then stands in place of its children.
  const CHILDREN = Object.getOwnPropertyDescriptor(Element.prototype, "children").get;
  const childrenOf = (el) => [...CHILDREN.call(el)];
  const fold = (text, most = NAME) => {
    const t = (text || "").replace(/\s+/g, " ").trim();
    return t.length > most ? t.slice(0, most - 1) + "…" : t;
  };

  const roleOf = (el) => {
    const given = el.getAttribute("role");
    if (given) return given.trim().split(/\s+/)[0].toLowerCase();
    const tag = tagOf(el);
    if (tag === "A" || tag === "AREA") return el.hasAttribute("href") ? "link" : "";
    if (tag === "INPUT") { const r = BY_INPUT[el.type]; return r === undefined ? "textbox" : r || ""; }
    if (tag === "SELECT") return el.multiple || el.size > 1 ? "listbox" : "combobox";
    if (tag === "HEADER" || tag === "FOOTER") {
      return el.closest("article, section, main, aside") ? "" : BY_TAG[tag];
    }
    if (el.isContentEditable && !el.parentElement?.isContentEditable) return "textbox";
    return BY_TAG[tag] || "";
  };
  const byIds = (el, attribute) => (el.getAttribute(attribute) || "").split(/\s+/).filter(Boolean)
    .map((id) => el.getRootNode().getElementById?.(id)?.textContent || "").join(" ");
  const isField = (el) => /^(INPUT|TEXTAREA|SELECT)$/.test(tagOf(el));

  const nameOf = (el, role) => {
    const labelled = fold(byIds(el, "aria-labelledby")) || fold(el.getAttribute("aria-label"));
    if (labelled) return labelled;
    if (isField(el)) {
      if (/^(button|submit|reset)$/.test(el.type)) return fold(el.value) || fold(el.type);
      const label = fold([...(el.labels || [])].map((l) => labelText(l, el)).join(" "));
      return label || fold(el.getAttribute("placeholder")) || fold(el.getAttribute("title")) || fold(el.alt)
        || (el.type === "file" ? "file" : fold(el.name));
    }
    if (tagOf(el) === "IMG") return fold(el.alt) || fold(el.getAttribute("title"));
    if (role === "row") return rowText(el);
    if (role === "table") return fold(el.caption?.innerText);
    if (role === "dialog" || role === "alertdialog") return fold(el.querySelector("h1,h2,h3")?.textContent);
    const text = NAMED_BY_TEXT.has(role) || role === "clickable" ? fold(visibleText(el)) : "";
    return text || fold(inner(el)) || fold(el.getAttribute("title"));
  };
  const labelText = (label, field) => {
    if (!label.contains(field)) return label.textContent;
    return [...label.childNodes].filter((n) => n !== field && !(n.contains && n.contains(field)))
      .map((n) => n.textContent).join(" ") || "";
  };
  // Pictures inside a nameless button or link name it.
  const inner = (el) => [...el.querySelectorAll("img[alt], svg[aria-label], [aria-label], svg > title")]
    .map((n) => n.getAttribute("alt") || n.getAttribute("aria-label") || n.textContent).join(" ");
  const visibleText = (el) => el.innerText ?? el.textContent;
  const rowText = (el) => fold(childrenOf(el).map((c) => fold(visibleText(c), 80)).join(" | "), 300);

  // A password stays one when the page shows it: "show password" turns its field into a text field.
  const secrets = new WeakSet();
  const secret = (el) => {
    if (tagOf(el) !== "INPUT") return false;
    if (el.type === "password" || /-password$/.test(el.autocomplete || "")) secrets.add(el);
    return secrets.has(el);
  };
  const valueOf = (el, role) => {
    if (tagOf(el) === "SELECT") return fold([...el.selectedOptions].map((o) => o.label).join(", "), VALUE);
    if (secret(el)) return null;
    if (/^(textbox|searchbox|spinbutton|slider)$/.test(role) || role === "combobox") {
      const v = "value" in el ? el.value : el.textContent;
      return v ? fold(v, VALUE) : null;
    }
    return null;
  };
  const STATES = ["selected", "expanded", "pressed", "current", "checked", "invalid", "busy"];
  const statesOf = (el, role) => {
    const out = [];
    if (role === "checkbox" || role === "radio" || role === "switch") {
      const on = "checked" in el ? el.checked : el.getAttribute("aria-checked") === "true";
      out.push(`checked=${on}`);
    }
    for (const state of STATES) {
      const v = el.getAttribute("aria-" + state);
      if (v && !(state === "checked" && out.length) && !(state === "invalid" && v === "false")
        && !(state === "busy" && v === "false")) out.push(`${state}=${v}`);
    }
    if (tagOf(el) === "DETAILS" || tagOf(el) === "SUMMARY") {
      out.push(`expanded=${(tagOf(el) === "SUMMARY" ? el.parentElement : el).open === true}`);
    }
    if (el.disabled || el.getAttribute("aria-disabled") === "true") out.push("disabled");
    if (el.required || el.getAttribute("aria-required") === "true") out.push("required");
    if (el.readOnly) out.push("readonly");
    if (secret(el)) out.push(el.value ? "password, filled" : "password, empty");
    else if (tagOf(el) === "INPUT" && /^(file|date|time|email|number|datetime-local|month)$/.test(el.type)) out.push(el.type);
    return out;
  };
  const described = (el, name) => {
    const extra = fold(byIds(el, "aria-describedby") || el.getAttribute("aria-description") || el.getAttribute("title") || "", 120);
    return extra && extra !== name ? extra : null;
  };
  const shown = (el) => el.checkVisibility
    ? el.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true, visibilityProperty: true, opacityProperty: true })
    : getComputedStyle(el).visibility !== "hidden";

  const snapshot = ({ most }) => {
    const out = [], counts = { all: 0, interactive: 0, unnamed: 0, canvas: 0, svg: 0, semantic: 0 };
    const height = innerHeight, width = innerWidth, unnamed_pictures = [];
    let left = 0;
    // A picture that says nothing to the tree, and the text that it belongs to.
    const puzzle = (el, at) => {
      if (at.land || unnamed_pictures.length >= 10) return;
      const box = el.getBoundingClientRect();
      if (box.width < 6 || box.height < 6) return;
      let beside = el.parentElement, text = "";
      for (let up = 0; beside && !text && up < 4; up++, beside = beside.parentElement) {
        text = fold(tagOf(beside) === "TR" ? rowText(beside) : visibleText(beside), 80);
      }
      if (text && !unnamed_pictures.includes(text)) unnamed_pictures.push(text);
    };
    const push = (el, role, name, box, at) => {
      if (out.length >= most) { left++; return; }
      const near = box.bottom > 0 && box.top < height && box.right > 0 && box.left < width;
      const url = role === "link" ? el.href?.baseVal ?? el.href : null;
      out.push({
        n: number(el), role, name, value: valueOf(el, role), states: statesOf(el, role), url: url || null,
        more: described(el, name), box: [box.left + scrollX, box.top + scrollY, box.width, box.height],
        near, land: at.land, level: role === "heading" ? +(el.getAttribute("aria-level") || tagOf(el)[1] || 0) : 0,
      });
    };
    const walk = (el, at) => {
      counts.all++;
      const tag = tagOf(el);
      if (SKIPPED.has(tag) || el.getAttribute("aria-hidden") === "true" || el.hasAttribute("hidden")) return;
      if (tag === "CANVAS") { counts.canvas++; puzzle(el, at); }
      if (tag === "IMG" && !el.hasAttribute("alt") && !el.getAttribute("title") && !at.named) puzzle(el, at);
      const svg = tag === "SVG";
      const contents = el.style?.display === "contents" || tag === "SLOT";
      if (!contents && !shown(el)) {
        if (getComputedStyle(el).display !== "contents") return;
      }
      let role = roleOf(el);
      if (role === "none" || role === "presentation" || role === "generic") role = "";
      if (svg) {
        const name = fold(el.getAttribute("aria-label")) || fold(el.querySelector(":scope > title")?.textContent);
        if (name && !at.covered) { counts.semantic++; push(el, "img", name, el.getBoundingClientRect(), at); }
        else if (!name && !at.named) { counts.svg++; puzzle(el, at); }
        return;
      }
      const land = /^(navigation|banner|contentinfo)$/.test(role) ? role : at.land;
      const pointer = !role && !at.pointer && !at.covered && getComputedStyle(el).cursor === "pointer";
      if (pointer) role = "clickable";
      const inside = { land, covered: at.covered, named: at.named, pointer: at.pointer || pointer };
      if (KEPT.has(role) || role === "clickable") keep(el, role, { ...at, land }, inside);
      if (role === "option" && at.inSelect) return;
      if (tag === "SELECT" || tag === "TEXTAREA" || role === "textbox") return;
      if (!inside.covered && !role.match(/^(table|row|img)$/)) texts(el, { ...at, land });
      const root = el.shadowRoot;
      if (root && !watched.has(root)) watch(root); // one that stood in the page's own source
      if (root) for (const child of root.children) walk(child, inside);
      if (tag === "SLOT" && el.assignedElements().length) {
        for (const child of el.assignedElements()) walk(child, inside);
      } else if (tag !== "IFRAME" && !(root && !root.querySelector("slot"))) {
        if (!root) for (const child of childrenOf(el)) walk(child, inside);
      }
    };
    const keep = (el, role, at, inside) => {
      const box = el.getBoundingClientRect();
      const name = nameOf(el, role);
      const acts = INTERACTIVE.has(role) || role === "clickable";
      if (acts) { counts.interactive++; if (!name) counts.unnamed++; }
      if (name) counts.semantic++;
      const covers = NAMED_BY_TEXT.has(role) || role === "clickable";
      // What a link or a row already says is not said again by what stands inside it.
      if (!(at.covered && !acts && role !== "img") && (name || acts) && role !== "listitem" && role !== "table") {
        if (!(role === "clickable" && !name)) push(el, role, name, box, at);
      }
      // A row's text says nothing of a picture in it; a button's does.
      if (covers && name) { inside.covered = true; inside.named = role !== "row"; }
    };
    // Text that stands directly in an element; inline neighbours are read together.
    const texts = (el, at) => {
      let own = false;
      for (const node of el.childNodes) if (node.nodeType === 3 && node.data.trim()) { own = true; break; }
      if (!own || at.covered) return;
      // A field's label is the field's name already; without a visible field it is text.
      if (tagOf(el) === "LABEL" && el.control && shown(el.control)) return;
      const inline = childrenOf(el).every((c) => /^(B|STRONG|I|EM|SPAN|SMALL|CODE|TIME|ABBR|MARK|SUP|SUB|BR|WBR|A|LABEL)$/.test(tagOf(c)));
      const text = inline ? visibleText(el) : [...el.childNodes].filter((n) => n.nodeType === 3).map((n) => n.data).join(" ");
      const name = fold(text, 300);
      if (!name) return;
      counts.semantic++;
      push(el, "text", name, el.getBoundingClientRect(), at);
    };
    if (document.body) walk(document.body, { land: "", covered: false, named: false, pointer: false });
    const said = document.body?.innerText || "", text = said.slice(0, 2000);
    felt = false;
    looks = appearance(said);
    const loading = !!document.querySelector('[aria-busy="true"], [role="progressbar"]:not([aria-valuenow])');
    return { nodes: out, left, counts, unnamed_pictures, text, loading, title: document.title, url: location.href, stamp: stamp() };
  };

  // What a style sheet shows under the pointer or at the focus changes no node: then the page is
  // only another one if it looks like one. Null where looking costs as much as reading.
  const MOST_LOOKED_AT = 3000;
  let felt = false, looks = null, shadowed = false;
  const appearance = (said) => {
    const all = document.querySelectorAll("*");
    if (shadowed || all.length > MOST_LOOKED_AT) return null;
    let seen = "";
    for (const el of all) {
      const box = shown(el) && el.getBoundingClientRect();
      seen += box ? (box.right > 0 && box.bottom > 0 ? 2 : 1) : 0; // menus wait beside the page, too
    }
    return seen + said;
  };
  const settled = () => {
    if (felt && (looks === null || appearance(document.body?.innerText || "") !== looks)) changes++;
    felt = false;
  };
  // timeOrigin tells a reloaded document from the one before it.
  const stamp = () => {
    settled();
    return `${performance.timeOrigin}|${changes}|${location.href}|${Math.round(scrollY)}`;
  };
  const bump = () => { changes++; };
  const observer = new MutationObserver(bump), watched = new WeakSet();
  const watch = (root) => {
    observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
    watched.add(root);
    shadowed ||= root !== document;
  };
  watch(document);
  const attach = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function (...args) {
    const root = attach.apply(this, args); watch(root); return root;
  };
  const heard = ["input", "change", "toggle", "popstate", "scroll", "transitionend", "animationend"];
  for (const event of heard) document.addEventListener(event, bump, true);
  for (const event of ["mouseover", "focusin", "focusout"]) {
    document.addEventListener(event, () => { felt = true; }, true);
  }
  for (const el of document.querySelectorAll("*")) if (el.shadowRoot) watch(el.shadowRoot);

  const element = (n) => { const el = elements.get(n)?.deref(); return el && el.isConnected ? el : null; };
  Object.defineProperty(window, KEY, { value: { snapshot, stamp, changes: () => changes, element, number, secret }, enumerable: false });
}
