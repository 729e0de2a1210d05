// Helps pages of custom elements: finds an element by its id, and draws the rows with a button in each.
import * as team from "./team.js";

export const $ = (id) => document.getElementById(id);

export function drawRows(body, button) {
  body.innerHTML = team.shown().map((one) => `<tr><td>${one.name}</td><td>${one.role}</td><td>${one.active ? "active" : "away"}</td><td><${button} data-id="${one.id}">Remove</${button}></td></tr>`).join("");
  for (const one of body.querySelectorAll(button)) one.addEventListener("click", () => team.askToRemove(Number(one.dataset.id)));
}

export const TABLE = '<p id="count"></p><table><thead><tr><th>Name</th><th>Role</th><th>State</th><th></th></tr></thead><tbody id="rows"></tbody></table>';
