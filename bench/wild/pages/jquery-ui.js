import "jquery-ui/themes/base/all.css";
import "select2/dist/css/select2.css";
import "datatables.net-dt/css/dataTables.dataTables.css";
import $ from "../jquery.js";
import "jquery-ui/dist/jquery-ui.js";
import DataTable from "datatables.net-dt";
import select2 from "select2";
import * as team from "../team.js";

if (!$.fn.select2) select2(window, $);
document.body.innerHTML = `
  <h1>Team</h1>
  <div id="tabs"><ul><li><a href="#members">Members</a></li><li><a href="#settings">Settings</a></li></ul>
    <div id="members">
      <p><label for="name">Name</label> <input id="name"></p>
      <p><label for="role">Role</label> <select id="role" style="width: 12em">${team.ROLES.map((one) => `<option>${one}</option>`).join("")}</select></p>
      <p><label for="active">Active</label><input type="checkbox" id="active"></p>
      <p><button id="add">Add</button></p>
      <p><label>Search <input id="search"></label></p>
      <p id="count"></p>
      <table id="people"><thead><tr><th>Name</th><th>Role</th><th>State</th><th>Actions</th></tr></thead><tbody></tbody></table>
    </div>
    <div id="settings">
      <p><label for="notes">Notes</label> <textarea id="notes"></textarea></p>
      <p><label for="dark">Dark mode</label><input type="checkbox" id="dark"></p>
      <p><button id="save">Save</button></p>
    </div></div>
  <p id="notice" role="status"></p><div id="asking" title="Please confirm"></div><div id="saved" title="Saved">Your settings were saved</div>`;

const { state } = team;
$("#tabs").tabs({ beforeActivate: (_event, ui) => { team.open(ui.newTab.text()); return state.tab === ui.newTab.text(); } });
$("#role").select2({ minimumResultsForSearch: Infinity }).on("change", (event) => { if (event.target.value !== state.draft.role) team.edit("role", event.target.value); });
$("#active").checkboxradio().on("change", (event) => team.edit("active", event.target.checked));
$("#dark").checkboxradio().on("change", (event) => team.darken(event.target.checked));
$("#name").on("input", (event) => team.edit("name", event.target.value));
$("#search").on("input", (event) => team.search(event.target.value));
$("#notes").on("input", (event) => team.write(event.target.value));
$("#add").button().on("click", team.add);
$("#save").button().on("click", team.save);
const asking = $("#asking").dialog({ autoOpen: false, modal: true, close: () => state.asked && team.answer(false), buttons: { "Yes, remove": () => team.answer(true), Cancel: () => team.answer(false) } });
const saved = $("#saved").dialog({ autoOpen: false, modal: true, buttons: { Understood: () => team.close() } });
const table = new DataTable("#people", {
  paging: false, searching: false, info: false, ordering: true, order: [],
  columns: [{ data: "name" }, { data: "role" }, { data: (one) => (one.active ? "active" : "away") }, { data: (one) => `<button data-id="${one.id}">Remove</button>`, orderable: false }],
});
$("#people").on("click", "button", (event) => team.askToRemove(Number(event.target.dataset.id)));

team.watch(() => {
  if ($("#name").val() !== state.draft.name) $("#name").val(state.draft.name);
  if ($("#role").val() !== state.draft.role) $("#role").val(state.draft.role).trigger("change.select2");
  $("#active").prop("checked", state.draft.active).checkboxradio("refresh");
  $("#dark").prop("checked", state.dark).checkboxradio("refresh");
  $("#add").button(team.canAdd() ? "enable" : "disable");
  if ($("#notes").val() !== state.notes) $("#notes").val(state.notes);
  $("#count").text(team.countText());
  $("#notice").text(state.notice);
  table.clear().rows.add(team.shown()).draw();
  if (state.asked) asking.text(team.question()).dialog("open");
  else if (asking.dialog("isOpen")) asking.dialog("close");
  saved.dialog(state.saved ? "open" : "close");
});
