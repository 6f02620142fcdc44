// What can be pressed although no role says so. Each control has one number: what contains others is
// called by the text around them, and is none if there is no such text.

const PRESSABLE_ROLES = wordSet(
  "listitem img cell gridcell columnheader rowheader article figure group paragraph term definition",
);
const SHOWS_WITHOUT_TEXT = "img, svg, canvas, input, select, button, a";
const RESIZES = /-resize$/; // the cursor over the edge of a column
const ITEM_TAGS = wordSet("LI DD TD");
const MIN_ITEMS = 3;
const MAX_ITEM_TEXT = 60; // characters
const MAX_CONTROL_TEXT = 200;
const MAX_SEARCHED = 300; // elements inside of a control
const MAX_HEIGHT = 200; // pixels, of what only a listener makes a control
const MAX_UNNAMED = 300; // pixels, of a control without a name
const ROW_OF_TEXT = 60; // characters; a row of cells with more than that is one control
const COVERS = 0.8; // of the control around it: then it is that control

/** @typedef {"" | "listener" | "pointer" | "item"} Press Why an element can be pressed */

/**
 * Why an element can be pressed by itself; empty if it cannot.
 * @param {string} role
 * @param {Place} place
 * @param {Place} inside
 * @returns {Press}
 */
function pressOf(el, role, place, inside) {
  if (tagOf(el) === "BODY") return "";
  const listens = listensToPress(el);
  const startsPointer = inside.pointer && !place.pointer;
  inside.pressed = (role === "heading" || role === "row") && (listens || startsPointer);
  inside.pressed ||= role === "status" && startsPointer; // chips of libraries listen to count presses
  if (role && !PRESSABLE_ROLES.has(role)) return "";
  if (listens && RESIZES.test(styleOf(el).cursor)) return "";
  if ((listens || startsPointer) && labelsField(el)) return "";
  if (listens) return hasPointer(el) || !isInBlankHeader(el) ? "listener" : "";
  if (place.items.has(el)) return "item";
  if (!inside.pointer && isMoreMark(el)) return "pointer";
  return startsPointer && !isCellOfPressedRow(el) ? "pointer" : "";
}

/**
 * Whether an element is or is in the head of a column that shows nothing, as above columns in no group.
 * @param {Element} el
 */
function isInBlankHeader(el) {
  const head = closest(el, "[role=columnheader]");
  if (!head || fold(member(head, "textContent"))) return false;
  const parts = [head, ...findAll(head, "*")].filter((part) => isShown(part));
  const isSeen = (/** @type {Element} */ part) =>
    pictureName(part) || matches(part, SHOWS_WITHOUT_TEXT) || isPaintedByStyle(part);
  return !parts.some(isSeen);
}

/**
 * Whether a style sheet paints a picture or a sign in an element.
 * @param {Element} el
 */
function isPaintedByStyle(el) {
  return [styleOf(el), ...pseudosOf(el)].some(({ backgroundImage, maskImage, content }) => {
    return `${backgroundImage} ${maskImage}`.includes("(") || /"\s*[^"\s]/.test(content);
  });
}

// Whether an element is the label of a field that is listed, and names it.
function labelsField(el) {
  if (tagOf(el) === "LABEL" && el.control) {
    return isReachable(el.control) && !call(el.control, "closest", "[aria-hidden=true]");
  }
  const id = attributeOf(el, "id");
  if (!id) return false;
  const named = findAll(call(el, "getRootNode"), `[aria-labelledby~="${CSS.escape(id)}"]`);
  return named.some((field) => LABELLED_ROLES.has(roleOf(field)) && isReachable(field));
}

/** @param {Element} el */
function hasPointer(el) {
  return styleOf(el).cursor === "pointer";
}

/**
 * Whether all cells of a row show the pointer, and have too much text for those of a calendar.
 * @param {Element} el
 */
function isCellOfPressedRow(el) {
  const row = tagOf(el) === "TD" ? parentOf(el) : null;
  if (!row || (member(row, "textContent") ?? "").length <= ROW_OF_TEXT) return false;
  return childrenOf(row).every(hasPointer);
}

/**
 * The controls in an element, without those inside of them. Entries of a list inside of an entry
 * that can be pressed can be pressed too.
 * @param {Element} el
 */
function controlsIn(el) {
  /** @type {Element[]} */
  const found = [];
  let searched = 0;
  const search = (/** @type {Node} */ node) => {
    for (const child of flatChildren(node)) {
      if (child.nodeType !== Node.ELEMENT_NODE || searched++ > MAX_SEARCHED) continue;
      const isEntry = tagOf(child) === "LI" && tagOf(el) === "LI";
      const isControl = isEntry || isInteractive(child) || listensToPress(child);
      if (isControl && isReachable(child)) found.push(child);
      else search(child);
    }
  };
  search(el);
  return found;
}

/**
 * Whether something in an element shows the pointer by itself, as the days of a calendar do whose
 * whole listens for them.
 * @param {Element} el That shows none
 */
function hasPointerInside(el) {
  const inside = paintedInside(el).slice(0, MAX_SEARCHED);
  return inside.some((one) => hasPointer(one) && isReachable(one));
}

/** @param {Element} el */
function isInteractive(el) {
  return INTERACTIVE_ROLES.has(roleOf(el));
}

/**
 * The entries of a list that reacts as a whole: it has no text of its own, and they are all alike.
 * @param {Element} el
 * @param {Press} press
 * @returns {readonly Element[]}
 */
function entriesOf(el, press) {
  const children = press === "item" || hasOwnText(el) ? [] : childrenOf(el);
  const [first] = children;
  if (!first || children.length < 2) return [];
  if (children.length < MIN_ITEMS && !ITEM_TAGS.has(tagOf(first))) return [];
  const kind = kindOf(first);
  const areItems = children.every((child) => {
    const { length } = fold(member(child, "textContent"));
    return kindOf(child) === kind && length > 0 && length <= MAX_ITEM_TEXT;
  });
  return areItems ? children : [];
}

/** @param {Element} el */
function kindOf(el) {
  return `${tagOf(el)}.${classesOf(el)[0]}`;
}

/**
 * Whether something is small enough to be one control. A listener alone may be there for all that
 * happens inside of a large part of the page.
 * @param {Element} el
 * @param {Press} press
 * @param {Element[]} controls
 */
function isOneControl(el, press, controls) {
  if (press !== "listener" || hasPointer(el)) return true;
  if (controls.length || boxOf(el).height > MAX_HEIGHT || hasPointerInside(el)) return false;
  if (call(el, "querySelector", "[role=alert], [role=status]")) return false;
  return fold(member(el, "textContent")).length <= MAX_CONTROL_TEXT;
}

/**
 * The control in an element, such as a chip, that is nothing but its frame; null if there is none.
 * @param {Element} el
 */
function onlyControlIn(el) {
  const text = fold(member(el, "textContent"));
  for (let at = el; text; ) {
    const inner = childrenOf(at).find((child) => fold(member(child, "textContent")) === text);
    if (!inner || !isShown(inner)) return null;
    if (isInteractive(inner) || listensToPress(inner)) return inner;
    if (hasPointer(inner) && !hasPointer(at)) return inner;
    at = inner;
  }
  return null;
}

/**
 * The text of an element around the controls in it.
 * @param {Element[]} controls
 * @returns {string}
 */
function textAround(node, controls) {
  if (controls.includes(node)) return " ";
  if (tagOf(node) === "LABEL" && controls.includes(node.control)) return " ";
  if (!controls.some((control) => holds(node, control))) return flatText(node);
  const texts = flatChildren(node).map((child) => textAround(child, controls));
  return withoutMarks(withBlanks(withAdded(node, texts.join(" "))));
}

/**
 * Whether a control without a name is one of its own: small, and not the surface of another one.
 * @param {Element} el
 * @param {Place} place
 */
function isOwnControl(el, place) {
  const box = boxOf(el);
  if (!hasArea(el) || box.width > MAX_UNNAMED || box.height > MAX_UNNAMED) return false;
  if (!place.control) return true;
  const around = boxOf(place.control.el);
  const share = (box.width * box.height) / Math.max(1, around.width * around.height);
  return place.control.name !== "" && share < COVERS;
}
