import "@shoelace-style/shoelace/dist/themes/light.css";
import "@shoelace-style/shoelace/dist/shoelace.js";
import * as team from "../team.js";

document.body.innerHTML = `
  <h1>Team</h1>
  <sl-tab-group>
    <sl-tab slot="nav" panel="Members">Members</sl-tab><sl-tab slot="nav" panel="Settings">Settings</sl-tab>
    <sl-tab-panel name="Members">
      <sl-input label="Name" id="name"></sl-input>
      <sl-select label="Role" id="role">${team.ROLES.map((one) => `<sl-option value="${one}">${one}</sl-option>`).join("")}</sl-select>
      <sl-checkbox id="active">Active</sl-checkbox>
      <sl-button variant="primary" id="add">Add</sl-button>
      <sl-input label="Search" type="search" id="search"></sl-input>
      <p id="count"></p>
      <table><thead><tr><th>Name</th><th>Role</th><th>State</th><th></th></tr></thead><tbody id="rows"></tbody></table>
    </sl-tab-panel>
    <sl-tab-panel name="Settings">
      <sl-textarea label="Notes" id="notes"></sl-textarea>
      <sl-switch id="dark">Dark mode</sl-switch>
      <sl-button variant="primary" id="save">Save</sl-button>
    </sl-tab-panel>
  </sl-tab-group>
  <sl-dialog label="Please confirm" id="asking"><span id="question"></span><sl-button slot="footer" id="no">Cancel</sl-button><sl-button slot="footer" variant="danger" id="yes">Yes, remove</sl-button></sl-dialog>
  <sl-dialog label="Saved" id="saved">Your settings were saved<sl-button slot="footer" id="close">Understood</sl-button></sl-dialog>`;

const $ = (id) => document.getElementById(id);
const { state } = team;
$("name").addEventListener("sl-input", (event) => team.edit("name", event.target.value));
$("role").addEventListener("sl-change", (event) => team.edit("role", event.target.value));
$("active").addEventListener("sl-change", (event) => team.edit("active", event.target.checked));
$("add").addEventListener("click", team.add);
$("search").addEventListener("sl-input", (event) => team.search(event.target.value));
$("notes").addEventListener("sl-input", (event) => team.write(event.target.value));
$("dark").addEventListener("sl-change", (event) => team.darken(event.target.checked));
$("save").addEventListener("click", team.save);
$("close").addEventListener("click", team.close);
$("yes").addEventListener("click", () => team.answer(true));
$("no").addEventListener("click", () => team.answer(false));
const tabs = document.querySelector("sl-tab-group");
tabs.addEventListener("sl-tab-show", (event) => { if (event.detail.name !== state.tab) team.open(event.detail.name); });

let told = "";
team.watch(async () => {
  await tabs.updateComplete;
  tabs.show(state.tab);
  $("name").value = state.draft.name;
  $("role").value = state.draft.role;
  $("active").checked = state.draft.active;
  $("add").disabled = !team.canAdd();
  $("notes").value = state.notes;
  $("dark").checked = state.dark;
  $("count").textContent = team.countText();
  $("rows").innerHTML = team.shown().map((one) => `<tr><td>${one.name}</td><td>${one.role}</td><td><sl-badge>${one.active ? "active" : "away"}</sl-badge></td><td><sl-button size="small" data-id="${one.id}">Remove</sl-button></td></tr>`).join("");
  for (const button of $("rows").querySelectorAll("sl-button")) button.addEventListener("click", () => team.askToRemove(Number(button.dataset.id)));
  if (state.notice !== told) {
    told = state.notice;
    const alert = Object.assign(document.createElement("sl-alert"), { closable: true, duration: 4000, textContent: told });
    document.body.append(alert);
    alert.toast();
  }
  if (state.asked) $("question").textContent = team.question();
  state.asked ? $("asking").show() : $("asking").hide();
  state.saved ? $("saved").show() : $("saved").hide();
});
