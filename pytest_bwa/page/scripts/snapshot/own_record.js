// The record that a control is for: the row, the entry or the card that it stands in. Many pages keep
// its element and write another record into it.

const RECORD_ENTRIES = wordSet("row listitem article option treeitem");
const RECORD_CELLS = wordSet("cell gridcell rowheader columnheader");
const RECORD_LEVELS = 12;
const LIKE_NEIGHBOURS = 6;
const MAX_RECORD_PARTS = 40;
/** @type {WeakSet<Element>} */
const panels = new WeakSet(); // of these records, those that are none of several
/** @type {WeakMap<Element, Element>} */
const recordsOfControls = new WeakMap(); // as they were found first: neighbours come and go
const RECORD_PART_LENGTH = 120;
const PANEL_LENGTH = 200;
const PRESSED_PARTS = "a[href], button, summary, [role=button], [role=link], [role=tab]";
const TELLING = "img[alt], [role=img][aria-label], input[readonly], input:disabled";
const PART_MARK = "\ufdd4"; // where an element begins or ends
const PART_EDGES = /[\s\ufdd0\ufdd3\ufdd4]+/g;
const ENTERED =
  "[contenteditable]:not([contenteditable=false]), [role=textbox], [role=searchbox], [role=spinbutton], " +
  "[role=slider], [role=combobox]";

/**
 * The record that a control stands in; null if it stands in none.
 * @param {Element} el
 */
function recordAround(el) {
  const known = recordsOfControls.get(el);
  if (known && holds(known, el)) return known;
  const found = findRecord(el);
  if (found) recordsOfControls.set(el, found);
  return found;
}

/**
 * The row or entry around a control, else the largest card around it that has no second control like
 * it, else the dialog or the few words that it stands beside; null if it stands in none.
 * @param {Element} el
 * @returns {Element | null}
 */
function findRecord(el) {
  let card = /** @type {Element | null} */ (null);
  let dialog = /** @type {Element | null} */ (null);
  const around = []; // what may be a panel
  let up = flatParent(el);
  for (let n = 0; up && n < RECORD_LEVELS && !/^(BODY|MAIN)$/.test(tagOf(up)); n++) {
    const role = roleOf(up);
    if (RECORD_ENTRIES.has(role) || tagOf(up) === "ARTICLE") {
      if (saysMore(up, el) && !isLayoutRow(up)) return up;
    } else if (/^(alert)?dialog$/.test(role)) {
      dialog = up;
      break;
    } else if (!RECORD_CELLS.has(role) && tagOf(up) !== "LABEL") {
      if (holdsTwin(up, el)) break;
      if (saysMore(up, el)) {
        if (isLikeNeighbour(up, el)) card = up;
        around.push(up);
      }
    }
    up = flatParent(up);
  }
  if (card) return card;
  const panel = dialog ?? around.find((one) => once(one, "isPanel", isPanel)) ?? null;
  if (panel) panels.add(panel);
  return panel;
}

/**
 * Whether a part of the page is a few words with their controls, and neither a form nor a bar.
 * @param {Element} part
 */
function isPanel(part) {
  if (!/^(DIV|SECTION|ASIDE|P)$/.test(tagOf(part)) || regionOf(part) || hasInside(part, ANY_FIELD))
    return false;
  const isShort = wholeText(part).length <= PANEL_LENGTH;
  return isShort && saysSomething(flatText(part, PRESSED_PARTS)); // a bar of controls says nothing
}

/**
 * Whether a part of the page says anything beside a control in it, be it by a picture or a fixed field.
 * @param {Element} part
 * @param {Element} control
 */
function saysMore(part, control) {
  if (wholeText(part).length > wholeText(control).length) return true;
  return hasInside(part, TELLING) && !hasInside(control, TELLING);
}

/**
 * @param {Element} part
 * @param {Element} control
 */
function holdsTwin(part, control) {
  const kinds = once(part, "controlKinds", () => new Map());
  const tag = tagOf(control).toLowerCase();
  if (!kinds.has(tag)) kinds.set(tag, groupedBy(findAll(part, tag), kindOfControl));
  const alike = kinds.get(tag)?.get(kindOfControl(control)) ?? [];
  return alike.some((other) => other !== control);
}

function kindOfControl(control) {
  return once(control, "controlKind", (one) => {
    const names = ["type", "name", "aria-label", "placeholder"].map((name) =>
      attributeOf(one, name),
    );
    return [...names, wholeText(one)].join("|");
  });
}

/** @param {Element} el */
function wholeText(el) {
  return once(el, "wholeText", (one) => fold(member(one, "textContent")));
}

/**
 * Whether a part of the page is one of several: near it is one of its class, or one without a class
 * that has a control of this kind, too.
 * @param {Element} part
 * @param {Element} control
 */
function isLikeNeighbour(part, control) {
  const parent = parentOf(part);
  const siblings = parent ? childrenOf(parent) : [];
  const at = siblings.indexOf(part);
  const near = siblings.slice(Math.max(0, at - LIKE_NEIGHBOURS), at + LIKE_NEIGHBOURS + 1);
  return near.some((other) => {
    if (other === part || kindOf(other) !== kindOf(part)) return false;
    return classesOf(part).length > 0 || hasInside(other, tagOf(control).toLowerCase());
  });
}

/**
 * What a record says, cell by cell and word by word where each stands in an element of its own; without
 * what its fields contain, which is what one enters.
 * @param {Element} record
 */
function partsOfRecord(record) {
  const parts = partedText(record).replace(PART_EDGES, (edge) => {
    const isBetween = edge.includes("\n") || (/\s|\ufdd0/.test(edge) && edge.includes(PART_MARK));
    return isBetween ? "\n" : edge.includes(PART_MARK) ? "" : " ";
  });
  return parts
    .split("\n")
    .map((text) => fold(text, RECORD_PART_LENGTH))
    .filter(Boolean)
    .slice(0, MAX_RECORD_PARTS);
}

/** @returns {string} */
function partedText(node) {
  if (node.nodeType === Node.TEXT_NODE) return paintedData(node);
  if (node.nodeType !== Node.ELEMENT_NODE) return "";
  if (tagOf(node) === "BR") return "\n";
  if (matches(node, ENTERED)) return "";
  const plain = once(node, "plainText", plainTextNow);
  if (!plain && (isLeftOut(node, "") || isUnseen(node))) return "";
  if (isField(node)) return call(node, "matches", ":disabled, [readonly]") ? fixedValue(node) : "";
  if (DRAWN.has(tagOf(node))) return ` ${pictureName(node)} `;
  const { before, after } = once(node, "edges", edgesOf);
  const text = plain || flatChildren(node).map(partedText).join("");
  return [PART_MARK, before, text, after, PART_MARK].join("");
}

// Which nobody can enter anything in
function fixedValue(field) {
  const isText =
    tagOf(field) === "INPUT" && /^(text|search|email|number|tel|url)$/.test(field.type);
  return isText ? ` ${PART_MARK}${field.value}${PART_MARK} ` : "";
}
