const MIN_LISTED_WIDTH = 64; // pixels; smaller pictures are icons, of which only their number is said
const MIN_LISTED_HEIGHT = 32;
const MAX_LISTED_PICTURES = 10; // of a document
const MAX_SHAPES = 200; // in a drawing
const MAX_DRAWN_TEXTS = 50; // in a drawing
const MAX_TEXTS_OF_SHAPE = 3; // with more, it is a surface that listens for what is on it

/**
 * @param {string} tag CANVAS or IMG
 * @param {Place} place
 * @param {Reading} reading
 */
function countPicture(el, tag, place, reading) {
  if (tag === "CANVAS") {
    reading.counts.canvas++;
    reading.addUnnamedPicture(el, place);
  } else if (attributeOf(el, "alt") === null && !attributeOf(el, "title")) {
    if (!place.named) reading.addUnnamedPicture(el, place);
  }
}

/**
 * A picture of the content that says in no text what it shows. That of a control is its face, and
 * an empty alt says that it is decoration.
 * @param {string} tag
 * @param {Place} place
 * @param {Reading} reading
 */
function addPicture(el, tag, place, reading) {
  if (tag !== "CANVAS" && tag !== "IMG" && tag !== "SVG") return;
  const isWordless = tag === "CANVAS" || (attributeOf(el, "alt") === null && !pictureName(el));
  const isAround = place.landmark || place.behind || place.control || place.named || place.struck;
  const box = boxOf(el);
  if (!isWordless || isAround || !isOnPage(box, reading)) return;
  const isSmall = box.width < MIN_LISTED_WIDTH || box.height < MIN_LISTED_HEIGHT;
  if (isSmall || reading.listedPictures >= MAX_LISTED_PICTURES) {
    reading.counts.small_pictures++;
    return;
  }
  reading.listedPictures++;
  reading.add(el, tag === "CANVAS" ? "canvas" : "img", shorten(pictureName(el)), place);
}

/**
 * @param {DOMRect} box
 * @param {Reading} reading
 */
function isOnPage(box, reading) {
  const isSeen = box.width >= MIN_PICTURE_SIZE && box.height >= MIN_PICTURE_SIZE;
  return isSeen && box.right + reading.left > 0 && box.bottom + reading.top > 0;
}

/**
 * An <svg> that is visible, as one picture or control.
 * @param {Element} svg
 * @param {Place} place
 * @param {Reading} reading
 */
function addDrawing(svg, place, reading) {
  const cutBefore = cutTexts;
  const name = shorten(pictureName(svg));
  const inside = { ...place, pointer: place.pointer || hasPointer(svg) };
  if (pressOf(svg, "img", place, inside) && isOwnControl(svg, place)) {
    reading.counts.interactive++;
    reading.add(svg, "clickable", name, place, cutBefore);
  } else if (name && !place.covered) {
    reading.counts.semantic++;
    reading.add(svg, "img", name, place, cutBefore);
  } else if (!name && !place.named) {
    reading.counts.svg++;
    reading.addUnnamedPicture(svg, place);
    if (!findAll(svg, "text").length) addPicture(svg, "SVG", place, reading);
  }
}

/**
 * The parts of a drawing that can be pressed, and its texts.
 * @param {Element} svg
 * @param {Place} place
 * @param {Reading} reading
 */
function addShapes(svg, place, reading) {
  const parts = findAll(svg, "*");
  const searched = parts.length > MAX_SHAPES ? [] : parts;
  const shapes = searched.filter((part) => listensToPress(part) && hasArea(part));
  addDrawnTexts(svg, shapes, place, reading);
  for (const shape of shapes) {
    reading.counts.interactive++;
    reading.add(shape, "clickable", shorten(member(shape, "textContent")), place);
  }
}

/**
 * The texts of a drawing without a name, such as a diagram, that no listed shape is called by.
 * @param {Element} svg
 * @param {Element[]} shapes
 * @param {Place} place
 * @param {Reading} reading
 */
function addDrawnTexts(svg, shapes, place, reading) {
  if (place.covered || place.named || pictureName(svg)) return;
  const named = shapes.filter((shape) => findAll(shape, "text").length <= MAX_TEXTS_OF_SHAPE);
  const texts = findAll(svg, "text").filter((text) => isShown(text) && hasArea(text));
  for (const text of texts.slice(0, MAX_DRAWN_TEXTS)) {
    const cutBefore = cutTexts;
    const name = shorten(member(text, "textContent"));
    const isSaid = named.some((shape) => call(shape, "contains", text));
    if (!name || isSaid || closest(text, "[aria-hidden=true]")) continue;
    reading.counts.semantic++;
    reading.add(text, "text", name, place, cutBefore);
  }
}
