// A canvas chart, a code editor for the notes, and a switch made of plain elements.
import { Chart, BarController, BarElement, CategoryScale, LinearScale } from "chart.js";
import { EditorView, minimalSetup } from "codemirror";
import { $, TABLE, drawRows } from "../elements.js";
import * as team from "../team.js";

Chart.register(BarController, BarElement, CategoryScale, LinearScale);
document.body.innerHTML = `
  <style>
    #dark { display: inline-flex; gap: 8px; cursor: pointer } #dark i { width: 36px; height: 18px; border-radius: 9px; background: #999 }
    #dark[aria-checked=true] i { background: #26c } #notes { border: 1px solid #999; min-height: 60px }
  </style>
  <h1>Team</h1>
  <div role="tablist"><button role="tab" id="to-members">Members</button><button role="tab" id="to-settings">Settings</button></div>
  <section id="members">
    <p><label>Name <input id="name"></label> <label>Role <select id="role">${team.ROLES.map((one) => `<option>${one}</option>`)}</select></label> <label><input type="checkbox" id="active"> Active</label> <button id="add">Add</button></p>
    <p><label>Search <input id="search"></label></p>
    <div style="width: 300px; height: 150px"><canvas id="chart" role="img" aria-label="Members by role"></canvas></div>
    ${TABLE}
  </section>
  <section id="settings"><h2 id="notes-label">Notes</h2><div id="notes"></div>
    <p><span role="switch" tabindex="0" id="dark"><i></i>Dark mode</span></p><button id="save">Save</button></section>
  <p id="notice" role="status"></p>
  <dialog id="asking"><p id="question"></p><button id="no">Cancel</button><button id="yes">Yes, remove</button></dialog>
  <dialog id="saved"><p>Your settings were saved</p><button id="close">Understood</button></dialog>`;

const { state } = team;
const roles = () => team.ROLES.map((role) => team.shown().filter((one) => one.role === role).length);
const chart = new Chart($("chart"), { type: "bar", data: { labels: team.ROLES, datasets: [{ data: roles() }] }, options: { animation: false, maintainAspectRatio: false } });
const wrote = EditorView.updateListener.of((update) => {
  if (update.docChanged && update.transactions.some((one) => one.isUserEvent("input") || one.isUserEvent("delete"))) team.write(update.state.doc.toString());
});
const notes = new EditorView({ parent: $("notes"), extensions: [minimalSetup, wrote, EditorView.contentAttributes.of({ "aria-labelledby": "notes-label" })] });
$("name").oninput = (event) => team.edit("name", event.target.value);
$("role").onchange = (event) => team.edit("role", event.target.value);
$("active").onchange = (event) => team.edit("active", event.target.checked);
$("add").onclick = team.add;
$("search").oninput = (event) => team.search(event.target.value);
$("dark").onclick = () => team.darken(!state.dark);
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
  $("dark").setAttribute("aria-checked", String(state.dark));
  const held = notes.state.doc.toString();
  if (held !== state.notes) notes.dispatch({ changes: { from: 0, to: held.length, insert: state.notes } });
  $("count").textContent = team.countText();
  chart.data.datasets[0].data = roles();
  chart.update();
  drawRows($("rows"), "button");
  $("notice").textContent = state.notice;
  if (state.asked) $("question").textContent = team.question();
  toggle($("asking"), state.asked !== null);
  toggle($("saved"), state.saved);
});
