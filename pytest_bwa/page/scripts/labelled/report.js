// Uses: labelled/scope.js
// Uses: labelled/contents.js

const LABEL_LENGTH = 60; // characters
/** @type {{ found: any[], max: number }} */
const report = { found: [], max: 0 };

function plainLabel(text) {
  return fold(text).replace(/\s*[:：*]+\s*$/, "");
}

// Reports a value with its label.
function add(kind, label, nodes, scope, more = {}) {
  const name = plainLabel(label);
  if (report.found.length >= report.max || !name || name.length > LABEL_LENGTH) return;
  const el = nodes.find((node) => node.nodeType === Node.ELEMENT_NODE) ?? flatParent(nodes[0]);
  const box = boxOf(el);
  const regions = [...scope.regions];
  if (hasMain && !regions.includes("main")) regions.unshift("complementary");
  report.found.push({
    kind,
    label: name,
    ...contentsOf(nodes, "doubt" in more),
    regions,
    headings: scope.headings.map((heading) => heading.text),
    record: scope.record?.text ?? "",
    record_name: scope.record?.name ?? "",
    box: [box.left + scrollX, box.top + scrollY, box.width, box.height],
    in_viewport: isInViewport(box),
    ...more,
  });
}
