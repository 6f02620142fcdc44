const MAX_STEP = 600; // pixels
const STEP_SHARE = 0.9; // of what the area shows, so that its last lines stay in view

/** @typedef {"up" | "down" | "left" | "right" | "top" | "bottom"} ScrollDirection */

/**
 * Scrolls the element, or the nearest area around it that can be scrolled so; without an element the
 * area under the pointer or else the largest one. Without a direction the element comes into view.
 * @param {Element | null} el
 * @param {ScrollDirection | null} direction
 * @returns {string | null} What was scrolled and where it stands, as JSON text; null for nothing
 */
function scrollArea(el, direction) {
  if (!direction) {
    call(el, "scrollIntoView", { block: "center", inline: "center", behavior: "instant" });
    const area = el ? (panelsOf(el)[0] ?? pageArea()) : pageArea();
    return toJsonText(areaState(area, true));
  }
  const areas = el ? areasAround(el) : [...areasUnderPointer(), ...areasBySize()];
  const fitting = areas.filter((area) => canScroll(area, direction));
  const area = fitting.find((one) => isLeftToScroll(one, direction)) ?? fitting[0];
  if (!area) return null;
  const before = [area.scrollLeft, area.scrollTop];
  area.scrollBy({ ...distance(area, direction), behavior: "instant" });
  const hasMoved = area.scrollLeft !== before[0] || area.scrollTop !== before[1];
  return toJsonText(areaState(area, hasMoved));
}

function pageArea() {
  return document.scrollingElement ?? member(document, "documentElement");
}

/** @param {Element} el */
function areasAround(el) {
  const around = [el];
  for (let up = flatParent(el); up; up = flatParent(up)) around.push(up);
  return around.filter(isArea);
}

/**
 * Whether a person can scroll it; a text area that is disabled too.
 * @param {Element} el
 */
function isArea(el) {
  if (el === pageArea()) return true;
  if (!overflows(el)) return false;
  if (/^(HTML|BODY)$/.test(tagOf(el))) return false; // the page is scrolled instead
  const style = styleOf(el);
  return isField(el) || /auto|scroll/.test(style.overflowX + style.overflowY);
}

function areasUnderPointer() {
  // On pages without a doctype ":hover" alone finds nothing but links.
  const under = findAll(document, ":is(*):hover").filter((el) => el !== pageArea() && isArea(el));
  return under.reverse();
}

function areasBySize() {
  const body = member(document, "body");
  const areas = body ? paintedInside(body).filter((el) => isArea(el) && isShown(el)) : [];
  const size = (/** @type {Element} */ el) => {
    const box = boxOf(el);
    const width = Math.min(box.right, innerWidth) - Math.max(box.left, 0);
    const height = Math.min(box.bottom, innerHeight) - Math.max(box.top, 0);
    return Math.max(0, width) * Math.max(0, height);
  };
  return [pageArea(), ...areas.filter((el) => size(el) > 0).sort((a, b) => size(b) - size(a))];
}

/** @param {ScrollDirection} direction */
function isAcross(direction) {
  return direction === "left" || direction === "right";
}

/**
 * @param {Element} area
 * @param {ScrollDirection} direction
 */
function canScroll(area, direction) {
  if (isAcross(direction)) return area.scrollWidth > area.clientWidth + 1;
  return area.scrollHeight > area.clientHeight + 1;
}

/**
 * Whether there is more in that direction. In a text from right to left positions are negative.
 * @param {Element} area
 * @param {ScrollDirection} direction
 */
function isLeftToScroll(area, direction) {
  const isLater = /down|right|bottom/.test(direction);
  const across = isAcross(direction);
  const at = across ? area.scrollLeft : area.scrollTop;
  const most = across ? area.scrollWidth - area.clientWidth : area.scrollHeight - area.clientHeight;
  const isReversed = across && styleOf(area).direction === "rtl";
  const [from, to] = isReversed ? [-most, 0] : [0, most];
  return isLater ? at < to - 1 : at > from + 1;
}

/**
 * @param {Element} area
 * @param {ScrollDirection} direction
 */
function distance(area, direction) {
  const down = Math.min(MAX_STEP, area.clientHeight * STEP_SHARE);
  const across = Math.min(MAX_STEP, area.clientWidth * STEP_SHARE);
  return {
    up: { top: -down },
    down: { top: down },
    left: { left: -across },
    right: { left: across },
    top: { top: -area.scrollHeight },
    bottom: { top: area.scrollHeight },
  }[direction];
}

/**
 * @param {Element} area
 * @param {boolean} hasMoved
 */
function areaState(area, hasMoved) {
  const isPage = area === pageArea();
  const name = isPage ? "" : scrollerName(area);
  return { number: isPage ? -1 : numberOf(area), name, hasMoved, at: scrollPlace(area) };
}
