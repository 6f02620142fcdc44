// Which elements look as they did when the document was read last, although it changes all the time
// elsewhere: a clock, a carousel. A picture taken since then shows them as they were read.

const MAX_PAINTED = 500; // elements and texts that were changed; of more, nothing is known

/**
 * @typedef {object} LastReading
 * @property {string} state
 * @property {any[]} nodes
 * @property {Element[]} elements
 * @property {any[]} places
 * @property {string[][]} records
 * @property {string} fields A hash of their values, which no observer reports
 */
/** @type {LastReading} */
let lastRead = { state: "", nodes: [], elements: [], places: [], records: [], fields: "" };

/**
 * @param {string} state
 * @param {Reading} reading
 */
function rememberReading(state, { nodes, elements, places, records }) {
  const fields = fieldsHash(rootsOfPage());
  lastRead = { state, nodes, elements, places, records, fields };
}

/**
 * The state that was read last, the numbers of what stands still since then although something has
 * changed, and the boxes of those that have moved.
 */
function standingStill() {
  const { state, nodes, elements } = lastRead;
  const isUnchanged = elements.length && hasChanged() ? unchangedTest() : () => false;
  /** @type {number[]} */
  const still = [];
  /** @type {number[][]} */
  const moved = [];
  elements.forEach((el, at) => {
    if (!isUnchanged(el)) return;
    const { number, box } = nodes[at];
    const { left, top, width, height } = markedBoxOf(el);
    const now = [left + scrollX, top + scrollY, width, height];
    if (now.some((side, index) => Math.abs(side - box[index]) > 1)) {
      moved.push([number, left, top, width, height]);
    }
    still.push(number);
  });
  return { state, still, moved };
}

/** What tells of an element whether nothing has changed it, or what is painted where it is. */
function unchangedTest() {
  const painted = [...changesSinceReading.painted].filter((node) => member(node, "isConnected"));
  const boxes = painted.flatMap((node) => boxesOfChange(node)).slice(0, MAX_PAINTED + 1);
  if (painted.length > MAX_PAINTED || boxes.length > MAX_PAINTED) return () => false;
  const around = new Set();
  for (const node of changesSinceReading.targets) {
    let up = /** @type {any} */ (node instanceof ShadowRoot ? node.host : node);
    for (; up && !around.has(up); up = flatParent(up)) around.add(up);
  }
  return (/** @type {Element} */ el) => {
    if (around.has(el) || !isInPage(el) || !isShown(el)) return false;
    for (let up = /** @type {Element | null} */ (el); up; up = flatParent(up)) {
      // What follows an element may look otherwise because of its class.
      if (
        changesSinceReading.painted.has(up) ||
        changesSinceReading.parents.has(GET_PARENT_NODE.call(up))
      )
        return false;
    }
    const box = boxOf(el);
    // A style sheet may show something in front of an element that is in view, and no node changes.
    return !boxes.some((other) => overlap(box, other)) && !hitInFront(el, box);
  };
}

/**
 * Where an element, with all that is in it, or a text is painted.
 * @returns {DOMRect[]}
 */
function boxesOfChange(node) {
  if (node.nodeType !== Node.ELEMENT_NODE) {
    const range = call(document, "createRange");
    range.selectNode(node);
    return [range.getBoundingClientRect()];
  }
  const inside = findAll(node, "*").slice(0, MAX_PAINTED);
  return [node, ...inside].filter((el) => isShown(el)).map((el) => boxOf(el));
}
