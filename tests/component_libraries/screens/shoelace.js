// Shoelace: custom elements with shadow roots, and a dialog, a drawer and a select of its own.
import "@shoelace-style/shoelace/dist/themes/light.css";
import "@shoelace-style/shoelace/dist/components/alert/alert.js";
import "@shoelace-style/shoelace/dist/components/badge/badge.js";
import "@shoelace-style/shoelace/dist/components/button/button.js";
import "@shoelace-style/shoelace/dist/components/card/card.js";
import "@shoelace-style/shoelace/dist/components/checkbox/checkbox.js";
import "@shoelace-style/shoelace/dist/components/details/details.js";
import "@shoelace-style/shoelace/dist/components/dialog/dialog.js";
import "@shoelace-style/shoelace/dist/components/format-number/format-number.js";
import "@shoelace-style/shoelace/dist/components/icon-button/icon-button.js";
import "@shoelace-style/shoelace/dist/components/input/input.js";
import "@shoelace-style/shoelace/dist/components/option/option.js";
import "@shoelace-style/shoelace/dist/components/progress-bar/progress-bar.js";
import "@shoelace-style/shoelace/dist/components/radio-group/radio-group.js";
import "@shoelace-style/shoelace/dist/components/radio-button/radio-button.js";
import "@shoelace-style/shoelace/dist/components/range/range.js";
import "@shoelace-style/shoelace/dist/components/rating/rating.js";
import "@shoelace-style/shoelace/dist/components/select/select.js";
import "@shoelace-style/shoelace/dist/components/switch/switch.js";
import "@shoelace-style/shoelace/dist/components/tab-group/tab-group.js";
import "@shoelace-style/shoelace/dist/components/tab-panel/tab-panel.js";
import "@shoelace-style/shoelace/dist/components/tab/tab.js";
import "@shoelace-style/shoelace/dist/components/tag/tag.js";
import "@shoelace-style/shoelace/dist/components/textarea/textarea.js";
import "@shoelace-style/shoelace/dist/components/tree-item/tree-item.js";
import "@shoelace-style/shoelace/dist/components/tree/tree.js";

document.getElementById("root").innerHTML = `
<h1>Device</h1>
<sl-card style="width: 500px">
  <div slot="header">Lamp <sl-icon-button name="gear" label="Settings"></sl-icon-button></div>
  Power <sl-format-number value="1234.5"></sl-format-number> W <sl-badge variant="danger">offline</sl-badge>
  <div slot="footer"><sl-button id="open">Reset device</sl-button> <sl-rating label="Rating" value="4"></sl-rating></div>
</sl-card>
<sl-tab-group><sl-tab slot="nav" panel="use">Use</sl-tab><sl-tab slot="nav" panel="log" active>Log</sl-tab>
  <sl-tab-panel name="use">12 kWh</sl-tab-panel><sl-tab-panel name="log">Restarted at 04:10</sl-tab-panel></sl-tab-group>
<sl-input label="Name" value="Kitchen" help-text="Shown in the app" clearable></sl-input>
<sl-textarea label="Comment"></sl-textarea>
<sl-select label="Room" value="hall" id="room">
  <sl-option value="hall">Hall</sl-option><sl-option value="kitchen">Kitchen</sl-option>
  <sl-option value="attic">Attic</sl-option>
</sl-select>
<sl-select label="Groups" value="night day" multiple clearable>
  <sl-option value="night">Night</sl-option><sl-option value="day">Day</sl-option>
  <sl-option value="party">Party</sl-option>
</sl-select>
<sl-checkbox indeterminate>All lamps</sl-checkbox> <sl-checkbox checked>Dimmable</sl-checkbox>
<sl-switch checked>Motion</sl-switch> <sl-switch disabled>Alarm</sl-switch>
<sl-range label="Brightness" min="0" max="100" value="65"></sl-range>
<sl-radio-group label="Colour" value="warm"><sl-radio-button value="cold">Cold</sl-radio-button>
  <sl-radio-button value="warm">Warm</sl-radio-button></sl-radio-group>
<sl-details summary="Firmware">Version 2.4.1</sl-details>
<sl-progress-bar value="40" label="Update"></sl-progress-bar>
<sl-tag removable>ceiling</sl-tag>
<sl-tree selection="multiple"><sl-tree-item expanded>Floor<sl-tree-item selected>Lamp one</sl-tree-item>
  <sl-tree-item>Lamp two</sl-tree-item></sl-tree-item></sl-tree>
<sl-dialog label="Reset the device?" id="dialog">All 12 schedules are lost.
  <sl-button slot="footer" id="keep">Keep</sl-button>
  <sl-button slot="footer" variant="danger" id="reset">Reset</sl-button></sl-dialog>
<sl-alert variant="success" id="done" closable>The device was reset</sl-alert>`;

const part = (id) => document.getElementById(id);
part("open").addEventListener("click", () => part("dialog").show());
part("keep").addEventListener("click", () => part("dialog").hide());
part("reset").addEventListener("click", () => {
  part("dialog").hide();
  part("done").open = true;
});
