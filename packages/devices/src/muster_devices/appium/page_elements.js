// Lists the elements of a page, by the rules of the script that reads pages in browsers (`__muster.facts`).
// WebDriver hands the nodes over by their ids. Text that stands beside elements is told of its parent.
const kept = [], nodes = [];
const walk = (el, level) => {
  if (kept.length >= 1500 || ["SCRIPT", "STYLE", "NOSCRIPT", "TEMPLATE"].includes(el.tagName)) return;
  const told = window.__muster.facts(el);
  const own = [...el.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
  const keeps = !told.hidden && (told.role || own) && el !== document.body && !el.matches("option, optgroup");
  if (keeps) {
    kept.push({ ...told, ref: "", level });
    nodes.push(el);
  }
  for (const child of (el.shadowRoot || el).children) walk(child, keeps ? level + 1 : level);
};
if (document.body) walk(document.body, 0);
return {
  elements: kept, nodes, title: document.title, address: location.href, width: innerWidth, height: innerHeight,
  loading: document.readyState !== "complete",
};
