// Uses: labelled/collect.js

const INLINE =
  /^(A|ABBR|B|BDI|BR|CITE|CODE|DATA|EM|I|IMG|KBD|LABEL|MARK|S|SMALL|SPAN|STRONG|SUB|SUP|SVG|TIME|U|WBR)$/i;
const COLON = /^\s*([^:：]{1,48}?)\s*[:：]\s+(\S.*)$/,
  TIGHT = /^\s*([^:：\d]{1,48}?)[:：](\S.*)$/;
const COUNT = /^\s*(\d[\d.,]*\s?[kKmM]?)\s+(\p{L}[\p{L} ]{2,30})\s*$/u;
// The lines of a block of text, each with the elements that stand in it: cut at line breaks, at
// | · •, and around elements that are "Label: value" themselves.
const linesOf = (el) => {
  /** @type {{ text: string, parts: any[] }[]} */
  const lines = [];
  /** @type {{ text: string, parts: any[] }} */
  let line = { text: "", parts: [] };
  const cut = () => {
    if (line.text.trim()) lines.push(line);
    line = { text: "", parts: [] };
  };
  const breaks = /^pre/.test(getComputedStyle(el).whiteSpace) ? /[\n|·•]/ : /[|·•]/;
  const add = (node) => {
    if (node.nodeType === 3) {
      node.data.split(breaks).forEach((piece, n) => {
        if (n) cut();
        line.text += piece.replace(/\s+/g, " ");
      });
    } else if (tagOf(node) === "BR") cut();
    else if (node.nodeType === 1 && node.querySelector("br")) node.childNodes.forEach(add);
    else if (node.nodeType === 1 && shown(node) && !node.matches(MUTE)) {
      const said = text(node),
        whole = COLON.test(said) || getComputedStyle(node).display === "block";
      if (whole) cut();
      line.text += said;
      line.parts.push([node, line.text.length - said.length]);
      if (whole) cut();
    }
  };
  el.childNodes.forEach(add);
  cut();
  return lines;
};
// The link and the time of a line's value, not of its neighbour's.
const inLine = (line, from) => {
  const own = line.parts.filter(([, at]) => at >= from).map(([node]) => node);
  const within = (css) => own.map((n) => (n.matches(css) ? n : n.querySelector(css))).find(Boolean);
  const link = within("a[href]"),
    time = within("time[datetime]");
  return { url: link ? link.href : null, datetime: time ? time.getAttribute("datetime") : null };
};
// A label and, on a line of its own below it, the value: one of them an element, one plain text.
const stacked = (el, lines) => {
  if (
    lines.length !== 2 ||
    lines[0].parts.length + lines[1].parts.length !== 1 ||
    childrenOf(el).filter((c) => tagOf(c) !== "BR").length !== 1
  )
    return false;
  const [name, value] = lines.map((line) => clip(line.text));
  if (name.length > LABEL || /[.!?]$/.test(name) || lines.some((line) => COLON.test(line.text)))
    return false;
  push("pair", name, value, el);
  return true;
};
// What people write about the matter (a description, a comment) may say "Status: unclear" too.
const WRITTEN =
  'blockquote, [class*="comment" i], [class*="markdown" i], ' +
  '[class*="description" i]:not([class*="descriptions" i], [class*="description-" i])';
const isProse = (el) => !!el.closest(WRITTEN);
// `Label: value`, the label in the block's own words or in bold in front.
const block = (el) => {
  if (!childrenOf(el).every((c) => INLINE.test(tagOf(c)))) return;
  if (!el.textContent.trim()) return;
  const lines = linesOf(el);
  for (const line of stacked(el, lines) ? [] : lines) {
    const match = COLON.exec(line.text) || TIGHT.exec(line.text);
    // A second label inside the value: where the first value ends is not certain.
    const clear =
      match &&
      !/^\/\//.test(match[2]) &&
      !/\d$/.test(match[1]) &&
      !/\s\p{Lu}\p{L}*(?: \p{L}+)?:\s/u.test(match[2]);
    const from = match ? line.text.search(/[:：]/) : 0;
    const count = COUNT.exec(line.text);
    // A colon inside brackets: (parent: 8c0ae42)
    const value = match && (/\([^)]*$/.test(match[1]) ? match[2].replace(/\)\s*$/, "") : match[2]);
    // A label's own <span>Label: </span> starts before the colon, but holds no value's link.
    if (clear)
      push(
        isProse(el) ? "prose" : "text",
        match[1],
        clip(value),
        el,
        inLine(
          { ...line, parts: line.parts.map(([n, at]) => [n, COLON.test(text(n)) ? from : at]) },
          from,
        ),
      );
    else if (count) push("count", count[2], clip(count[1]), el);
    else bold(line);
  }
  for (const part of el.querySelectorAll("span, strong, b")) {
    const count = COUNT.exec(clip(part.innerText));
    if (count && shown(part)) push("count", count[2], clip(count[1]), part);
  }
};
// <b>Label</b> value <b>Label</b> value; only where the line begins with it.
const bold = (line) => {
  const labels = line.parts.filter(([n]) => /^(B|STRONG)$/.test(tagOf(n)));
  if (!labels.length || line.text.slice(0, labels[0][1]).trim()) return;
  labels.forEach(([node, at], n) => {
    const name = text(node),
      begin = at + name.length,
      end = labels[n + 1]?.[1] ?? line.text.length;
    const value = clip(line.text.slice(begin, end).replace(/^\s*[:：–—-]\s/, ""));
    const parts = line.parts.filter(([, place]) => place < end);
    if (name.length <= LABEL && !/[.!?]$/.test(name))
      push("text", name, value, node, inLine({ ...line, parts }, begin));
  });
};
