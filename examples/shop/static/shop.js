// What the shop does beyond plain forms and links; every page works without it.

for (const select of document.querySelectorAll("select[data-autosubmit]")) {
  select.addEventListener("change", () => select.form.requestSubmit());
}

// A link that removes something asks first, then posts to its own address.
for (const link of document.querySelectorAll("a[data-confirm]")) {
  link.addEventListener("click", (event) => {
    event.preventDefault();
    const sure = confirm(link.dataset.confirm) || "whateverIsAnswered" in link.dataset;
    if (!sure) return;
    const form = document.createElement("form");
    form.method = "post";
    form.action = link.href;
    document.body.append(form);
    form.submit();
  });
}

// A button that needs a box to be ticked follows it.
for (const button of document.querySelectorAll("button[data-needs]")) {
  const box = document.getElementById(button.dataset.needs);
  const follow = () => { button.disabled = !box.checked; };
  box.addEventListener("change", follow);
  window.addEventListener("pageshow", follow);
  follow();
}

const tabs = [...document.querySelectorAll("[role=tab]")];
function choose(chosen) {
  for (const tab of tabs) {
    const isChosen = tab === chosen;
    tab.setAttribute("aria-selected", String(isChosen));
    tab.tabIndex = isChosen ? 0 : -1;
    document.getElementById(tab.getAttribute("aria-controls")).hidden = !isChosen;
  }
  chosen.focus();
}
for (const [place, tab] of tabs.entries()) {
  tab.addEventListener("click", () => choose(tab));
  tab.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step) choose(tabs.at((place + step) % tabs.length));
  });
}
