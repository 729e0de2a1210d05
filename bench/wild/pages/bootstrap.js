import "bootstrap/dist/css/bootstrap.min.css";
import { Modal, Tab, Toast } from "bootstrap";
import * as team from "../team.js";

document.body.innerHTML = `
  <main class="container">
    <h1>Team</h1>
    <ul class="nav nav-tabs" role="tablist">
      <li class="nav-item" role="presentation"><button class="nav-link active" role="tab" data-bs-target="#members" id="to-members">Members</button></li>
      <li class="nav-item" role="presentation"><button class="nav-link" role="tab" data-bs-target="#settings" id="to-settings">Settings</button></li>
    </ul>
    <div class="tab-content">
      <div class="tab-pane active" id="members" role="tabpanel">
        <form class="row g-2" id="form">
          <div class="form-floating"><input class="form-control" id="name" placeholder="x"><label for="name">Name</label></div>
          <div class="form-floating"><select class="form-select" id="role">${team.ROLES.map((one) => `<option>${one}</option>`)}</select><label for="role">Role</label></div>
          <div class="form-check"><input class="form-check-input" type="checkbox" id="active"><label class="form-check-label" for="active">Active</label></div>
          <button class="btn btn-primary" id="add">Add</button>
        </form>
        <input class="form-control" type="search" aria-label="Search" id="search">
        <p id="count"></p>
        <table class="table table-striped"><thead><tr><th>Name</th><th>Role</th><th>State</th><th></th></tr></thead><tbody id="rows"></tbody></table>
      </div>
      <div class="tab-pane" id="settings" role="tabpanel">
        <div class="form-floating"><textarea class="form-control" id="notes" placeholder="x"></textarea><label for="notes">Notes</label></div>
        <div class="form-check form-switch"><input class="form-check-input" type="checkbox" role="switch" id="dark"><label class="form-check-label" for="dark">Dark mode</label></div>
        <button class="btn btn-primary" id="save">Save</button>
      </div>
    </div>
  </main>
  <div class="toast-container position-fixed bottom-0 end-0 p-3"><div class="toast" role="status"><div class="toast-body" id="notice"></div></div></div>
  <div class="modal fade" id="asking" tabindex="-1"><div class="modal-dialog"><div class="modal-content"><div class="modal-body" id="question"></div><div class="modal-footer">
    <button class="btn btn-secondary" id="no">Cancel</button><button class="btn btn-danger" id="yes">Yes, remove</button></div></div></div></div>
  <div class="modal fade" id="saved" tabindex="-1" aria-label="Saved"><div class="modal-dialog"><div class="modal-content"><div class="modal-body">Your settings were saved</div><div class="modal-footer">
    <button class="btn btn-secondary" id="close">Understood</button></div></div></div></div>`;

const $ = (id) => document.getElementById(id);
const asking = new Modal($("asking")), saved = new Modal($("saved"));
$("name").oninput = (event) => team.edit("name", event.target.value);
$("role").onchange = (event) => team.edit("role", event.target.value);
$("active").onchange = (event) => team.edit("active", event.target.checked);
$("form").onsubmit = (event) => { event.preventDefault(); team.add(); };
$("search").oninput = (event) => team.search(event.target.value);
$("notes").oninput = (event) => team.write(event.target.value);
$("dark").onchange = (event) => team.darken(event.target.checked);
$("save").onclick = team.save;
$("close").onclick = team.close;
$("yes").onclick = () => team.answer(true);
$("no").onclick = () => team.answer(false);
for (const tab of ["Members", "Settings"]) $(`to-${tab.toLowerCase()}`).onclick = () => team.open(tab);

let told = "";
team.watch(() => {
  const { state } = team;
  Tab.getOrCreateInstance($(`to-${state.tab.toLowerCase()}`)).show();
  $("name").value = state.draft.name;
  $("role").value = state.draft.role;
  $("active").checked = state.draft.active;
  $("add").disabled = !team.canAdd();
  $("notes").value = state.notes;
  $("dark").checked = state.dark;
  $("count").textContent = team.countText();
  $("rows").innerHTML = team.shown().map((one) => `<tr><td>${one.name}</td><td>${one.role}</td><td>${one.active ? "active" : "away"}</td><td><button class="btn btn-sm btn-outline-danger" data-id="${one.id}">Remove</button></td></tr>`).join("");
  for (const button of $("rows").querySelectorAll("button")) button.onclick = () => team.askToRemove(Number(button.dataset.id));
  if (state.notice !== told) { told = state.notice; $("notice").textContent = told; new Toast(document.querySelector(".toast"), { delay: 4000 }).show(); }
  if (state.asked) { $("question").textContent = team.question(); asking.show(); } else asking.hide();
  state.saved ? saved.show() : saved.hide();
});
