// Uses: prelude/
// Uses: snapshot/
// Uses: labelled/
// Uses: find/
// Uses: actions/
// Uses: bridge/received.js

// What can be asked by name of a document, and of one element of it.
const READERS = {
  ...{ readPage, readLabelled, readState, readLayout, stamp, find, numberHanded, visibleOptions },
  ...{ revealInPanels, restorePanels, scrollPage, focusState, rootBox, extent },
  ...{
    describedChoices,
    countTexts,
    placesOfSecrets,
    hasSecretFocus,
    looksOfPictures,
    focusedText,
  },
};
const ELEMENT_READERS = {
  ...{
    checkedState,
    choiceShown,
    clickPoint,
    clickTarget,
    coverOf,
    elementText,
    fileNames,
    focusInside,
  },
  ...{
    frameWindow,
    freeSpot,
    hasFocus,
    identity,
    isFileField,
    isUnder,
    ownOptions,
    ownSurface,
    scrollArea,
  },
  ...{ selectOptions, sizeOf, takesKeys, takesText, targetState, textsShown, typedText },
  ...{ typingTarget, holdSecret, isSecretField, saidNow },
};

/** The state of what has the focus. */
function focusState() {
  return targetState(null);
}

function scrollPage(direction) {
  return scrollArea(null, direction);
}

/**
 * The numbers of the elements that the main world has handed over; null for what is not in the page.
 * @param {{ token: string, count: number }} options
 */
function numberHanded({ token, count }) {
  const elements = takeHanded(token);
  const numbers = [...Array(count).keys()].map((at) => {
    const el = elements.get(at);
    return el ? numberOf(el) : null;
  });
  return { document: documentKey(), numbers };
}

let hasSaidAlone = false;

/**
 * What a reader finds, in an object; of an element that is not there any more, nothing. Where the
 * main world does not answer, the first call says so instead.
 * @param {string} name
 * @param {{ key: string, number: number } | null} reference
 */
function run(name, argument, reference) {
  watchChanges(); // again at every call: document.open() removes all listeners
  watchAppearance();
  if (!askMainWorld() && !hasSaidAlone) {
    hasSaidAlone = true;
    return { alone: true };
  }
  if (!reference) return { found: READERS[name](argument) ?? null };
  const el = numberedElement(reference.key, reference.number);
  return el ? { found: ELEMENT_READERS[name](el, argument) ?? null } : {};
}

/**
 * Installs the readers once per document.
 * @param {string} name Of the events that cross between the worlds
 */
function readers(name) {
  if (window[Symbol.for("bwa.readers")]) return;
  listenOn(name);
  const value = { run, element: elementOf, axElement, secret: isSecret };
  Object.defineProperty(window, Symbol.for("bwa.readers"), { value, enumerable: false });
  watchChanges();
}
