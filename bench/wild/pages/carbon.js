import "@carbon/web-components/es/components/button/index.js";
import "@carbon/web-components/es/components/checkbox/index.js";
import "@carbon/web-components/es/components/dropdown/index.js";
import "@carbon/web-components/es/components/modal/index.js";
import "@carbon/web-components/es/components/notification/index.js";
import "@carbon/web-components/es/components/search/index.js";
import "@carbon/web-components/es/components/tabs/index.js";
import "@carbon/web-components/es/components/text-input/index.js";
import "@carbon/web-components/es/components/textarea/index.js";
import "@carbon/web-components/es/components/toggle/index.js";
import { $, TABLE, drawRows } from "../elements.js";
import * as team from "../team.js";

document.body.innerHTML = `
  <h1>Team</h1>
  <cds-tabs value="Members" id="tabs"><cds-tab value="Members" target="members">Members</cds-tab><cds-tab value="Settings" target="settings">Settings</cds-tab></cds-tabs>
  <section id="members">
    <cds-text-input label="Name" id="name"></cds-text-input>
    <cds-dropdown title-text="Role" id="role">${team.ROLES.map((one) => `<cds-dropdown-item value="${one}">${one}</cds-dropdown-item>`).join("")}</cds-dropdown>
    <cds-checkbox id="active">Active</cds-checkbox>
    <cds-button id="add">Add</cds-button>
    <cds-search label-text="Search" id="search"></cds-search>
    ${TABLE}
  </section>
  <section id="settings">
    <cds-textarea label="Notes" id="notes"></cds-textarea>
    <cds-toggle label-text="Dark mode" label-a="" label-b="" id="dark"></cds-toggle>
    <cds-button id="save">Save</cds-button>
  </section>
  <div id="notices"></div>
  <cds-modal id="asking"><cds-modal-body><p id="question"></p></cds-modal-body><cds-modal-footer><cds-modal-footer-button kind="secondary" id="no">Cancel</cds-modal-footer-button><cds-modal-footer-button id="yes">Yes, remove</cds-modal-footer-button></cds-modal-footer></cds-modal>
  <cds-modal id="saved"><cds-modal-body><p>Your settings were saved</p></cds-modal-body><cds-modal-footer><cds-modal-footer-button id="close">Understood</cds-modal-footer-button></cds-modal-footer></cds-modal>`;

const { state } = team;
$("name").addEventListener("input", (event) => team.edit("name", event.composedPath()[0].value));
$("role").addEventListener("cds-dropdown-selected", (event) => team.edit("role", event.detail.item.value));
$("active").addEventListener("cds-checkbox-changed", (event) => team.edit("active", event.detail.checked));
$("add").addEventListener("click", team.add);
$("search").addEventListener("cds-search-input", (event) => team.search(event.detail.value));
$("notes").addEventListener("input", (event) => team.write(event.composedPath()[0].value));
$("dark").addEventListener("cds-toggle-changed", (event) => team.darken(event.detail.toggled));
$("save").addEventListener("click", team.save);
$("close").addEventListener("click", team.close);
$("yes").addEventListener("click", () => team.answer(true));
$("no").addEventListener("click", () => team.answer(false));
$("tabs").addEventListener("cds-tabs-selected", (event) => team.open(event.detail.item.value));

let told = "";
team.watch(() => {
  $("members").hidden = state.tab !== "Members";
  $("settings").hidden = state.tab !== "Settings";
  $("name").value = state.draft.name;
  $("role").value = state.draft.role;
  $("active").checked = state.draft.active;
  $("add").disabled = !team.canAdd();
  $("notes").value = state.notes;
  $("dark").toggled = state.dark;
  $("count").textContent = team.countText();
  drawRows($("rows"), "cds-button");
  if (state.notice !== told) { told = state.notice; $("notices").innerHTML = `<cds-inline-notification kind="success" title="${told}" hide-close-button></cds-inline-notification>`; }
  if (state.asked) $("question").textContent = team.question();
  $("asking").open = state.asked !== null;
  $("saved").open = state.saved;
});
