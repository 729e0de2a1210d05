import "quill/dist/quill.snow.css";
import { AllCommunityModule, ModuleRegistry, createGrid } from "ag-grid-community";
import Quill from "quill";
import { $ } from "../elements.js";
import * as team from "../team.js";

ModuleRegistry.registerModules([AllCommunityModule]);
document.body.innerHTML = `
  <h1>Team</h1>
  <div role="tablist"><button role="tab" id="to-members">Members</button><button role="tab" id="to-settings">Settings</button></div>
  <section id="members">
    <p><label>Name <input id="name"></label> <label>Role <select id="role">${team.ROLES.map((one) => `<option>${one}</option>`)}</select></label> <label><input type="checkbox" id="active"> Active</label> <button id="add">Add</button></p>
    <p><label>Search <input id="search"></label></p><p id="count"></p>
    <div id="grid" style="height: 320px"></div>
  </section>
  <section id="settings"><h2 id="notes-label">Notes</h2><div id="notes"></div><p><label><input type="checkbox" id="dark"> Dark mode</label></p><button id="save">Save</button></section>
  <p id="notice" role="status"></p>
  <dialog id="asking"><p id="question"></p><button id="no">Cancel</button><button id="yes">Yes, remove</button></dialog>
  <dialog id="saved"><p>Your settings were saved</p><button id="close">Understood</button></dialog>`;

const { state } = team;
function removeButton({ data }) {
  const button = Object.assign(document.createElement("button"), { textContent: "Remove" });
  button.onclick = () => team.askToRemove(data.id);
  return button;
}
const grid = createGrid($("grid"), {
  getRowId: ({ data }) => String(data.id), animateRows: false, domLayout: "autoHeight",
  columnDefs: [{ field: "name" }, { field: "role" }, { headerName: "State", valueGetter: ({ data }) => (data.active ? "active" : "away") }, { headerName: "Actions", cellRenderer: removeButton }],
  rowData: [],
});
const notes = new Quill("#notes", { theme: "snow" });
notes.root.setAttribute("aria-labelledby", "notes-label");
notes.on("text-change", (_delta, _old, source) => { if (source === "user") team.write(notes.getText().trim()); });
$("name").oninput = (event) => team.edit("name", event.target.value);
$("role").onchange = (event) => team.edit("role", event.target.value);
$("active").onchange = (event) => team.edit("active", event.target.checked);
$("add").onclick = team.add;
$("search").oninput = (event) => team.search(event.target.value);
$("dark").onchange = (event) => team.darken(event.target.checked);
$("save").onclick = team.save;
$("close").onclick = team.close;
$("yes").onclick = () => team.answer(true);
$("no").onclick = () => team.answer(false);
$("to-members").onclick = () => team.open("Members");
$("to-settings").onclick = () => team.open("Settings");

const toggle = (dialog, open) => { if (open && !dialog.open) dialog.showModal(); else if (!open && dialog.open) dialog.close(); };
team.watch(() => {
  $("members").hidden = state.tab !== "Members";
  $("settings").hidden = state.tab !== "Settings";
  for (const tab of ["Members", "Settings"]) $(`to-${tab.toLowerCase()}`).setAttribute("aria-selected", String(state.tab === tab));
  $("name").value = state.draft.name;
  $("role").value = state.draft.role;
  $("active").checked = state.draft.active;
  $("add").disabled = !team.canAdd();
  $("dark").checked = state.dark;
  if (notes.getText().trim() !== state.notes) notes.setText(state.notes);
  $("count").textContent = team.countText();
  grid.setGridOption("rowData", [...team.shown()]);
  $("notice").textContent = state.notice;
  if (state.asked) $("question").textContent = team.question();
  toggle($("asking"), state.asked !== null);
  toggle($("saved"), state.saved);
});
