const PANEL_NAME_LENGTH = 40;

// A panel shows only a part of what is in it, and scrolls. A picture of the whole page shows that
// part alone; so it does with the document of a frame.

/** @param {Element} el */
function overflows(el) {
  const hides = el.scrollHeight > el.clientHeight + 1 || el.scrollWidth > el.clientWidth + 1;
  return hides && el.clientHeight > 0;
}

/**
 * How far an element is scrolled to the right and down, and how far it can be, in pixels.
 * @param {Element} el
 */
function scrollPlace(el) {
  const most = [el.scrollWidth - el.clientWidth, el.scrollHeight - el.clientHeight];
  return [el.scrollLeft, el.scrollTop, ...most].map(Math.round);
}

/**
 * What something that scrolls is called.
 * @param {Element} el
 */
function scrollerName(el) {
  if (el === document.scrollingElement) return "the page";
  const label = attributeOf(el, "aria-label") || attributeOf(el, "id") || "";
  const name = fold(label, PANEL_NAME_LENGTH, "…");
  return tagOf(el).toLowerCase() + (name && ` “${name}”`);
}

/** @param {Element} el */
function scrolls(el) {
  return moves(el, /auto|scroll/);
}

/**
 * Whether what is inside an element may be shifted in it, by its user or at least by the page.
 * @param {Element} el
 */
function moves(el, overflow = /auto|scroll|hidden/) {
  if (el === document.scrollingElement) return isFrame() && overflows(el);
  if (isBodyOfWindow(el)) return false;
  // Few elements scroll, and to ask for their style costs less than for their sizes.
  const style = styleOf(el);
  return overflow.test(style.overflowX + style.overflowY) && overflows(el);
}

/**
 * Whether an element is the body of a page whose window scrolls in its place: what its style says of
 * overflow is the window's, unless the root says something itself.
 * @param {Element} el
 */
function isBodyOfWindow(el) {
  if (el !== member(document, "body")) return false;
  const { overflowX, overflowY } = styleOf(member(document, "documentElement"));
  return overflowX === "visible" && overflowY === "visible";
}

/**
 * The elements that are painted inside a node, in their order.
 * @param {Node} node
 */
function paintedInside(node) {
  /** @type {Element[]} */
  const found = [];
  const open = [node];
  for (let next = open.pop(); next; next = open.pop()) {
    if (next !== node) found.push(/** @type {Element} */ (next));
    const inside = flatChildren(next);
    for (let at = inside.length - 1; at >= 0; at--) if (tagOf(inside[at])) open.push(inside[at]);
  }
  return found;
}

function isFrame() {
  return window.parent !== window;
}

/**
 * The panels that an element is in, the innermost first.
 * @param {Element} el
 */
function panelsOf(el) {
  /** @type {Element[]} */
  const panels = [];
  for (let up = flatParent(el); up; up = flatParent(up)) if (scrolls(up)) panels.push(up);
  return panels;
}

/**
 * The part of the window in which a panel shows what is in it.
 * @param {Element} panel
 */
function viewOf(panel) {
  if (panel === document.scrollingElement) {
    return { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  }
  const box = boxOf(panel);
  const left = box.left + panel.clientLeft;
  const top = box.top + panel.clientTop;
  return { left, top, right: left + panel.clientWidth, bottom: top + panel.clientHeight };
}

/**
 * Whether a panel shows the middle of an element.
 * @param {Element} panel
 * @param {Element} el
 */
function showsIn(panel, el) {
  const box = boxOf(el);
  const view = viewOf(panel);
  const x = box.left + Math.min(box.width / 2, (view.right - view.left) / 2);
  const y = box.top + Math.min(box.height / 2, (view.bottom - view.top) / 2);
  return x >= view.left && x <= view.right && y >= view.top && y <= view.bottom;
}
