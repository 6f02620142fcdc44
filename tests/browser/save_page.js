// The page as it is rendered now, as one HTML text that loads nothing: with shadow roots, the values
// of fields (but of no secret or hidden one) and style sheets; without scripts.

const DROPPED = /^(SCRIPT|NOSCRIPT|BASE|META|SOURCE|LINK|EMBED|OBJECT|TRACK)$/;
const PIXEL = "data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=";

/**
 * @param {{ base: string | null }} options
 */
function savePage({ base }) {
  // Elements of a document without a window load nothing and run no constructors.
  const inert = document.implementation.createHTMLDocument("");
  const root = copy(document.documentElement, inert);
  const head = root.querySelector("head") ?? root.insertBefore(inert.createElement("head"), null);
  const address = inert.createElement("base");
  address.href = base ?? document.baseURI;
  const charset = inert.createElement("meta");
  charset.setAttribute("charset", "utf-8");
  const styles = document.adoptedStyleSheets.map((sheet) => styleOf(sheet, inert));
  head.prepend(charset, address);
  head.append(...styles);
  return `<!doctype html>\n${root.outerHTML}\n`;
}

/**
 * @param {Element} el
 * @param {Document} inert
 * @returns {any}
 */
function copy(el, inert) {
  const made = inert.importNode(el, false);
  copyState(el, made);
  const root = el.shadowRoot;
  if (root) {
    const template = inert.createElement("template");
    template.setAttribute("shadowrootmode", "open");
    template.content.append(...root.adoptedStyleSheets.map((sheet) => styleOf(sheet, inert)));
    copyChildren(root, template.content, inert);
    made.append(template);
  }
  if (el.localName !== "textarea") copyChildren(el, made, inert);
  return made;
}

/**
 * @param {Element | ShadowRoot} from
 * @param {Element | DocumentFragment} to
 * @param {Document} inert
 */
function copyChildren(from, to, inert) {
  for (const child of from.childNodes) {
    if (child.nodeType === Node.TEXT_NODE) to.append(inert.importNode(child, false));
    if (child.nodeType !== Node.ELEMENT_NODE) continue;
    const el = /** @type {any} */ (child);
    if (el.sheet) to.append(styleOf(el.sheet, inert));
    else if (!DROPPED.test(el.localName.toUpperCase())) to.append(copy(el, inert));
  }
}

/**
 * @param {CSSStyleSheet} sheet
 * @param {Document} inert
 */
function styleOf(sheet, inert) {
  const style = inert.createElement("style");
  if (sheet.media?.mediaText) style.media = sheet.media.mediaText;
  try {
    style.textContent = [...sheet.cssRules].map((rule) => rule.cssText).join("\n");
  } catch {
    style.textContent = "/* a style sheet of another site, which cannot be read */";
  }
  return style;
}

/**
 * What the page's scripts or its user have changed, as attributes.
 * @param {any} el
 * @param {any} made
 */
function copyState(el, made) {
  for (const { name } of el.attributes) if (name.startsWith("on")) made.removeAttribute(name);
  const tag = el.localName;
  if (tag === "input") copyInput(el, made);
  if (tag === "textarea") made.textContent = el.value;
  if (tag === "option") made.toggleAttribute("selected", el.selected);
  if (tag === "iframe") {
    made.removeAttribute("src");
    made.removeAttribute("srcdoc");
  }
  if (tag === "img") {
    const { width, height } = el.getBoundingClientRect();
    made.removeAttribute("srcset");
    if (!el.src.startsWith("data:")) made.src = PIXEL;
    if (width && height) Object.assign(made.style, { width: `${width}px`, height: `${height}px` });
  }
}

/**
 * @param {any} el
 * @param {any} made
 */
function copyInput(el, made) {
  made.removeAttribute("value");
  if (/^(checkbox|radio)$/.test(el.type)) made.toggleAttribute("checked", el.checked);
  const isKept =
    !/^(hidden|file|password)$/.test(el.type) && !window[Symbol.for("bwa.readers")].secret(el);
  if (isKept && el.value) made.setAttribute("value", el.value);
}
