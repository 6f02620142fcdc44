// Filters and sorts the table of the samples, and keeps what was chosen in the address.
const body = document.querySelector("tbody.samples");
const rows = [...body.rows];
const heads = [...document.querySelectorAll("th[data-sort]")];
const fields = [...document.querySelectorAll(".filter [data-key]")];
const columns = [...document.querySelectorAll("[data-column]")];
const shown = document.getElementById("shown");
const { compare } = new Intl.Collator(undefined, { numeric: true });
const FIRST_FIELD = 2;

/** @param {HTMLTableRowElement} row */
function fits(row) {
  return fields.every(({ value, dataset: { key } }) => {
    if (!value) return true;
    if (key === "text") return row.textContent.toLowerCase().includes(value.toLowerCase());
    return row.dataset[key].split(" ").includes(value);
  });
}

function filter() {
  const chosen = rows.filter(fits);
  for (const row of rows) row.hidden = true;
  for (const row of chosen) row.hidden = false;
  shown.textContent = `${chosen.length} of ${rows.length} samples`;
}

/** Sorts by the column of a head; in the order of the list if none is sorted by. */
function sort(head, isDown) {
  for (const other of heads) other.ariaSort = "none";
  let sorted = rows;
  if (head) {
    head.ariaSort = isDown ? "descending" : "ascending";
    const texts = new Map(rows.map((row) => [row, row.cells[heads.indexOf(head)].textContent]));
    const order = (a, b) => (isNaN(a - b) ? compare(a, b) : a - b) * (isDown ? -1 : 1);
    sorted = rows.toSorted((a, b) => order(texts.get(a), texts.get(b)));
  }
  body.append(...sorted);
}

function showColumns() {
  for (const { dataset, checked } of columns) {
    const place = FIRST_FIELD + Number(dataset.column);
    heads[place].hidden = !checked;
    for (const row of rows) row.cells[place].hidden = !checked;
  }
}

function keep() {
  const state = new URLSearchParams();
  for (const { value, dataset } of fields) if (value) state.set(dataset.key, value);
  const head = heads.find((one) => one.ariaSort !== "none");
  if (head) state.set(head.ariaSort, head.dataset.sort);
  const chosen = columns.filter((one) => one.checked !== one.defaultChecked);
  if (chosen.length) state.set("columns", chosen.map((one) => one.dataset.column).join());
  history.replaceState(null, "", `#${state}`);
}

function restore() {
  const state = new URLSearchParams(location.hash.slice(1));
  for (const field of fields) field.value = state.get(field.dataset.key) ?? "";
  const changed = (state.get("columns") ?? "").split(",");
  for (const one of columns) {
    one.checked = one.defaultChecked !== changed.includes(one.dataset.column);
  }
  const isDown = state.has("descending");
  const key = state.get(isDown ? "descending" : "ascending");
  sort(heads.find((head) => head.dataset.sort === key), isDown);
  showColumns();
  filter();
}

for (const field of fields) {
  field.addEventListener("input", () => {
    filter();
    keep();
  });
}
for (const one of columns) {
  one.addEventListener("input", () => {
    showColumns();
    keep();
  });
}
for (const head of heads) {
  head.addEventListener("click", () => {
    sort(head, head.ariaSort === "ascending");
    keep();
  });
}
addEventListener("hashchange", () => {
  restore();
  document.querySelector(".filter").scrollIntoView();
});
restore();
