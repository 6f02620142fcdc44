// Uses: labelled/collect.js

const definitions = (list) => {
  let terms = [],
    given = [];
  const told = () => {
    const values = given.filter((el) => !onlyLinks(el)); // beside a value, links are what can be done with it
    for (const el of values.length ? values : given) {
      const items = [...el.querySelectorAll("li")].filter(shown);
      for (const t of terms)
        for (const part of items.length ? items : [el])
          push("definition", t, shownValue(part), part);
    }
    terms = [];
    given = [];
  };
  for (const el of list.querySelectorAll("dt, dd")) {
    if (el.closest("dl") !== list || !shown(el)) continue;
    if (tagOf(el) === "DD") {
      given.push(el);
      continue;
    }
    if (given.length) told();
    terms.push(text(el));
  }
  told();
};
const onlyLinks = (el) =>
  clip(text(el).replace(/[|·•]/g, " ")) ===
  clip([...el.querySelectorAll("a[href], button")].filter(shown).map(text).join(" "));
