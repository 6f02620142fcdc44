const MAX_COMPARED_SHAPES = 10; // in a picture

/** @type {Element[]} */
let latestPictures = [];

/** @param {Reading} reading */
function rememberPictures(reading) {
  latestPictures = reading.pictures;
}

/** A hash of how the pictures without a name look that the latest reading of the page found. */
function looksOfPictures() {
  return hashOf(latestPictures.map(lookOf).join("\u0001"));
}

// A text that differs if a picture is drawn otherwise, in another colour or of another file.
function lookOf(picture) {
  const shapes = [picture, ...findAll(picture, "*").slice(0, MAX_COMPARED_SHAPES)];
  const styles = shapes.map((shape) => {
    const { color, fill, stroke, opacity, visibility, transform } = styleOf(shape);
    return [color, fill, stroke, opacity, visibility, transform].join();
  });
  return [picture.outerHTML, ...styles].join("\n");
}
