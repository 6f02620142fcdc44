// Uses: prelude/background.js
// Uses: prelude/overlap.js
// Uses: prelude/flat_tree.js

/** @type {DOMRect[]} */
const NOWHERE = [];

// Whether a person can see a text: of much that stands in a document nothing is painted.

function elementOfNode(node) {
  return node.nodeType === Node.ELEMENT_NODE ? node : flatParent(node);
}

// The boxes outside of which nothing of an element is painted; NOWHERE if nothing of it ever is.
function clipsOf(el) {
  return el ? once(el, "clips", clipsNow) : [];
}

function clipsNow(el) {
  const style = styleOf(el);
  const outer = clipsOf(flatParent(el));
  const isLost = style.clipPath !== "none" || /blur/.test(style.filter) || style.clip !== "auto";
  if (isLost || outer === NOWHERE) return NOWHERE;
  const cuts = /hidden|clip/.test(style.overflow) && !/^(BODY|HTML)$/.test(tagOf(el));
  return cuts ? [...outer, boxOf(el)] : outer;
}

function canBeSeen(node) {
  const el = elementOfNode(node);
  const style = styleOf(el);
  if (style.contentVisibility === "hidden") return false;
  const security = style.getPropertyValue("-webkit-text-security");
  if ((security && security !== "none") || unpainted.has(el)) return false;
  const range = call(document, "createRange");
  range.selectNodeContents(node);
  const boxes = [...range.getClientRects()].filter((box) => box.width > 1 && box.height > 1);
  const clips = clipsOf(el);
  const isOnPage = (box) => box.right + scrollX > 0 && box.bottom + scrollY > 0;
  const isIn = (box) => isOnPage(box) && clips.every((clip) => overlap(box, clip));
  return clips !== NOWHERE && boxes.some(isIn) && !isCovered(el, boxes[0]);
}

// Whether something opaque stands before it. What stays in place while the page scrolls does not
// count: a banner covers whatever is below it for the moment.
function isCovered(el, box) {
  const hit = call(
    document,
    "elementFromPoint",
    box.left + box.width / 2,
    box.top + box.height / 2,
  );
  if (!hit || call(hit, "contains", el) || call(el, "contains", hit)) return false;
  if (member(el, "getRootNode").call(el) !== document) return false;
  let isOpaque = false;
  for (let up = hit; up && !call(up, "contains", el); up = flatParent(up)) {
    const style = styleOf(up);
    if (/fixed|sticky/.test(style.position)) return false;
    isOpaque ||= !CLEAR.test(style.backgroundColor);
  }
  return isOpaque;
}
