const rows = [...document.querySelectorAll("tbody.samples tr")];
const fields = [...document.querySelectorAll(".filter [data-key]")];
const shown = document.getElementById("shown");
function apply() {
  let number = 0;
  for (const row of rows) {
    const fits = fields.every((field) => {
      if (!field.value) return true;
      if (field.dataset.key === "text") {
        return row.textContent.toLowerCase().includes(field.value.toLowerCase());
      }
      return row.dataset[field.dataset.key].split(" ").includes(field.value);
    });
    row.hidden = !fits;
    if (fits) number += 1;
  }
  shown.textContent = `${number} of ${rows.length} samples`;
}
for (const field of fields) field.addEventListener("input", apply);
