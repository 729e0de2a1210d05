import "@ionic/core/css/core.css";
import "@ionic/core/css/structure.css";
import "@ionic/core/css/typography.css";
import { initialize } from "@ionic/core/components";
import { defineCustomElement as app } from "@ionic/core/components/ion-app.js";
import { defineCustomElement as alert } from "@ionic/core/components/ion-alert.js";
import { defineCustomElement as button } from "@ionic/core/components/ion-button.js";
import { defineCustomElement as checkbox } from "@ionic/core/components/ion-checkbox.js";
import { defineCustomElement as content } from "@ionic/core/components/ion-content.js";
import { defineCustomElement as input } from "@ionic/core/components/ion-input.js";
import { defineCustomElement as item } from "@ionic/core/components/ion-item.js";
import { defineCustomElement as searchbar } from "@ionic/core/components/ion-searchbar.js";
import { defineCustomElement as segment } from "@ionic/core/components/ion-segment.js";
import { defineCustomElement as segmentButton } from "@ionic/core/components/ion-segment-button.js";
import { defineCustomElement as select } from "@ionic/core/components/ion-select.js";
import { defineCustomElement as popover } from "@ionic/core/components/ion-popover.js";
import { defineCustomElement as radio } from "@ionic/core/components/ion-radio.js";
import { defineCustomElement as radioGroup } from "@ionic/core/components/ion-radio-group.js";
import { defineCustomElement as list } from "@ionic/core/components/ion-list.js";
import { defineCustomElement as label } from "@ionic/core/components/ion-label.js";
import { defineCustomElement as selectPopover } from "@ionic/core/components/ion-select-popover.js";
import { defineCustomElement as option } from "@ionic/core/components/ion-select-option.js";
import { defineCustomElement as textarea } from "@ionic/core/components/ion-textarea.js";
import { defineCustomElement as toast } from "@ionic/core/components/ion-toast.js";
import { defineCustomElement as toggle } from "@ionic/core/components/ion-toggle.js";
import { $, TABLE, drawRows } from "../elements.js";
import * as team from "../team.js";

initialize();
for (const define of [app, alert, button, checkbox, content, input, item, searchbar, segment, segmentButton, select, option, popover, radio, radioGroup, list, label, selectPopover, textarea, toast, toggle]) define();

document.body.innerHTML = `<ion-app><ion-content class="ion-padding">
  <h1>Team</h1>
  <ion-segment value="Members" id="tabs"><ion-segment-button value="Members">Members</ion-segment-button><ion-segment-button value="Settings">Settings</ion-segment-button></ion-segment>
  <section id="members">
    <ion-item><ion-input label="Name" id="name"></ion-input></ion-item>
    <ion-item><ion-select label="Role" interface="popover" id="role">${team.ROLES.map((one) => `<ion-select-option value="${one}">${one}</ion-select-option>`).join("")}</ion-select></ion-item>
    <ion-item><ion-checkbox id="active">Active</ion-checkbox></ion-item>
    <ion-button id="add">Add</ion-button>
    <ion-searchbar placeholder="Search" debounce="0" id="search"></ion-searchbar>
    ${TABLE}
  </section>
  <section id="settings">
    <ion-item><ion-textarea label="Notes" id="notes"></ion-textarea></ion-item>
    <ion-item><ion-toggle id="dark">Dark mode</ion-toggle></ion-item>
    <ion-button id="save">Save</ion-button>
  </section>
</ion-content></ion-app>`;

const { state } = team;
$("name").addEventListener("ionInput", (event) => team.edit("name", event.detail.value ?? ""));
$("role").addEventListener("ionChange", (event) => team.edit("role", event.detail.value));
$("active").addEventListener("ionChange", (event) => team.edit("active", event.detail.checked));
$("add").addEventListener("click", team.add);
$("search").addEventListener("ionInput", (event) => team.search(event.detail.value ?? ""));
$("notes").addEventListener("ionInput", (event) => team.write(event.detail.value ?? ""));
$("dark").addEventListener("ionChange", (event) => team.darken(event.detail.checked));
$("save").addEventListener("click", team.save);
$("tabs").addEventListener("ionChange", (event) => team.open(event.detail.value));

// Shows an alert of Ionic as long as something is so.
function alertWhile(buttons) {
  let shown = null;
  return (message) => {
    if (message && !shown) {
      shown = Object.assign(document.createElement("ion-alert"), { message, buttons, backdropDismiss: false });
      document.querySelector("ion-app").append(shown);
      shown.present();
    } else if (!message && shown) {
      const old = shown;
      shown = null;
      old.dismiss().then(() => old.remove());
    }
  };
}
const kept = (handler) => () => { handler(); return false; }; // the page closes it, not the alert itself
const asking = alertWhile([{ text: "Cancel", handler: kept(() => team.answer(false)) }, { text: "Yes, remove", handler: kept(() => team.answer(true)) }]);
const saved = alertWhile([{ text: "Understood", handler: kept(team.close) }]);

let told = "";
team.watch(() => {
  $("members").hidden = state.tab !== "Members";
  $("settings").hidden = state.tab !== "Settings";
  $("tabs").value = state.tab;
  $("name").value = state.draft.name;
  $("role").value = state.draft.role;
  $("active").checked = state.draft.active;
  $("add").disabled = !team.canAdd();
  $("notes").value = state.notes;
  $("dark").checked = state.dark;
  $("count").textContent = team.countText();
  drawRows($("rows"), "ion-button");
  if (state.notice !== told) {
    told = state.notice;
    const toast = Object.assign(document.createElement("ion-toast"), { message: told, duration: 4000 });
    document.querySelector("ion-app").append(toast);
    toast.present();
  }
  asking(state.asked && team.question());
  saved(state.saved && "Your settings were saved");
});
