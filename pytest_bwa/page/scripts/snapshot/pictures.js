// Uses: snapshot/controls.js
// Uses: snapshot/reading.js

const MAX_SHAPES = 200; // in a drawing

/**
 * @param {any} el
 * @param {string} tag
 * @param {Place} place
 * @param {Reading} reading
 */
function countPicture(el, tag, place, reading) {
  if (tag === "CANVAS") {
    reading.counts.canvas++;
    reading.addUnnamedPicture(el, place.landmark);
  } else if (tag === "IMG" && attributeOf(el, "alt") === null && !attributeOf(el, "title")) {
    if (!place.named) reading.addUnnamedPicture(el, place.landmark);
  }
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
    reading.addUnnamedPicture(svg, place.landmark);
  }
}

/**
 * The parts of a drawing that can be pressed.
 * @param {Element} svg
 * @param {Place} place
 * @param {Reading} reading
 */
function addShapes(svg, place, reading) {
  const shapes = findAll(svg, "*");
  if (shapes.length > MAX_SHAPES) return;
  for (const shape of shapes) {
    if (!listensToPress(shape) || !hasArea(shape)) continue;
    reading.counts.interactive++;
    reading.add(shape, "clickable", shorten(member(shape, "textContent")), place);
  }
}
