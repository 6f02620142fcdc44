// AG Grid: rows and columns that stand where a style says, in another order than in the document.
import {
  ClientSideRowModelModule, ColumnApiModule, ModuleRegistry, PaginationModule, RowSelectionModule, TextFilterModule,
} from "ag-grid-community";
import { AgGridReact } from "ag-grid-react";
import { useRef } from "react";
import { createRoot } from "react-dom/client";

ModuleRegistry.registerModules([
  ClientSideRowModelModule, ColumnApiModule, PaginationModule, RowSelectionModule, TextFilterModule,
]);

const MAKERS = ["Tesla", "Ford", "Toyota", "Mercedes", "Fiat", "Nissan"];
const ROWS = Array.from({ length: 200 }, (_, n) => ({
  make: MAKERS[n % 6], model: `Model ${n + 1}`, price: 20000 + ((n * 7919) % 400) * 100, electric: n % 4 === 0,
}));
const COLUMNS = [
  { field: "make", filter: true },
  { field: "price", sort: "asc", valueFormatter: ({ value }) => `€ ${value.toLocaleString("en")}` },
  { field: "electric" },
  { field: "model", pinned: "left" },
];

function Cars() {
  const grid = useRef(null);
  return (
    <div style={{ width: 800 }}>
      <h1>Cars</h1>
      <button type="button" onClick={() => grid.current.api.applyColumnState({ state: [{ colId: "price", sort: "desc" }] })}>
        Most expensive first
      </button>
      <div style={{ height: 400 }}>
        <AgGridReact ref={grid} rowData={ROWS} columnDefs={COLUMNS} defaultColDef={{ flex: 1 }} animateRows={false}
          rowSelection={{ mode: "multiRow" }} pagination paginationPageSize={50} paginationPageSizeSelector={[50, 100]} />
      </div>
    </div>
  );
}

createRoot(document.getElementById("root")).render(<Cars />);
