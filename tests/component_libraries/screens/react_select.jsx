// react-select: its inputs show nothing themselves; the chosen values stand beside them.
import { useState } from "react";
import { createRoot } from "react-dom/client";
import Select from "react-select";
import Creatable from "react-select/creatable";

const FLAVOURS = ["Chocolate", "Strawberry", "Vanilla", "Salted caramel"].map((label) => ({ value: label.toLowerCase(), label }));
const GROUPS = [{ label: "Cold", options: FLAVOURS.slice(0, 2) }, { label: "Warm", options: FLAVOURS.slice(2) }];

function Menu() {
  const [flavour, setFlavour] = useState(FLAVOURS[2]);
  return (
    <div style={{ width: 500 }}>
      <h1>Ice cream</h1>
      <label htmlFor="flavour">Flavour</label>
      <Select inputId="flavour" options={FLAVOURS} value={flavour} onChange={setFlavour} isClearable />
      <label htmlFor="toppings">Toppings</label>
      <Select inputId="toppings" isMulti options={GROUPS} defaultValue={[FLAVOURS[1], FLAVOURS[3]]} />
      <label htmlFor="cup">Cup</label>
      <Select inputId="cup" options={[{ value: "s", label: "Small" }, { value: "l", label: "Large" }]} isSearchable={false} placeholder="Choose a cup" />
      <label htmlFor="shop">Shop</label>
      <Select inputId="shop" options={[]} isDisabled defaultValue={{ value: "x", label: "Old town" }} />
      <Creatable aria-label="Notes" isMulti options={[]} />
      <p>Chosen: {flavour ? flavour.label : "nothing"}</p>
    </div>
  );
}

createRoot(document.getElementById("root")).render(<Menu />);
