// Uses: labelled/report.js

// Terms and what describes them. Several descriptions of one term are a list; beside a text,
// descriptions made of links and buttons are what can be done with it.
function definitions(list, scope) {
  let terms = [];
  let descriptions = [];
  const finish = () => {
    const texts = descriptions.filter((el) => flatText(el, `a[href], ${BUTTONS}`));
    const values = texts.length ? texts : descriptions;
    for (const term of values.length ? terms : [])
      addDefinition(flatText(term, BUTTONS), values, scope);
    [terms, descriptions] = [[], []];
  };
  for (const el of findAll(list, "dt, dd")) {
    if (call(el, "closest", "dl") !== list || !isShown(el)) continue;
    if (tagOf(el) === "DD") {
      descriptions.push(el);
      continue;
    }
    if (descriptions.length) finish();
    terms.push(el);
  }
  finish();
}

function addDefinition(term, values, scope) {
  const plain = values.filter((el) => !holdsStructure(el));
  if (plain.length !== values.length) return;
  const more = values.length > 1 ? { items: values.map((el) => flatText(el, BUTTONS)) } : {};
  const field = values.length === 1 ? onlyField(values[0]) : null;
  if (field) addField(field, scope, term);
  else add("definition", term, values, scope, more);
}
