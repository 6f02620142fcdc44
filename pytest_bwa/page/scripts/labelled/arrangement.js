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

// The parts of a block as they are painted: in their own order, if each stands behind or below the one
// before it, else line by line; none if labels and values do not stand side by side then.
function asPainted(el, nodes) {
  const mayDiffer = /flex|grid/.test(styleOf(el).display) || nodes.some(isPlacedFreely);
  if (nodes.length < 2 || !mayDiffer) return nodes;
  if (!nodes.every((node) => tagOf(node) && boxOf(node).width && boxOf(node).height)) return nodes;
  const isRightToLeft = styleOf(el).direction === "rtl";
  const isBehind = (a, b) => (isRightToLeft ? b.right <= a.left + 1 : b.left >= a.right - 1);
  const isBelow = (a, b) => b.top >= a.bottom - 1;
  const boxes = nodes.map((node) => boxOf(node));
  const isNext = (box, n) => !n || isBelow(boxes[n - 1], box) || isBehind(boxes[n - 1], box);
  if (boxes.every(isNext)) return nodes;
  /** @type {any[][]} */
  const lines = [];
  for (const node of sortedBy(nodes, (one) => boxOf(one).top)) {
    const line = lines[lines.length - 1];
    line && !isBelow(boxOf(line[0]), boxOf(node)) ? line.push(node) : lines.push([node]);
  }
  if (lines.every((line) => line.length === 1)) return nodes; // a pile
  const across = (node) => (isRightToLeft ? -boxOf(node).right : boxOf(node).left);
  const areEven = lines.every((line) => line.length % 2 === 0);
  return areEven ? lines.flatMap((line) => sortedBy(line, across)) : [];
}

function isPlacedFreely(node) {
  return tagOf(node) !== "" && /absolute|fixed/.test(styleOf(node).position);
}
