// Uses: labelled/collect.js

// What holds labelled values of its own is a panel of them, and no value. One alone is none: a
// name may come in two pieces, and a title have a colon.
const isPanel = (inside) =>
  inside.some((v) => /^(definition|table|input)$/.test(v.kind)) ||
  new Set(inside.filter((v) => /^(pair|text|prose)$/.test(v.kind)).map((v) => v.label)).size > 1;
// Cards or list items that repeat the same labels are entries of one list, as rows of a table are:
// what stands in one of them is told by its whole text.
const entries = (ranges) => {
  const named = ranges.map(
    ([, first, end]) =>
      new Set(
        out
          .slice(first, end)
          .filter((v) => v.row === null && /^(definition|input|pair|text|prose)$/.test(v.kind))
          .map((v) => v.label),
      ),
  );
  const times = new Map();
  for (const labels of named)
    for (const name of labels) times.set(name, (times.get(name) ?? 0) + 1);
  const alike = ranges.filter((_, n) => {
    const again = [...named[n]].filter((name) => times.get(name) > 1).length;
    return again > 1 || (again === 1 && named[n].size === 1);
  });
  if (alike.length < 2) return;
  for (const [child, first, end] of alike) {
    const whole = clip(text(child), 600);
    for (const value of out.slice(first, end)) value.row ??= whole;
  }
};
