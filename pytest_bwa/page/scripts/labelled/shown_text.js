// Uses: prelude/elements.js
// Uses: prelude/secrets.js
// Uses: prelude/text.js
// Uses: prelude/visibility.js

const clip = (text, max = 1000) => fold(text, max);
const shown = (el) => isShown(el);
// Icons' ligatures and doubled texts stand in aria-hidden; only then is the slow way taken.
const MUTE = '[aria-hidden="true"]';
const BUTTON = "button, [role=button], [role=radio], [role=option]";
const heard = (node, without = MUTE) => {
  if (node.nodeType === 3) return node.data;
  if (
    node.nodeType !== 1 ||
    node.matches(without) ||
    /^(SCRIPT|STYLE|TEMPLATE)$/.test(tagOf(node)) ||
    !shown(node)
  )
    return "";
  const inside = [...node.childNodes].map((child) => heard(child, without)).join("");
  return /^(inline|contents)$/.test(getComputedStyle(node).display) && tagOf(node) !== "BR"
    ? inside
    : ` ${inside} `;
};
const text = (el) => clip(el.querySelector(MUTE) ? heard(el) : (el.innerText ?? el.textContent));
// Words for screen readers alone, "30% complete" beside 30%, are in no picture: they are a value
// only where nothing else is.
const ASIDE =
  '.sr-only, .screen-reader-text, [class*="-sr-only"], [class*="visually-hidden"], [class*="visuallyhidden"]';
const tiny = (el) => {
  const b = el.getBoundingClientRect();
  return b.width <= 1 && b.height <= 1;
};
const seen = (el) =>
  ([...el.querySelectorAll(ASIDE)].some(tiny) && clip(heard(el, `${MUTE}, ${ASIDE}`))) || text(el);
const fieldValue = (el) => {
  if (tagOf(el) === "SELECT")
    return [...el.selectedOptions]
      .filter((o) => o.value)
      .map((o) => o.label)
      .join(", ");
  if (el.type === "checkbox") return el.checked ? "true" : "false";
  return isUnread(el) || el.type === "radio" ? "" : el.value;
};
const UNREAD = /^(password|hidden|button|submit|reset|image|file)$/;
const isUnread = (el) => UNREAD.test(el.type) || isSecret(el);
// "JD John Doe": a picture of him made of his initials stands beside the name.
const withoutInitials = (el, said) => {
  const [first, ...rest] = said.split(" ");
  const drawn =
    /^\p{Lu}{2,3}$/u.test(first) &&
    [...first].every((c, n) => rest[n]?.[0]?.toUpperCase() === c) &&
    [...el.querySelectorAll("*")].some((part) => part.textContent.trim() === first);
  return drawn ? rest.join(" ") : said;
};
// What a cell or panel shows: its text (beside its buttons, if there is any), else its one field,
// else what its one picture is called. Of several choices only the one that says it is chosen.
const shownValue = (el) => {
  if (isField(el)) return clip(fieldValue(el));
  const buttons = [...el.querySelectorAll(BUTTON)].filter(shown);
  const all = seen(el);
  const said = (buttons.length && clip(heard(el, `${MUTE}, ${BUTTON}`))) || all;
  if (buttons.length > 1 && said === all) {
    const chosen = buttons.filter((b) =>
      ["pressed", "checked", "selected", "current"].some(
        (state) => b.getAttribute(`aria-${state}`) === "true",
      ),
    );
    return chosen.length === 1 ? text(chosen[0]) : "";
  }
  if (said) return withoutInitials(el, said);
  const only = (css) => {
    const all = [...el.querySelectorAll(css)].filter(shown);
    return all.length === 1 ? all[0] : null;
  };
  const field = only("input, select, textarea");
  if (field) return clip(fieldValue(field));
  const picture = only("img[alt], svg[aria-label], [role=img][aria-label], svg:has(> title)");
  return picture && !picture.closest(MUTE)
    ? clip(
        picture.getAttribute("alt") ||
          picture.getAttribute("aria-label") ||
          picture.querySelector("title")?.textContent,
      )
    : "";
};
// That there is nothing is an answer too; but not where a style, a picture or a field may say it.
const isBlank = (el) =>
  !el.textContent.trim() &&
  !el.querySelector("input, select, textarea, img, svg, canvas, i, [role=img]") &&
  [el, ...el.querySelectorAll("*")].every(
    (part) =>
      [null, "::before", "::after"].every((pseudo) => {
        const style = getComputedStyle(part, pseudo);
        return (
          style.backgroundImage === "none" &&
          (pseudo === null || /^(none|normal)$/.test(style.content))
        );
      }) && !/icon|glyph/i.test(part.className),
  );
