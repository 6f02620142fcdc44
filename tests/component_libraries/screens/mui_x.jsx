// MUI X: a data grid with check boxes, sorted by a column, and a date picker with its calendar.
import { Box, Stack } from "@mui/material";
import { DataGrid } from "@mui/x-data-grid";
import { AdapterDayjs } from "@mui/x-date-pickers/AdapterDayjs";
import { DateCalendar } from "@mui/x-date-pickers/DateCalendar";
import { DesktopDatePicker } from "@mui/x-date-pickers/DesktopDatePicker";
import { LocalizationProvider } from "@mui/x-date-pickers/LocalizationProvider";
import { TimePicker } from "@mui/x-date-pickers/TimePicker";
import dayjs from "dayjs";
import { createRoot } from "react-dom/client";

const COLUMNS = [
  { field: "id", headerName: "ID", width: 70 },
  { field: "firstName", headerName: "First name", width: 120, editable: true },
  { field: "lastName", headerName: "Last name", width: 120 },
  { field: "age", headerName: "Age", type: "number", width: 80 },
  { field: "paid", headerName: "Paid", type: "boolean", width: 80 },
];
const ROWS = [
  { id: 1, firstName: "Jon", lastName: "Snow", age: 35, paid: true },
  { id: 2, firstName: "Cersei", lastName: "Lannister", age: 42, paid: false },
  { id: 3, firstName: "Jaime", lastName: "Lannister", age: 45, paid: true },
  { id: 4, firstName: "Arya", lastName: "Stark", age: 16, paid: false },
  { id: 5, firstName: "Daenerys", lastName: "Targaryen", age: null, paid: true },
  { id: 6, firstName: "Ferrara", lastName: "Clifford", age: 44, paid: true },
  { id: 7, firstName: "Rossini", lastName: "Frances", age: 36, paid: true },
];
const FIRST_STATE = {
  pagination: { paginationModel: { pageSize: 5 } },
  sorting: { sortModel: [{ field: "age", sort: "desc" }] },
};

function People() {
  return (
    <LocalizationProvider dateAdapter={AdapterDayjs}>
      <h1>People</h1>
      <Box sx={{ height: 400, width: 620 }}>
        <DataGrid rows={ROWS} columns={COLUMNS} initialState={FIRST_STATE} pageSizeOptions={[5, 10]}
          checkboxSelection rowSelectionModel={undefined} disableRowSelectionOnClick />
      </Box>
      <Stack direction="row" spacing={2} sx={{ mt: 2 }}>
        <DesktopDatePicker label="Start date" defaultValue={dayjs("2026-04-17")} />
        <TimePicker label="Start time" defaultValue={dayjs("2026-04-17T15:30")} />
      </Stack>
      <DateCalendar defaultValue={dayjs("2025-02-11")} views={["year", "month", "day"]} />
    </LocalizationProvider>
  );
}

createRoot(document.getElementById("root")).render(<People />);
