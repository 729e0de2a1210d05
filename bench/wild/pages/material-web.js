import "@material/web/all.js";
import { $, TABLE, drawRows } from "../elements.js";
import * as team from "../team.js";

document.body.innerHTML = `
  <h1>Team</h1>
  <md-tabs id="tabs"><md-primary-tab id="to-members">Members</md-primary-tab><md-primary-tab id="to-settings">Settings</md-primary-tab></md-tabs>
  <section id="members">
    <md-outlined-text-field label="Name" id="name"></md-outlined-text-field>
    <md-outlined-select label="Role" id="role">${team.ROLES.map((one) => `<md-select-option value="${one}"><div slot="headline">${one}</div></md-select-option>`).join("")}</md-outlined-select>
    <label><md-checkbox id="active"></md-checkbox> Active</label>
    <md-filled-button id="add">Add</md-filled-button>
    <md-outlined-text-field label="Search" id="search"></md-outlined-text-field>
    ${TABLE}
  </section>
  <section id="settings">
    <md-outlined-text-field type="textarea" label="Notes" id="notes"></md-outlined-text-field>
    <label>Dark mode <md-switch id="dark"></md-switch></label>
    <md-filled-button id="save">Save</md-filled-button>
  </section>
  <p id="notice" role="status"></p>
  <md-dialog id="asking"><div slot="content" id="question"></div><div slot="actions"><md-text-button id="no">Cancel</md-text-button><md-text-button id="yes">Yes, remove</md-text-button></div></md-dialog>
  <md-dialog id="saved"><div slot="content">Your settings were saved</div><div slot="actions"><md-text-button id="close">Understood</md-text-button></div></md-dialog>`;

const { state } = team;
$("name").addEventListener("input", (event) => team.edit("name", event.target.value));
$("role").addEventListener("change", (event) => team.edit("role", event.target.value));
$("active").addEventListener("change", (event) => team.edit("active", event.target.checked));
$("add").addEventListener("click", team.add);
$("search").addEventListener("input", (event) => team.search(event.target.value));
$("notes").addEventListener("input", (event) => team.write(event.target.value));
$("dark").addEventListener("change", (event) => team.darken(event.target.selected));
$("save").addEventListener("click", team.save);
$("close").addEventListener("click", team.close);
$("yes").addEventListener("click", () => team.answer(true));
$("no").addEventListener("click", () => team.answer(false));
$("tabs").addEventListener("change", (event) => team.open(event.target.activeTabIndex ? "Settings" : "Members"));

team.watch(() => {
  $("members").hidden = state.tab !== "Members";
  $("settings").hidden = state.tab !== "Settings";
  $("name").value = state.draft.name;
  $("role").value = state.draft.role;
  $("active").checked = state.draft.active;
  $("add").disabled = !team.canAdd();
  $("notes").value = state.notes;
  $("dark").selected = state.dark;
  $("count").textContent = team.countText();
  drawRows($("rows"), "md-outlined-button");
  $("notice").textContent = state.notice;
  if (state.asked) $("question").textContent = team.question();
  $("asking").open = state.asked !== null;
  $("saved").open = state.saved;
});
