// MUI: fields, switches, a slider, tabs, chips, an accordion, and a dialog that fades in.
import {
  Accordion, AccordionDetails, AccordionSummary, Alert, Autocomplete, Button, Checkbox, Chip, Dialog,
  DialogActions, DialogContent, DialogContentText, DialogTitle, FormControl, FormControlLabel, FormGroup,
  InputLabel, LinearProgress, MenuItem, Pagination, Radio, RadioGroup, Rating, Select, Slider, Snackbar,
  Stack, Step, StepLabel, Stepper, Switch, Tab, Tabs, TextField, ToggleButton, ToggleButtonGroup, Tooltip,
  Typography, FormLabel, IconButton, Avatar, Badge,
} from "@mui/material";
import { useState } from "react";
import { createRoot } from "react-dom/client";

const CITIES = ["Bergen", "Oslo", "Stavanger", "Tromsø", "Trondheim"];

function Order() {
  const [open, setOpen] = useState(false);
  const [saved, setSaved] = useState(false);
  const [tab, setTab] = useState(1);
  const [age, setAge] = useState(20);
  const [align, setAlign] = useState("left");
  return (
    <Stack spacing={2} sx={{ p: 2, width: 760 }}>
      <Typography variant="h4" component="h1">Order 4711</Typography>
      <Tabs value={tab} onChange={(_, value) => setTab(value)}>
        <Tab label="Customer" /><Tab label="Delivery" /><Tab label="Invoice" disabled />
      </Tabs>
      <Autocomplete options={CITIES} defaultValue="Oslo" renderInput={(params) => <TextField {...params} label="City" />} />
      <Autocomplete multiple options={CITIES} defaultValue={["Bergen"]}
        renderInput={(params) => <TextField {...params} label="Stops" placeholder="Add a stop" />} />
      <FormControl>
        <InputLabel id="age">Rush</InputLabel>
        <Select labelId="age" label="Rush" value={age} onChange={(event) => setAge(event.target.value)}>
          <MenuItem value={10}>Same day</MenuItem><MenuItem value={20}>Two days</MenuItem>
          <MenuItem value={30}>A week</MenuItem>
        </Select>
      </FormControl>
      <TextField label="Weight" defaultValue="abc" error helperText="Give a number of kilograms" required />
      <FormGroup>
        <FormControlLabel control={<Switch defaultChecked />} label="Insured" />
        <FormControlLabel control={<Switch />} label="Fragile" />
        <FormControlLabel control={<Checkbox indeterminate />} label="All items" />
        <FormControlLabel control={<Checkbox disabled />} label="Cash on delivery" />
      </FormGroup>
      <FormControl>
        <FormLabel id="pay">Payment</FormLabel>
        <RadioGroup aria-labelledby="pay" defaultValue="card" row>
          <FormControlLabel value="card" control={<Radio />} label="Card" />
          <FormControlLabel value="bill" control={<Radio />} label="Bill" />
        </RadioGroup>
      </FormControl>
      <Typography id="temperature">Temperature</Typography>
      <Slider aria-labelledby="temperature" defaultValue={30} getAriaValueText={(value) => `${value}°C`} />
      <ToggleButtonGroup exclusive value={align} onChange={(_, value) => setAlign(value)} aria-label="Print side">
        <ToggleButton value="left">Left</ToggleButton><ToggleButton value="right">Right</ToggleButton>
      </ToggleButtonGroup>
      <Stepper activeStep={1}>
        {["Packed", "Shipped", "Delivered"].map((label) => <Step key={label}><StepLabel>{label}</StepLabel></Step>)}
      </Stepper>
      <Stack direction="row-reverse" spacing={1}>
        <Chip label="Third" /><Chip label="Second" onDelete={() => {}} /><Chip label="First" color="success" />
      </Stack>
      <Rating name="service" defaultValue={3} />
      <LinearProgress variant="determinate" value={64} aria-label="Packing" />
      <Stack direction="row" spacing={3}>
        <Badge badgeContent={7} color="primary"><Avatar alt="Ida Berg">IB</Avatar></Badge>
        <Tooltip title="Leave at the door"><span>Note</span></Tooltip>
        <Tooltip title="Print the label"><IconButton><svg width="20" height="20"><path d="M0 0h20v20H0z" /></svg></IconButton></Tooltip>
      </Stack>
      <Accordion><AccordionSummary>History</AccordionSummary><AccordionDetails>Created by Jon on 3 May</AccordionDetails></Accordion>
      <Pagination count={5} page={2} />
      <Button variant="outlined" onClick={() => setOpen(true)}>Cancel order</Button>
      <Dialog open={open} onClose={() => setOpen(false)} transitionDuration={400}>
        <DialogTitle>Cancel this order?</DialogTitle>
        <DialogContent><DialogContentText>The fee is 12.50 €.</DialogContentText></DialogContent>
        <DialogActions>
          <Button onClick={() => setOpen(false)}>Keep</Button>
          <Button onClick={() => { setOpen(false); setSaved(true); }}>Cancel it</Button>
        </DialogActions>
      </Dialog>
      <Snackbar open={saved} anchorOrigin={{ vertical: "bottom", horizontal: "left" }}>
        <Alert severity="success">Order 4711 was cancelled</Alert>
      </Snackbar>
    </Stack>
  );
}

createRoot(document.getElementById("root")).render(<Order />);
