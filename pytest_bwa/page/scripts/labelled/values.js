const SKIPPED = "[aria-hidden=true], [aria-busy=true]";
const PARTS = "dt, dd, td, th, tr, tbody, label, button, [role=row], ul, ol";
const CELLS = wordSet("TD TH DD DT"); // and no entries of a list
const EMPTY_HOLDERS = wordSet("A SLOT"); // that may say something without any element inside
const LISTS = "table, [role=table], [role=grid], [role=treegrid]";
const KINDS = [SKIPPED, VALUE_FIELDS, LISTS, "a[href]", PARTS].join(); // that the walk tells apart
/** @type {any[]} */
const NOTHING = [];

// Walks the flat tree and reports what it labels.
function visit(el, scope) {
  if (report.found.length >= report.max) return;
  const tag = tagOf(el);
  if (UNPAINTED.has(tag) || DRAWN.has(tag)) return;
  const isPlain = !matches(el, KINDS); // as most elements are: one question in place of five
  if (!isPlain && matches(el, SKIPPED)) return;
  if (!isPlain && matches(el, VALUE_FIELDS)) {
    if (isReadable(el)) addField(el, scope);
    return;
  }
  if (!isShownOrBoxless(el) || isStruck(el)) return;
  if (headingLevel(el)) return addHeading(el, scope);
  if (isPlainLeaf(el)) return;
  const inside = scopeInside(el, scope);
  const first = report.found.length;
  visitChildren(el, inside);
  if (tag === "DL") definitions(el, inside);
  else if (!isPlain && matches(el, LISTS)) table(el, inside);
  else if (!isPlain && matches(el, "a[href]")) addCard(el, inside, first);
  else if (isPlain || !matches(el, PARTS)) {
    if (!hasValues(first, "count")) block(el, inside);
    else if (!hasValues(first + 1, "count")) tile(el, inside);
  }
}

// Whether an element has nothing inside that could be a label with its value, a count or a link. Two
// texts with a comment between them, as libraries write them, may be a number and what it counts.
function isPlainLeaf(el) {
  const isLeaf =
    !childrenOf(el).length && !GET_SHADOW_ROOT.call(el) && !EMPTY_HOLDERS.has(tagOf(el));
  if (!isLeaf || !/[:：]|^\s*\d/.test(el.textContent)) return isLeaf;
  return flatChildren(el).length < 2 && !/\S\s+\S/.test(el.textContent);
}

function addHeading(el, scope) {
  const [level, value] = [headingLevel(el), textOfHeading(el)];
  const above = { ...scope, headings: under(scope.headings, { level, text: "" }) };
  const looks = new Set(textNodes(el).map((text) => typeLookOf(elementOfNode(text))));
  const doubt = looks.size > 1 ? PART_MIXED : ""; // as its number is
  if (value) add("heading", `h${level}`, [el], above, { value, doubt });
  for (const link of findAll(el, "a[href]")) addLink(link, above);
}

// Whether more than links, and values of that kind, was found since then.
function hasValues(first, besides = "link") {
  const { found } = report;
  for (let n = first; n < found.length; n++) {
    if (found[n].kind !== "link" && found[n].kind !== besides) return true;
  }
  return false;
}

function visitChildren(el, scope) {
  const children = inScreenOrder(el, shownChildren(el));
  const entries = [];
  let headings = scope.headings;
  let above = headings; // of the child itself, which what stands before it may name
  let begun = [el, ...scope.begun]; // until their first line has come
  /** @type {Line | null} */
  let line = null;
  let { previous } = scope;
  for (let n = 0; n < children.length; n++) {
    const child = children[n];
    const next = children[n + 1];
    const from = report.found.length;
    visit(child, { regions: scope.regions, headings: above, begun, previous });
    const inChild = report.found.length > from ? report.found.slice(from) : NOTHING;
    if (inChild.length && !CELLS.has(tagOf(child))) {
      entries.push({ child, values: inChild.filter(({ record }) => !record) });
    }
    const found = inChild.length ? inChild.filter(({ kind }) => !NO_VALUES.test(kind)) : NOTHING;
    if (found.length) for (const head of line?.heads ?? []) report.spent.add(head);
    if (next && isBeside(child, next)) {
      line ??= { above: headings, heads: [] };
      const own = found.length ? [] : headingsOfHead(child);
      if (own.length) line.heads.push(child);
      headings = own.reduce(under, headings);
      above = under(headings, { level: CAPTION_LEVEL, text: captionBeside(child, next, found) });
    } else {
      const before = { headings: line?.above ?? headings, begun, previous };
      headings = headingsAfter(child, next, before, found);
      above = found.length ? headings : lasting(headings, before, next);
      line = null;
    }
    if (begun.length && !isPartOfLine(child, next)) begun = [];
    if (tagOf(child) !== "HR") previous = found.length ? child : null;
  }
  if (entries.length > 1) markRecords(entries);
}

// Whether the first line of a box goes on after an element: a picture, a rule, or what the next one
// stands beside.
function isPartOfLine(el, next) {
  if (DRAWN.has(tagOf(el)) || tagOf(el) === "HR") return true;
  return next !== undefined && isLine(el) && isBeside(el, next);
}

// Neighbours that look alike and repeat a label are entries of one list, as rows of a table are; of
// those that only look alike, the links are. Of two classes, one may say that an entry is late or odd.
function markRecords(entries) {
  const labelsOf = (values) =>
    values.flatMap((one) => (NO_VALUES.test(one.kind) || isUnitOf(one, values) ? [] : [one.label]));
  const times = new Map(); // of how many neighbours that look so, and have that label
  const count = (key) => times.set(key, (times.get(key) ?? 0) + 1);
  for (const { child, values } of entries) {
    count(signOf(child));
    for (const label of new Set(labelsOf(values)))
      for (const sign of signsOf(child)) count(`${sign}\n${label}`);
  }
  for (const { child, values } of entries) {
    const isRepeated = (label) => signsOf(child).some((sign) => times.get(`${sign}\n${label}`) > 1);
    const isEntry = labelsOf(values).some(isRepeated);
    const own = values.filter(({ kind }) => isEntry || kind === "link");
    if ((isEntry || times.get(signOf(child)) > 1) && own.length) markEntry(child, own);
  }
}

// Whether a number with what it counts is the value of a label, and so a number with its unit.
function isUnitOf({ kind, label, value }, values) {
  const whole = `${value} ${label}`;
  return kind === "count" && values.some((one) => one.kind !== "count" && one.value === whole);
}

function markEntry(el, values) {
  const names = findAll(el, "h1, h2, h3, h4, h5, h6, a[href], strong, b");
  const named = names.find((one) => textOf(one)) ?? el;
  const record = cutText(textOf(el).replace(/\n/g, " | "), RECORD_LENGTH);
  const record_name = flatText(named).split("\n")[0];
  for (const value of values) Object.assign(value, { record, record_name });
}

// A link. The values inside of it are of what it leads to.
function addCard(link, scope, first) {
  const values = report.found.slice(first).filter(({ kind, record }) => kind !== "link" && !record);
  const isOther = !(attributeOf(link, "href") ?? "").startsWith("#");
  if (values.length && isOther) markEntry(link, values);
  addLink(link, scope);
}

function addLink(link, scope) {
  const value = textOf(link).replace(/\n/g, " ") || pictureName(link);
  if (value) add("link", value, [link], scope, { value, url: linkOf(link), doubt: "" });
}

// Everything that a page itself labels, with the place of each: terms and descriptions, table
// cells, fields, label and value side by side, `Label: value`, counts, headings and links. `elements` are
// those of the observation's list.
function labelledValues(maxValues, elements) {
  beginReport(maxValues, elements);
  const body = member(document, "body");
  const top = topScope();
  if (body) visit(body, top);
  const next = findAll(document, "link[rel~=next], a[rel~=next]").find((el) => linkOf(el));
  if (next) add("next", "next", [next], top, { value: "", url: linkOf(next), doubt: "" });
  return report.found;
}
