// Controls side by side that are alike, such as tags of which some are chosen: where nothing says which
// but how they are painted, the list does.

const RUN_ROLES = wordSet("button link clickable tab option menuitem");
const CHOICE_ATTRIBUTES = "[aria-pressed], [aria-selected], [aria-checked], [aria-current]";
const ROW_AROUND = "tr, [role=row]";
const IN_USE = ":is(*):is(:hover, :focus, :focus-within)"; // it may be painted so for a moment
const MAX_ALIKE = 12;
const FIELD_PARENTS = 3; // around a run, in which the field is that it stands with
const MAX_RUNS = 40; // of a page
const MIN_PAINTED = 3; // of which the look alone tells some from the others
const MAX_OTHERS = 2; // that are named
const ICON = "icon: ";
const MIN_SHARING = 3; // different pictures side by side with one hint
const MAX_OTHER = 30; // characters of their names

/**
 * One of a run of controls.
 * @typedef {object} Alike
 * @property {any} node
 * @property {Element} el
 * @property {Element} unit The element itself, or what holds nothing but it
 * @property {boolean} isCalm Whether it is neither under the pointer nor in focus
 */

/**
 * Adds to the controls of each run what tells some of them from the others.
 * @param {Reading} reading
 */
function markAlike(reading) {
  let count = 0;
  for (const run of runsOf(reading)) {
    if (run.length < 2 || run.length > MAX_ALIKE || run.some(saysChoice)) continue;
    if (++count > MAX_RUNS) return;
    if (!markByPaint(run)) markOffered(run);
  }
}

/**
 * Takes back what different pictures side by side are all called: it is the name of none.
 * @param {Reading} reading
 */
function dropSharedHints({ nodes, elements }) {
  const hinted = nodes.flatMap((node, at) => {
    const hint = node.states.find((/** @type {string} */ state) => state.startsWith(ICON));
    return hint ? [{ node, hint, el: elements[at] }] : [];
  });
  const groups = groupedBy(hinted, ({ el }) => flatParent(el));
  for (const beside of groups.values()) {
    for (const [hint, alike] of groupedBy(beside, (one) => one.hint)) {
      const pictures = new Set(alike.map(({ el }) => member(el, "innerHTML")));
      if (alike.length < MIN_SHARING || pictures.size < alike.length) continue;
      for (const { node } of alike) node.states.splice(node.states.indexOf(hint), 1);
    }
  }
}

/**
 * The controls that stand beside one another in the same element, of one kind.
 * @param {Reading} reading
 */
function runsOf({ nodes, elements }) {
  /** @type {Map<Element, Map<string, Alike[]>>} */
  const runs = new Map();
  nodes.forEach((node, at) => {
    const el = elements[at];
    if (!el || !RUN_ROLES.has(node.role) || !node.name || sends(el)) return;
    const unit = unitOf(el);
    const around = flatParent(unit);
    if (!around || closest(el, ROW_AROUND)) return;
    const kinds = runs.get(around) ?? new Map();
    runs.set(around, kinds);
    const kind = `${tagOf(unit)} ${tagOf(el)} ${node.role}`;
    if (!kinds.has(kind)) kinds.set(kind, []);
    const isCalm = !matches(el, IN_USE);
    kinds.get(kind).push({ node, el, unit, isCalm });
  });
  return [...runs.values()].flatMap((kinds) => [...kinds.values()]);
}

// Whether it sends a form: what is painted otherwise than it is no choice
function sends(el) {
  return el.type === "submit" && !!el.form;
}

/**
 * What holds nothing but the element, as the entry of a list does; the element itself if nothing does.
 * @param {Element} el
 */
function unitOf(el) {
  const parent = flatParent(el);
  const isAlone = parent && childrenOf(parent).length === 1 && !hasOwnText(parent);
  return isAlone && tagOf(parent) === "LI" ? parent : el;
}

/** @param {Alike} alike */
function saysChoice({ el, unit, node }) {
  const said = matches(el, CHOICE_ATTRIBUTES) || matches(unit, CHOICE_ATTRIBUTES);
  const isOut = (/** @type {string} */ state) => /^(disabled$|struck out)/.test(state);
  return said || node.states.some(isOut);
}

/**
 * The different ways in which those of a run are painted that nothing changes for a moment.
 * @param {Alike[]} run
 */
function paintsOf(run) {
  return [...new Set(run.filter(({ isCalm }) => isCalm).map(wholePaintOf))];
}

/** @param {Alike} alike */
function wholePaintOf({ el, unit }) {
  return unit === el ? paintOf(el) : `${paintOf(el)} ${paintOfStyle(styleOf(unit))}`;
}

/**
 * Says of the fewer that they are painted otherwise, if there are two ways. Returns whether it did.
 * @param {Alike[]} run
 */
function markByPaint(run) {
  const [one, other, ...more] = paintsOf(run);
  if (run.length < MIN_PAINTED || !one || !other || more.length) return false;
  const first = run.filter((alike) => wholePaintOf(alike) === one);
  const second = run.filter((alike) => wholePaintOf(alike) === other);
  const [few, many] = first.length < second.length ? [first, second] : [second, first];
  const names = many.slice(0, MAX_OTHERS).map(({ node }) => `“${shorten(node.name, MAX_OTHER)}”`);
  const rest = many.length > MAX_OTHERS ? ", …" : "";
  for (const { node } of few) node.states.push(`painted otherwise than ${names.join(", ")}${rest}`);
  return true;
}

/**
 * Says of words that stand with a field, and are no list of what was entered where each could be taken
 * out, that all are painted alike: they may be offered only, and none be chosen.
 * @param {Alike[]} run
 */
function markOffered(run) {
  const [first] = run;
  const isPlain = run.every(
    ({ el, node }) => node.role === "clickable" && !hasInside(el, SHOWS_WITHOUT_TEXT),
  );
  if (!first || !isPlain || paintsOf(run).length !== 1) return;
  let block = flatParent(first.unit);
  for (let up = 0; block && up < FIELD_PARENTS; up++, block = flatParent(block)) {
    const fields = findAll(block, ANY_FIELD);
    if (fields.length === 1) first.node.states.push(`painted like the ${run.length - 1} beside it`);
    if (fields.length) return;
  }
}
