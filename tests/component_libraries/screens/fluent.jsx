// Fluent UI: a form, a data grid whose rows are chosen, a menu, a message bar and a dialog.
import {
  Button, Checkbox, Combobox, DataGrid, DataGridBody, DataGridCell, DataGridHeader, DataGridHeaderCell,
  DataGridRow, Dialog, DialogActions, DialogBody, DialogContent, DialogSurface, DialogTitle, DialogTrigger,
  Dropdown, Field, FluentProvider, Input, Menu, MenuItem, MenuItemCheckbox, MenuList, MenuPopover, MenuTrigger,
  MessageBar, MessageBarBody, MessageBarTitle, Option, Persona, ProgressBar, Radio, RadioGroup, Slider, SpinButton,
  Switch, Tab, TabList, Tag, TagGroup, ToggleButton, createTableColumn, webLightTheme,
} from "@fluentui/react-components";
import { useState } from "react";
import { createRoot } from "react-dom/client";

const FILES = [
  { file: "Meeting notes", author: "Max Mustermann", size: 12 },
  { file: "Thursday presentation", author: "Erika Mustermann", size: 240 },
  { file: "Training recording", author: "John Doe", size: 8100 },
];
const COLUMNS = ["file", "author", "size"].map((columnId) => createTableColumn({
  columnId,
  compare: (a, b) => `${a[columnId]}`.localeCompare(`${b[columnId]}`),
  renderHeaderCell: () => columnId[0].toUpperCase() + columnId.slice(1),
  renderCell: (item) => (columnId === "size" ? `${item.size} KB` : item[columnId]),
}));

function Files() {
  const [state, setState] = useState("open");
  return (
    <FluentProvider theme={webLightTheme} style={{ width: 780, padding: 16 }}>
      <h1>Files</h1>
      <MessageBar intent="warning"><MessageBarBody><MessageBarTitle>Storage</MessageBarTitle>91 % is used</MessageBarBody></MessageBar>
      <TabList defaultSelectedValue="shared"><Tab value="own">Own</Tab><Tab value="shared">Shared</Tab></TabList>
      <Field label="Folder name" validationState="error" validationMessage="This name is taken"><Input defaultValue="Plans" /></Field>
      <Field label="Owner"><Dropdown defaultValue="Erika" defaultSelectedOptions={["Erika"]}>{["Max", "Erika", "John"].map((o) => <Option key={o} value={o}>{o}</Option>)}</Dropdown></Field>
      <Field label="Reader"><Combobox placeholder="Choose a reader">{["Anna", "Ben", "Cleo"].map((o) => <Option key={o}>{o}</Option>)}</Combobox></Field>
      <Field label="Copies"><SpinButton defaultValue={4} min={0} max={9} /></Field>
      <Field label="Quality"><Slider defaultValue={70} /></Field>
      <Field label="Layout"><RadioGroup defaultValue="grid" layout="horizontal"><Radio value="list" label="List" /><Radio value="grid" label="Grid" /></RadioGroup></Field>
      <Switch label="Synchronised" defaultChecked /> <Switch label="Offline" disabled />
      <Checkbox label="All folders" checked="mixed" onChange={() => {}} />
      <ToggleButton defaultChecked>Pinned</ToggleButton>
      <TagGroup onDismiss={() => {}}><Tag dismissible value="draft">draft</Tag></TagGroup>
      <Persona name="Kevin Sturgis" secondaryText="Available" presence={{ status: "available" }} />
      <Field label="Upload" validationMessage="3 of 5 files"><ProgressBar value={0.6} /></Field>
      <Menu defaultCheckedValues={{ view: ["size"] }}>
        <MenuTrigger disableButtonEnhancement><Button>View</Button></MenuTrigger>
        <MenuPopover><MenuList><MenuItemCheckbox name="view" value="size">Show size</MenuItemCheckbox><MenuItem secondaryContent="Ctrl+R">Refresh</MenuItem></MenuList></MenuPopover>
      </Menu>
      <DataGrid items={FILES} columns={COLUMNS} sortable selectionMode="multiselect" getRowId={(item) => item.file}
        defaultSelectedItems={["Training recording"]} defaultSortState={{ sortColumn: "file", sortDirection: "descending" }}>
        <DataGridHeader><DataGridRow selectionCell={{ checkboxIndicator: { "aria-label": "Select all rows" } }}>
          {({ renderHeaderCell }) => <DataGridHeaderCell>{renderHeaderCell()}</DataGridHeaderCell>}
        </DataGridRow></DataGridHeader>
        <DataGridBody>{({ item, rowId }) => <DataGridRow key={rowId} selectionCell={{ checkboxIndicator: { "aria-label": "Select row" } }}>
          {({ renderCell }) => <DataGridCell>{renderCell(item)}</DataGridCell>}</DataGridRow>}</DataGridBody>
      </DataGrid>
      <Dialog>
        <DialogTrigger disableButtonEnhancement><Button>Empty the bin</Button></DialogTrigger>
        <DialogSurface><DialogBody><DialogTitle>Empty the bin?</DialogTitle><DialogContent>18 files are deleted.</DialogContent>
          <DialogActions><DialogTrigger disableButtonEnhancement><Button>Back</Button></DialogTrigger>
            <DialogTrigger disableButtonEnhancement><Button onClick={() => setState("empty")}>Delete</Button></DialogTrigger></DialogActions>
        </DialogBody></DialogSurface>
      </Dialog>
      <p>Bin: {state}</p>
    </FluentProvider>
  );
}

createRoot(document.getElementById("root")).render(<Files />);
