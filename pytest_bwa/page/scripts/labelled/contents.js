// Uses: prelude/flat_tree.js

// What the nodes of a value show, and what speaks against taking it as it is.

const WHOLE_LENGTH = 4000; // characters
const BUTTONS = "button, [role=button], summary, [role=menuitem]";

function contentsOf(nodes) {
  const elements = nodes.filter((node) => node.nodeType === Node.ELEMENT_NODE);
  const whole = flatText(nodes, BUTTONS);
  const value = cutText(whole, WHOLE_LENGTH);
  const links = all(elements, "a[href]").filter((el) => isShown(el));
  const times = all(elements, "time[datetime]").filter((el) => isShown(el));
  return {
    value,
    cut: value.length < whole.length || /(…|\.\.\.)$/.test(value),
    items: itemsOf(elements),
    url: links.length === 1 ? linkAddress(links[0]) : null,
    datetime: times.length === 1 ? attributeOf(times[0], "datetime") : null,
    doubt: doubtAbout(value, elements, links),
  };
}

function linkAddress(link) {
  const address = member(link, "href");
  return address?.baseVal ?? address ?? null;
}

// The elements themselves and those inside them that match.
function all(elements, css) {
  return elements.flatMap((el) => [...(call(el, "matches", css) ? [el] : []), ...findAll(el, css)]);
}

// The entries of a value that is a list.
function itemsOf(elements) {
  const items = all(elements, "li, [role=listitem]").filter((el) => isShown(el));
  return items.map((el) => flatText(el, BUTTONS)).filter(Boolean);
}

// Why a value may not be what a person sees; empty if nothing speaks against it.
function doubtAbout(value, elements, links) {
  if (!value) return isBlank(elements) ? "" : "nothing names what is shown";
  for (const link of links) {
    const entry = call(link, "closest", "li, dd, [role=listitem]");
    const isInside = elements.some((el) => el === entry || call(el, "contains", entry));
    const text = entry && isInside ? flatText(entry, BUTTONS) : value;
    if (isAppended(text, fold(flatText(link)))) return "a link follows the text";
  }
  if (all(elements, "*").some(isGenerated)) return "a style sheet adds to the text";
  return "";
}

// Whether a value is a text and, behind a space, a link such as "Edit".
function isAppended(value, link) {
  return (
    link !== "" &&
    value !== link &&
    value.endsWith(link) &&
    /\s$/.test(value.slice(0, -link.length))
  );
}

// Whether the style sheet adds letters, digits or signs in front of an element or behind it.
function isGenerated(el) {
  return ["::before", "::after"].some((pseudo) => {
    const content = getComputedStyle(el, pseudo).content;
    return !/^(none|normal)$/.test(content) && /[\p{L}\p{N}\p{Sc}%−+-]/u.test(content);
  });
}

// Whether nothing at all is painted.
function isBlank(elements) {
  const painting =
    "img, svg, canvas, video, object, embed, input, select, textarea, meter, progress";
  if (all(elements, painting).length) return false;
  return all(elements, "*").every((el) =>
    [null, "::before", "::after"].every((pseudo) => {
      const style = getComputedStyle(el, pseudo);
      if (pseudo && /^(none|normal)$/.test(style.content)) return true;
      const hasColour = pseudo !== null || !call(el, "matches", "td, th, dd, tr");
      const isPlain = style.backgroundImage === "none" && style.maskImage === "none";
      return isPlain && !(hasColour && style.backgroundColor !== "rgba(0, 0, 0, 0)") && !pseudo;
    }),
  );
}
