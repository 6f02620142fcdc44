// Uses: labelled/definitions.js
// Uses: labelled/pairs.js

const ROWS = "[role=row]";
const CELLS = "[role=cell], [role=gridcell], [role=columnheader], [role=rowheader]";
const RECORD_LENGTH = 600; // characters

function isHead(cell) {
  return tagOf(cell) === "TH" || /^(columnheader|rowheader)$/.test(attributeOf(cell, "role") || "");
}

// Every row as its cells by column, with spans written out.
function linesOf(grid) {
  const native = tagOf(grid) === "TABLE";
  const rows = (native ? [...grid.rows] : findAll(grid, ROWS)).filter(
    (row) => isShown(row) && !isStruck(row),
  );
  const carried = [];
  return rows.map((row) => {
    const line = [];
    const cells = native ? [...row.cells] : findAll(row, CELLS);
    const carry = () => {
      for (let n = line.length; carried[n]?.left > 0; n++) {
        carried[n].left--;
        line[n] = carried[n].cell;
      }
    };
    for (const cell of cells.filter((one) => isShown(one))) {
      carry();
      const [across, down] = [Math.min(cell.colSpan || 1, 100), Math.min(cell.rowSpan || 1, 1000)];
      for (let n = 0; n < across; n++) {
        carried[line.length] = { cell, left: down - 1 };
        line.push(cell);
      }
    }
    carry();
    return line;
  });
}

// A table with column headers is a list: each row is somebody's or something's. One without is a
// panel of labels and values.
function table(grid, scope) {
  const lines = linesOf(grid).filter((line) => line.length);
  let heads = 0;
  while (heads < lines.length && lines[heads].length > 1 && lines[heads].every(isHead)) heads++;
  const header = lines
    .slice(0, heads)
    .filter((line) => new Set(line).size > 1)
    .pop();
  const isList = header && heads < lines.length;
  const names = isList ? header.map((cell) => textOf(cell)) : [];
  let inside = scope;
  const groups = isList ? groupsOf(lines.slice(0, heads), names) : [];
  for (const line of lines.slice(isList ? heads : 0)) {
    if (isList && call(line[0], "closest", "tfoot")) continue; // sums are nobody's row
    const group = groupOf(line);
    if (group) inside = { ...scope, headings: [...scope.headings, groupHeading(group)] };
    if ((group && new Set(line).size === 1) || (isList && line.every(isHead))) continue;
    if (isList) listed(line, names, groups, inside);
    if (!isList || (isHead(line[0]) && line.length === 2)) keyed(line, inside);
  }
}

// The cell that stands above, or beside, several rows, and names what they are about.
function groupOf(line) {
  const isAlone = new Set(line).size === 1 && (line.length > 1 || isHead(line[0]));
  const names = isAlone || line[0].rowSpan > 1 || attributeOf(line[0], "scope") === "rowgroup";
  return names ? line[0] : null;
}

function groupHeading(cell) {
  return { level: CAPTION_LEVEL, text: textOf(cell), reach: 0 };
}

// What stands above each column's header, such as "in millions" above "Revenue".
function groupsOf(header, names) {
  return names.map((name, n) => {
    const above = header.map((line) => line[n]).filter((cell) => cell && textOf(cell) !== name);
    return [...new Set(above)].filter((cell) => textOf(cell)).map(groupHeading);
  });
}

function listed(line, names, groups, scope) {
  if (line.length !== names.length) return; // which cell is missing, nobody can say
  const texts = line.map((cell) => textOf(cell));
  const name = texts[Math.max(0, line.findIndex(isHead))] || texts.find(Boolean) || "";
  const record = { text: cutText(texts.join(" | "), RECORD_LENGTH), name };
  line.forEach((cell, n) => {
    const spans = line.indexOf(cell) !== line.lastIndexOf(cell);
    if (!names[n] || spans || holdsStructure(cell)) return;
    add("table", names[n], [cell], {
      ...scope,
      record,
      headings: [...scope.headings, ...groups[n]],
    });
  });
}

// Labels, each with the cells behind it up to the next label.
function keyed(line, scope) {
  const cells = [...new Set(line)];
  const isLabel = cells.some(isHead)
    ? isHead
    : (cell) => cell === cells[0] && cells.length === 2 && isLabelOf(cell, cells[1]);
  let label = null;
  for (const cell of cells) {
    if (isLabel(cell)) label = cell;
    else if (label && !holdsStructure(cell)) {
      const field = onlyField(cell);
      if (field) addField(field, scope, textOf(label));
      else add("definition", textOf(label), [cell], scope);
    }
  }
}
