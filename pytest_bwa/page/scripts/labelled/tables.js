// Uses: labelled/definitions.js

const isHead = (c) =>
  tagOf(c) === "TH" || /^(columnheader|rowheader)$/.test(c.getAttribute("role"));
// Every row as its cells by column, spans written out: [[cell, …], …]; hidden cells keep their place.
const columns = (rows, cellsOf) => {
  const carried = [];
  return rows.map((row) => {
    const line = [];
    let n = 0;
    const carry = () => {
      while (carried[n]?.left > 0) {
        line[n] = carried[n].cell;
        carried[n].left--;
        n++;
      }
    };
    for (const cell of cellsOf(row)) {
      carry();
      const across = Math.min(cell.colSpan || 1, 100),
        down = Math.min(cell.rowSpan || 1, 1000);
      for (let i = 0; i < across; i++, n++) {
        line[n] = cell;
        carried[n] = { cell, left: down - 1 };
      }
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
  const lines = columns(rows, (row) =>
    native
      ? [...row.cells]
      : [
          ...row.querySelectorAll(
            "[role=cell], [role=gridcell], [role=columnheader], [role=rowheader]",
          ),
        ],
  );
  const heading = (n) =>
    tagOf(rows[n].parentElement) === "THEAD" ||
    (lines[n].length > 1 && lines[n].every((c) => !c || isHead(c)));
  let headed = 0;
  while (headed < rows.length && heading(headed)) headed++;
  if (!headed) {
    for (const line of lines) keyed([...new Set(line)]);
    return;
  }
  const names = lines[headed - 1].map((c) => (c && shown(c) ? text(c) : ""));
  const valued =
    names.length < 5 ? names.findIndex((name) => /^(?:\p{L}+ )?value$/iu.test(name)) : -1;
  rows.slice(headed).forEach((row, n) => {
    const own = lines[headed + n],
      says = new Map([...new Set(own)].filter((c) => c && shown(c)).map((c) => [c, text(c)]));
    const whole = clip([...says.values()].join(" | "), 300);
    wholes.set(row, whole);
    own.forEach((c, place) => {
      // A cell across several columns belongs to none of them; a foot may repeat the headers.
      if (names[place] && says.has(c) && !spans(own, c) && says.get(c) !== names[place])
        push("table", names[place], shownValue(c), c, { row: whole });
    });
    // "Parameter | Value": each row is a label and its value.
    if (valued > 0 && own[0] !== own[valued] && says.get(own[0]) && says.has(own[valued]))
      push("definition", says.get(own[0]), shownValue(own[valued]), own[valued]);
    const filled = [...says.keys()].filter((c) => c.parentElement === row && says.get(c));
    // "Total" and its value, below the entries: the label spans columns, or empty cells before it do.
    if (filled.length === 2 && own.indexOf(filled[1]) > 1 && own.some((c) => c && spans(own, c)))
      keyed(filled);
  });
};
// A row without column headers: label and value, or several such pairs with labels in <th>.
const keyed = (own) => {
  own = own.filter((c) => c && shown(c) && !/^[:：]$/.test(text(c)));
  // What can be done with a value, or nothing, may stand behind it.
  if (!own.some(isHead)) own = own.filter((c, n) => n < 2 || (text(c) && !onlyLinks(c)));
  for (let n = 0; n + 1 < own.length; n += 2) {
    if (isHead(own[n]) ? !isHead(own[n + 1]) : own.length === 2 && text(own[n]).length <= LABEL)
      push("definition", text(own[n]), shownValue(own[n + 1]), own[n + 1]);
  }
};
