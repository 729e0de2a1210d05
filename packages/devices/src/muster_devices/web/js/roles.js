// What an element is: its role, what fits another one, and which tools can use it. Functions over the DOM.

const INPUT_ROLES = {
  button: "button", submit: "button", reset: "button", image: "button", checkbox: "checkbox", radio: "radio",
  range: "slider", number: "spinbutton", search: "searchbox", file: "file", hidden: "",
};
const TAG_ROLES = {
  button: "button", summary: "button", textarea: "textbox", option: "option", img: "img", li: "listitem", ul: "list",
  ol: "list", menu: "list", table: "table", tr: "row", td: "cell", nav: "navigation", main: "main", form: "form",
  fieldset: "group", details: "group", dialog: "dialog", article: "article", section: "region", aside: "complementary",
  header: "banner", footer: "contentinfo", p: "paragraph", dt: "term", dd: "definition", progress: "progressbar",
  meter: "meter", output: "status", iframe: "iframe", caption: "caption",
};
// What testers call by another role's name.
const LIKE = {
  button: ["link", "menuitem", "tab", "switch", "option"], link: ["button", "menuitem", "tab"],
  tab: ["link", "button"], menuitem: ["link", "button", "menuitemcheckbox", "menuitemradio", "option"],
  textbox: ["searchbox", "spinbutton", "combobox"], combobox: ["listbox", "textbox"], listbox: ["combobox"], list: ["listbox"],
  checkbox: ["switch", "menuitemcheckbox"], switch: ["checkbox"], cell: ["gridcell", "columnheader", "rowheader"],
  dialog: ["alertdialog"], menu: ["menubar", "navigation", "listbox", "list", "tree", "toolbar"], table: ["grid", "treegrid"], region: ["form", "group", "article", "complementary"], group: ["region", "form"],
  option: ["menuitem", "listitem"], listitem: ["treeitem", "option", "menuitem", "menuitemcheckbox", "menuitemradio"], spinbutton: ["textbox"], searchbox: ["textbox", "combobox"], alert: ["status"],
};
const CLICKABLE = new Set(["button", "link", "menuitem", "menuitemcheckbox", "menuitemradio", "tab", "option",
  "checkbox", "radio", "switch", "treeitem", "textbox", "searchbox", "combobox", "listbox", "spinbutton", "slider",
  "file"]);
const FIELDS = new Set(["textbox", "searchbox", "combobox", "spinbutton", "slider", "listbox"]);
const SYMBOLS = new Set([...CLICKABLE, "img", "progressbar", "meter", "status", "alert", "dialog", "alertdialog"]);
// What people call a section may be any part or its heading, but none of these: nothing is in them.
const HELD = new Set([...CLICKABLE, "img", "paragraph", "row", "cell", "gridcell", "columnheader", "rowheader", "listitem", "term", "definition"]);
// What is a text and no thing that people name.
const SAYING = new Set(["", "paragraph", "cell", "gridcell", "columnheader", "rowheader", "heading", "term", "definition"]);
const HOLDERS = new Set(["section", "dialog", "table", "grid", "list", "tree", "region", "form", "group", "navigation", "menu"]);
const ITEMS = ["row", "listitem", "article"]; // known by just the name that a part of them says
const TOGGLES = new Set(["checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio"]);
// Roles of custom elements that the browser alone knows; `generic` and the like say nothing.
const CUSTOM_ROLES = new Set([...CLICKABLE, "slider", "tablist", "tabpanel", "dialog", "alertdialog", "alert", "status", "heading",
  "list", "listitem", "row", "cell", "gridcell", "columnheader", "rowheader", "table", "grid", "progressbar"]);
const NAMED = "[aria-label],[aria-labelledby],[placeholder],[title],[alt],[data-testid],[data-test-id],[data-test]," +
  "[data-qa],[data-cy],input,select,textarea,button,fieldset,table,iframe,[contenteditable]";
const MARKS = new Set(["css", "xpath", "test id"]); // what is no role, but another way to point at an element
const TEST_IDS = ["data-testid", "data-test-id", "data-test", "data-qa", "data-cy"];

function roleOf(el) {
  const given = (el.getAttribute("role") || "").trim().split(/\s+/)[0];
  const tag = el.localName;
  if (given && given !== "none" && given !== "presentation") return given === "image" ? "img" : given;
  if (given && tag === "table" && el.parentElement?.closest("[role=table],[role=grid],[role=treegrid]")) return ""; // a part of that one
  if (tag.includes("-")) return customRole(el);
  if (tag === "div" && isSplitTable(el)) return "table";
  if (tag === "table" && closest(el, (at) => at.localName === "div" && isSplitTable(at))) return "";
  if (tag === "input") return el.list ? "combobox" : INPUT_ROLES[el.type] ?? "textbox";
  if (tag === "select") return el.multiple || el.size > 1 ? "listbox" : "combobox";
  if (tag === "a" || tag === "area") return el.hasAttribute("href") ? "link" : "";
  if (/^h[1-6]$/.test(tag)) return "heading";
  if (tag === "th") {
    const heads = el.scope !== "row" && (el.closest("thead") || !el.matches("tr:has(td) > th") || el.matches(BESIDE_CORNER));
    return heads ? "columnheader" : "rowheader";
  }
  if (tag === "td" && isHeadCell(el)) return "columnheader";
  if (el.isContentEditable && !el.parentElement?.isContentEditable) return "textbox";
  return TAG_ROLES[tag] || "";
}

// A head in a row of at least two of them, of which only an empty corner is no head.
const BESIDE_CORNER = "tr:has(> td:first-child:empty + th + th):not(:has(> td ~ td)) > th";

// The role that a custom element gives itself out of the document's sight. Asking the browser is slow, so it is asked once.
const customRoles = new WeakMap();
function customRole(el) {
  if (!el.matches(":defined")) return "";
  if (!customRoles.has(el)) customRoles.set(el, CUSTOM_ROLES.has(el.computedRole) ? el.computedRole : "");
  return customRoles.get(el);
}

function roleFit(el, role) {
  if (!role || MARKS.has(role)) return 0;
  const own = roleOf(el);
  if (role === "section") return HELD.has(own) && el.localName !== "summary" ? null : 0;
  if (role === "treeitem" && own === "row") return closest(el, (at) => roleOf(at) === "treegrid") ? 1 : null;
  if (role === "tooltip") return own === role || isTooltip(el) ? 0 : null;
  if (role === "field") return FIELDS.has(own) ? 0 : null;
  if (role === "icon") return iconFit(el);
  if (role === "page") return isNumberedPage(el) ? 0 : null;
  if (/^(combobox|listbox)$/.test(role) && own !== role && opensList(el)) return 1;
  if (own === role && TABLE_PARTS.has(role) && (isLayout(el) || headsNothing(el))) return null;
  if (own === role) return role === "row" && isHeaderRow(el) ? null : 0;
  // Nobody takes an option of a native list for a button, but one of a list that stands open is an item of it.
  if (el.localName === "option") return role === "listitem" && roleOf(el.closest("select") || el) === "listbox" ? 1 : null;
  return fitAs(el, role, own);
}

// The children of a row, and in place of those that say nothing of themselves and hold cells, as for columns that stay, theirs.
function partsOfRow(el) {
  return [...el.children].flatMap((part) => (!roleOf(part) && part.querySelector(CELLS) ? partsOfRow(part) : [part]));
}

// Whether a row holds nothing but heads of columns, behind a corner that is empty or chooses all rows, and handles between them.
function isHeaderRow(row) {
  const parts = partsOfRow(row).filter((el) => roleOf(el) || squash(textOf(el)));
  const isCorner = (cell) => !squash(textOf(cell)) && !cell.querySelector("input:not([type=checkbox]),select,textarea,img,svg");
  const cells = parts.slice(Math.max(0, parts.findIndex((cell) => !isCorner(cell) || roleOf(cell) === "columnheader")));
  return cells.length > 0 && cells.every((cell) => roleOf(cell) === "columnheader");
}

function isClickable(el) {
  if (CLICKABLE.has(roleOf(el)) || el.hasAttribute("onclick") || el.localName === "label") return true;
  if (el.hasAttribute("tabindex") && el.tabIndex >= 0) return true;
  const parent = el.parentElement;
  return getComputedStyle(el).cursor === "pointer" && !(parent && getComputedStyle(parent).cursor === "pointer");
}

function isEditable(el) {
  if (el.localName === "input") return !/^(button|submit|reset|image|checkbox|radio|file|hidden)$/.test(el.type);
  return el.localName === "textarea" || Boolean(el.editContext) || Boolean(el.isContentEditable && !el.parentElement?.isContentEditable);
}

// Whether a tool of this kind can use the element: 0 well, 1 perhaps, null not at all.
function kindFit(el, kind) {
  const role = roleOf(el);
  switch (kind) {
    case "click": return isClickable(el) && !isShut(el) ? 0 : 1;
    case "type": return isEditable(el) ? 0 : role === "slider" ? 1 : kindFit(el, "select") === null ? null : 2; // lists take it as a choice
    case "select": return el.localName === "select" ? 0 : /^(combobox|listbox)$/.test(role) ? 1 : opensList(el) || listBehind(el) ? 2 : radiosOf(el).length ? 3 : null;
    case "check": return TOGGLES.has(role) || (el.localName === "label" && el.control) ? 0 : null;
    case "upload": return el.localName === "input" && el.type === "file" ? 0 : isClickable(el) || fileFieldOf(el) ? 1 : null;
    case "value": return FIELDS.has(role) || TOGGLES.has(role) || opensList(el) ? 0 : 1;
    default: return 0;
  }
}
