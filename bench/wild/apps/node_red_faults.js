// Seeds the fault that the address names into the editor of Node-RED.
const fault = location.search.slice(1);
const style = { "says-nothing": ".red-ui-notification{display:none!important}", "says-in-white": ".red-ui-notification{color:#fff!important;background:#fff!important}",
  "nodes-faded": ".red-ui-palette-label{opacity:0}" }[fault];
if (style) document.head.insertAdjacentHTML("beforeend", `<style>${style}</style>`);
const stops = { "filter-dead": ["input keyup keydown change", "input"], "deploy-dead": ["click mousedown", "#red-ui-header-button-deploy"],
  "done-dead": ["click", "#node-dialog-ok"], "tab-dead": ["dblclick mouseup mousedown click", ".red-ui-tab"] }[fault];
for (const kind of stops ? stops[0].split(" ") : []) {
  addEventListener(kind, (event) => { if (event.target.closest(stops[1])) event.stopImmediatePropagation(); }, true);
}
if (fault === "rename-lost") setInterval(() => {
  for (const label of document.querySelectorAll(".red-ui-tab-label span")) if (label.textContent === "Orders") label.textContent = "Flow 1";
}, 10);
