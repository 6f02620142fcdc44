const UNPAINTED_TEXT = /^(SCRIPT|STYLE|NOSCRIPT|TEMPLATE|TITLE)$/;

/**
 * The texts and fields of a document, and the boxes in its window that a picture must not show, as
 * JSON text: of secret fields, and of what says one of the texts. Python asks without texts first,
 * and passes only what it has found here: no page is told a secret that it does not have.
 * @param {string[]} texts
 */
function placesOfSecrets(texts) {
  const roots = rootsOfPage();
  const written = roots.map((root) => textNodesOf(root));
  const fields = roots.flatMap((root) => findAll(root, "input, textarea, [contenteditable]"));
  const says = (/** @type {string} */ text) => texts.some((one) => text.includes(one));
  const covered = fields.filter((el) => (isSecret(el) ? contentOf(el) : says(textOfField(el))));
  const ranges = written.flatMap((nodes) => texts.flatMap((text) => rangesOf(nodes, text)));
  const rects = [...covered, ...ranges].flatMap((place) => [...place.getClientRects()]);
  return toJsonText({
    text: [...written.map(joinedText), ...fields.map(textOfField)].join("\n"),
    boxes: rects.map(({ left, top, width, height }) => [left, top, width, height]),
  });
}

function textOfField(el) {
  return `${contentOf(el)}\n${attributeOf(el, "placeholder") ?? ""}`;
}

/** @param {Document | ShadowRoot} root */
function textNodesOf(root) {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const nodes = [];
  while (walker.nextNode()) {
    const node = /** @type {Text} */ (walker.currentNode);
    if (!UNPAINTED_TEXT.test(tagOf(node.parentElement))) nodes.push(node);
  }
  return nodes;
}

/** @param {Text[]} nodes */
function joinedText(nodes) {
  return nodes.map((node) => node.data).join("");
}

/**
 * Where a text stands, which may be spread over several nodes.
 * @param {Text[]} nodes
 * @param {string} text
 */
function rangesOf(nodes, text) {
  const whole = joinedText(nodes);
  const ranges = [];
  for (let at = whole.indexOf(text); at >= 0; at = whole.indexOf(text, at + text.length)) {
    const range = document.createRange();
    const [first, begin] = positionIn(nodes, at);
    const [last, end] = positionIn(nodes, at + text.length - 1);
    range.setStart(first, begin);
    range.setEnd(last, end + 1);
    ranges.push(range);
  }
  return ranges;
}

/**
 * The node that has a character of the joined text, and its place in that node.
 * @param {Text[]} nodes
 * @param {number} at
 * @returns {[Text, number]}
 */
function positionIn(nodes, at) {
  let left = at;
  for (const node of nodes) {
    if (left < node.data.length) return [node, left];
    left -= node.data.length;
  }
  throw new RangeError("no such character");
}
