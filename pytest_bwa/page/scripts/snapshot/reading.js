const MAX_UNNAMED_PICTURES = 10;
const PICTURE_PARENTS = 4;
const BESIDE_LENGTH = 80; // of the text beside a picture
const MIN_PICTURE_SIZE = 6; // pixels
const MAX_NAMED = 50; // controls that the task names, beyond those that are read of a long page
const MIN_NAMED = 3; // characters of their names
const MAX_COMPARED_PICTURES = 100; // of which it is known how they look

/** @param {string} role Of an element without a field's value */
function isPressed(role) {
  return /^(button|link|tab|option|(menu|tree)item.*|clickable)$/.test(role);
}

/** What one snapshot has collected so far. */
class Reading {
  /**
   * @param {number} max
   * @param {string} goal
   */
  constructor(max, goal = "") {
    /** @type {any[]} */
    this.nodes = [];
    /** @type {Element[]} */
    this.elements = []; // which each of the nodes describes
    /** @type {[number, number | null, boolean][]} */
    this.frames = []; // their elements, each with the node before it, and whether a dialog covers it
    this.leftOut = 0;
    this.counts = {
      all: 0,
      interactive: 0,
      unnamed: 0,
      canvas: 0,
      svg: 0,
      semantic: 0,
      small_pictures: 0,
    };
    /** @type {string[]} */
    this.unnamedPictures = [];
    /** @type {string[]} */
    /** @type {Element[]} */
    this.pictures = []; // without a name, the first of them
    this.listedPictures = 0; // without a name
    /** @type {OutlineEntry[]} */
    this.outline = [];
    /** @type {object[]} */
    this.places = [];
    /** @type {any[]} */
    this.lastPlace = [];
    /** @type {string[][]} */
    this.records = []; // what those say that controls stand in
    /** @type {Map<Element, number>} */
    this.recordNumbers = new Map();
    /** @type {Element | null} */
    this.asked = null; // the only control whose record is read; null for all of them
    this.texts = findFlatTexts();
    this.hasEdits = this.texts.edited.has(member(document, "documentElement"));
    this.modal = new Modal();
    /** @type {Set<Element>} */
    this.placeholders = new Set();
    this.max = max;
    this.goal = goal;
    this.width = innerWidth;
    this.height = innerHeight;
    this.left = scrollX;
    this.top = scrollY;
  }

  /**
   * @param {string} role
   * @param {string} name
   * @param {Place} place
   * @param {number} cutBefore How many texts were cut before the name was read
   */
  add(el, role, name, place, cutBefore = cutTexts) {
    if (this.nodes.length >= this.max && !foundElements.has(el) && !this.isNamed(role, name)) {
      this.leftOut++;
      return;
    }
    const isControl = isControlRole(role);
    const url = role === "link" ? linkOf(el) : null;
    const value = fieldValueOf(el, role);
    const cut = cutTexts > cutBefore;
    const box = markedBoxOf(el);
    const states = statesOf(el, role, name);
    if (value !== null) states.unshift(...lengthOfCutValue(el, role, value));
    if (place.loading || this.placeholders.has(el)) states.push("loading");
    if (!isControl && isUnseenText(el)) states.push("hidden");
    if (place.struck || this.hasEdits) states.push(...editsOf(el, role, name, place.struck));
    if (place.pressed) states.push("clickable");
    if (cut) states.push(...foundBeyond(el, name));
    const hint = saysSomething(name) || !isPressed(role) ? "" : hintOf(el);
    if (hint) states.push(ICON + hint);
    if (TICK_ROLES.has(role)) states.push(...tickHintsOf(el, role, name));
    const lines = role === "text" ? writtenLines(el) : "";
    if (isControl && !name && !hint) this.counts.unnamed++;
    this.elements.push(el);
    // What most elements do not have is undefined, so that the JSON text leaves it out.
    const node = {
      number: numberOf(el),
      role,
      name,
      value: value ?? undefined,
      cut: cut || undefined,
      states,
      url: url || undefined,
      note: noteOf(el, name, role) ?? undefined,
      box: [box.left + this.left, box.top + this.top, box.width, box.height],
      in_viewport: isInViewport(box, this.width, this.height),
      landmark: place.landmark || undefined,
      level: (role === "heading" ? headingLevel(el) : depthOf(el, role)) || undefined,
      place: this.placeNumber(place),
      around: isControl ? this.recordNumber(el, name) : undefined,
      behind: place.behind || undefined,
      found: foundElements.has(el) || undefined,
      lines: lines || undefined,
      unfolds: unfolds(el, role) || undefined,
    };
    this.nodes.push(node);
  }

  /**
   * Whether the task names a control, on a page so long that not all is read.
   * @param {string} role
   * @param {string} name
   */
  isNamed(role, name) {
    if (!isControlRole(role) || this.nodes.length >= this.max + MAX_NAMED) return false;
    const key = name.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]+/gu, "_");
    return key.length >= MIN_NAMED && this.goal.includes(`_${key}_`);
  }

  /** Takes back the element that was added last. */
  dropLast() {
    this.nodes.pop();
    this.elements.pop();
  }

  /** How many elements were read so far. */
  count() {
    return this.nodes.length + this.leftOut;
  }

  /**
   * The index of a place in `places`; neighbours mostly stand in the same one.
   * @param {Place} place
   */
  placeNumber({ regions, record }) {
    const [lastRegions, lastOutline, lastRecord] = this.lastPlace;
    const isSame = lastRegions === regions && lastOutline === this.outline && lastRecord === record;
    if (!isSame || !this.places.length) {
      const headings = this.outline.map((entry) => entry.text);
      this.lastPlace = [regions, this.outline, record];
      this.places.push({ regions, headings, record: record ? textOfRecord(record) : "" });
    }
    return this.places.length - 1;
  }

  /**
   * The index in `records` of what the record of a control says; none if that is only its name.
   * @param {Element} el
   * @param {string} name
   */
  recordNumber(el, name) {
    const record = this.asked && this.asked !== el ? null : recordAround(el);
    if (!record) return undefined;
    let number = this.recordNumbers.get(record);
    if (number === undefined) {
      const parts = partsOfRecord(record);
      const above = panels.has(record) ? this.outline.at(-1)?.text : "";
      if (above && !parts.includes(above)) parts.unshift(above);
      number = this.records.push(parts) - 1;
      this.recordNumbers.set(record, number);
    }
    const [first, ...others] = this.records[number];
    return first === name && !others.length ? undefined : number;
  }

  /**
   * Remembers a picture of the content that has no name, and the text next to it.
   * @param {Element} picture
   * @param {Place} place
   */
  addUnnamedPicture(picture, { landmark, behind }) {
    const box = boxOf(picture);
    if (landmark || behind || box.width < MIN_PICTURE_SIZE || box.height < MIN_PICTURE_SIZE) return;
    if (this.pictures.length < MAX_COMPARED_PICTURES) this.pictures.push(picture);
    if (this.unnamedPictures.length >= MAX_UNNAMED_PICTURES) return;
    let text = "";
    let parent = parentOf(picture);
    for (let up = 0; parent && !text && up < PICTURE_PARENTS; up++, parent = parentOf(parent)) {
      text = shorten(tagOf(parent) === "TR" ? rowText(parent) : visibleText(parent), BESIDE_LENGTH);
    }
    if (text && !this.unnamedPictures.includes(text)) this.unnamedPictures.push(text);
  }
}
