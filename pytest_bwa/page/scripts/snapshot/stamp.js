// The stamp of a document tells whether it has changed since it was read.
const MAX_COMPARED = 3000; // elements; on larger pages comparing costs as much as reading
// Style sheets may show something under the pointer or at the focus without changing any node. The
// page is then taken as changed only if its appearance differs; null: too large to compare.
let mayLookDifferent = false;
/** @type {string | null} */
let lastAppearance = null;

function suspectAppearance() {
  mayLookDifferent = true;
}

function watchAppearance() {
  for (const event of ["mouseover", "focusin", "focusout"]) {
    call(document, "addEventListener", event, suspectAppearance, true);
  }
}

/** @param {string} text The page's visible text */
function appearance(text) {
  const all = call(document, "querySelectorAll", "*");
  if (watchedRoots.size > 1 || all.length > MAX_COMPARED) return null;
  let look = "";
  for (const el of all) {
    const box = isShown(el) && boxOf(el);
    // Closed menus may be kept to the left of the page or above it.
    look += box ? (box.right > 0 && box.bottom > 0 ? 2 : 1) : 0;
  }
  return look + text;
}

/** @param {string} text The page's visible text, which was just read */
function rememberAppearance(text) {
  mayLookDifferent = false;
  lastAppearance = appearance(text);
}

/** How many rules each style sheet has: a script may add one, which changes no node. */
function countStyleRules() {
  const sheets = [...member(document, "styleSheets"), ...member(document, "adoptedStyleSheets")];
  return sheets.map((sheet) => (sheet.disabled ? "off" : rulesOf(sheet))).join(",");
}

/** @param {CSSStyleSheet} sheet */
function rulesOf(sheet) {
  try {
    return sheet.cssRules.length;
  } catch {
    return "foreign"; // another site's sheet may not be read
  }
}

function stamp() {
  if (mayLookDifferent) {
    const looksSame = lastAppearance !== null && appearance(pageText()) === lastAppearance;
    if (!looksSame) changeCount++;
    mayLookDifferent = false;
  }
  // The key tells a reloaded document from the one before it.
  const roots = rootsOfPage();
  const focused = focusedField();
  const parts = [
    documentKey(),
    changeCount,
    location.href,
    Math.round(scrollY),
    fieldsHash(roots),
    fadesHash(roots),
    countStyleRules(),
    focused ? numberOf(focused) : "",
  ];
  return parts.join("|");
}
