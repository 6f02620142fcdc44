// Uses: prelude/flat_tree.js
// Uses: snapshot/screen_order.js

// How a style sheet arranges the parts of a block. A person reads them as they are painted, whatever
// their order in the document is.

// The children of an element as its style sheet orders them.
function inOrder(el, children) {
  const { display, flexDirection } = styleOf(el);
  if (children.length < 2 || !/flex|grid/.test(display)) return children;
  const order = (child) => +styleOf(child).order;
  const ordered = children.some(order) ? sortedBy(children, order) : children;
  return flexDirection === "column-reverse" ? [...ordered].reverse() : ordered;
}

// The parts of a block in the order in which they may be labels and values in turn: as they are in the
// document, if that is the order of the lines or of the columns on the screen, else as they stand side
// by side. Empty if neither is certain.
function asPainted(el, nodes) {
  if (nodes.length < 2) return nodes;
  if (!/flex|grid/.test(styleOf(el).display) && !nodes.some(isPlacedFreely)) return nodes;
  if (!nodes.every((node) => tagOf(node) && boxOf(node).width && boxOf(node).height)) return nodes;
  const isRightToLeft = styleOf(el).direction === "rtl";
  const across = (node) => (isRightToLeft ? -boxOf(node).right : boxOf(node).left);
  const lines = bandsOf(nodes, "top", "bottom").map((line) => sortedBy(line, across));
  const down = (node) => boxOf(node).top;
  const columns = sortedBy(bandsOf(nodes, "left", "right"), ([first]) => across(first)).map(
    (column) => sortedBy(column, down),
  );
  const isOrder = (bands) => bands.flat().every((node, n) => node === nodes[n]);
  const isPile = lines.every((line) => line.length === 1);
  if (isPile || isOrder(lines) || isOrder(columns)) return nodes;
  return lines.every((line) => line.length % 2 === 0) ? lines.flat() : [];
}

function isPlacedFreely(node) {
  return tagOf(node) !== "" && /absolute|fixed/.test(styleOf(node).position);
}

// The parts of a block that share a line (or a column), the first line first.
function bandsOf(nodes, from, to) {
  /** @type {any[][]} */
  const bands = [];
  for (const node of sortedBy(nodes, (one) => boxOf(one)[from])) {
    const [own, last] = [boxOf(node), bands.length ? boxOf(bands[bands.length - 1][0]) : null];
    const shared = last ? Math.min(own[to], last[to]) - Math.max(own[from], last[from]) : 0;
    const size = last ? Math.min(own[to] - own[from], last[to] - last[from]) : 0;
    shared > size / 2 ? bands[bands.length - 1].push(node) : bands.push([node]);
  }
  return bands;
}

// Whether the parts of a block are numbers, each in a column of its own above what it counts.
function areTiles(nodes) {
  if (nodes.length < 4 || nodes.length % 2 || !nodes.every(tagOf)) return false;
  if (!nodes.every((node, n) => n % 2 || /^\s*\d/.test(node.textContent))) return false;
  const isBelow = (node, n) => n % 2 === 0 || boxOf(nodes[n - 1]).bottom <= boxOf(node).top + 1;
  const columns = bandsOf(nodes, "left", "right");
  const arePairs = columns.every((column, n) => {
    const own = new Set(column);
    return own.size === 2 && own.has(nodes[2 * n]) && own.has(nodes[2 * n + 1]);
  });
  return arePairs && nodes.every(isBelow);
}
