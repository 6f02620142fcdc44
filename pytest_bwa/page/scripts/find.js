// Text search over one frame: where a text stands, whether it can be seen, and the number by which
// its element can be acted on. Looks into open shadow roots; changes nothing.
({ text, most }) => {
  const wanted = text.toLowerCase(), eyes = window[Symbol.for("bwa")], hits = [];
  let total = 0;
  const SKIPPED = /^(SCRIPT|STYLE|NOSCRIPT|TEMPLATE)$/;
  const ACTS = "a[href], button, input, select, textarea, summary, [role=button], [role=link], [role=tab]";
  // XHTML has them in small letters; a comment has none.
  const tagOf = (el) => el?.localName?.toUpperCase() ?? "";
  const fold = (t) => (t || "").replace(/\s+/g, " ").trim();
  const around = (t) => {
    const at = t.toLowerCase().indexOf(wanted), from = Math.max(0, at - 60);
    return (from ? "…" : "") + t.slice(from, at + wanted.length + 90) + (t.length > at + wanted.length + 90 ? "…" : "");
  };
  const note = (el, said) => {
    if (!el.checkVisibility || !el.checkVisibility({ visibilityProperty: true })) return;
    total++;
    if (hits.length >= most) return;
    const target = el.closest(ACTS) || el, box = el.getBoundingClientRect();
    hits.push({
      line: around(said), tag: target.getAttribute("role") || target.localName,
      n: eyes.number(target), near: box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth,
    });
  };
  const roots = [document];
  while (roots.length) {
    const root = roots.shift(), seen = new Set();
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node.nodeType === 3) {
        const el = node.parentElement;
        // A phrase may be broken over inline elements: it is looked for in the whole block too.
        if (!el || SKIPPED.test(tagOf(el))) continue;
        const own = fold(node.data);
        if (!own) continue;
        const block = el.closest("p, li, td, th, dd, dt, h1, h2, h3, h4, h5, h6, a, button, div") || el;
        if (own.toLowerCase().includes(wanted)) { if (!seen.has(el)) { seen.add(el); note(el, own); } }
        else if (!seen.has(block) && block.textContent.length < 2000) {
          const whole = fold(block.textContent);
          if (whole.toLowerCase().includes(wanted) && ![...block.querySelectorAll("*")].some((c) => fold(c.textContent).toLowerCase().includes(wanted))) {
            seen.add(block); note(block, whole);
          }
        }
      } else {
        if (node.shadowRoot) roots.push(node.shadowRoot);
        const secret = node.type === "password" || eyes.secret(node);
        const held = secret ? "" : fold(node.getAttribute("alt") || node.getAttribute("aria-label") || node.getAttribute("title")
          || (/^(INPUT|TEXTAREA)$/.test(tagOf(node)) ? node.value : ""));
        if (held.toLowerCase().includes(wanted)) note(node, held);
      }
    }
  }
  return JSON.stringify({ hits, total });
}
