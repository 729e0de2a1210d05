"use strict";
const search = document.getElementById("search");
if (search) {
  search.hidden = false;
  const nothing = document.getElementById("nothing");
  const rows = [...document.querySelectorAll("[data-search]")];
  search.addEventListener("input", () => {
    const wanted = search.value.toLowerCase().split(/\s+/);
    for (const row of rows) row.hidden = !wanted.every((word) => row.dataset.search.includes(word));
    nothing.hidden = rows.some((row) => !row.hidden);
  });
}
const all = document.getElementById("open-all");
if (all) {
  all.hidden = false;
  all.addEventListener("click", () => {
    const open = all.getAttribute("aria-pressed") !== "true";
    for (const part of document.querySelectorAll("#steps details")) part.open = open;
    all.setAttribute("aria-pressed", String(open));
    all.textContent = open ? "Close all" : "Open all";
  });
}
