// Which element a tester means by a name. Functions over the DOM without any state, used twice: by the selector engine
// (out of the page's reach) and by what reads the page for checks and for the words of an error.

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

// ---- words

const UNDRAWN = /[\u00ad\u200b\u200e\u200f\u2060\ufeff\u202a-\u202e\u2066-\u2069]/g; // they only say how text is laid out

// Pictures drawn as letters at the ends of a name: "✏ Compose" is called Compose.
const PICTOGRAPHS = /^(?:\p{Extended_Pictographic}\ufe0f?\s*)+|(?:\s*\p{Extended_Pictographic}\ufe0f?)+$/gu;

// Arrows at the ends of a name, which only point where it leads: "Next day ›" is called Next day.
const POINTERS = /^(?:[‹«←]\s*|<\s+)+|(?:\s*[›»→]|\s+>)+$/gu;

function squash(text) {
  return (text || "").replace(UNDRAWN, "").normalize().replace(/[’‘]/g, "'").replace(/[“”]/g, '"').replace(/−/g, "-").replace(/\s+/g, " ").trim();
}
function plain(text) { return squash(text).toLowerCase(); }
function bare(text) {
  const have = plain(text).replace(/\s*(\((required|optional)\)|[:*…▲▼△▽▴▾↑↓↕⇅⬆⬇]|\.\.\.)+$/g, "");
  return have.replace(POINTERS, "").replace(PICTOGRAPHS, "") || have;
}
function spaced(text) { return text.replace(/[-_]+/g, " "); }

// How well a text says what is wanted: 0 the same, 1 begins with it, 2 has it as words, 3 has it as part of a word (but
// never of a number).
function compare(text, want) {
  const have = plain(text);
  if (!want || !have.includes(want)) return have && bare(have) === bare(want) ? 0 : null;
  if (have === want || bare(have) === bare(want)) return 0;
  const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u; // scripts without blanks
  const edge = (char) => char === undefined || !/[\p{L}\p{N}]/u.test(char) || unspaced.test(char);
  for (let at = have.indexOf(want); at >= 0; at = have.indexOf(want, at + 1)) {
    const alone = edge(have[at - 1]) && edge(have[at + want.length]);
    if (alone && wholeAt(have, want, at)) return at === 0 ? 1 : 2;
  }
  return hasWhole(have, want) ? 3 : null;
}

// ---- what an element is

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

function labelText(label) {
  const says = ({ data, at }) => (at?.closest("select,textarea") ? "" : data);
  const pictures = [...label.querySelectorAll("img[alt]")].map((img) => img.alt);
  return [...[...runsIn(label)].map(says), ...pictures].join(" ");
}

// Names the element has beside its own text, each with the rank of where it stands.
function namesOf(el) {
  const names = [];
  const put = (source, text) => text && text.trim() && names.push([source, text]);
  const role = roleOf(el);
  if (el.hasAttribute("aria-labelledby") || FIELDS.has(role) || TOGGLES.has(role) || NAMING_CHILD[el.localName]) put(0, nameOf(el));
  for (const part of labelledBy(el)) {
    if (!(FIELDS.has(role) && contains(el, part))) put(0, part.textContent); // what a list shows may be read aloud with its name
  }
  put(0, el.getAttribute("aria-label"));
  for (const label of labelsOf(el)) put(0, labelText(label));
  if (role === "button" && el.localName === "input") put(0, buttonText(el));
  if (el.localName === "table") put(0, titleOf(el)?.textContent);
  put(1, el.getAttribute("placeholder"));
  put(3, el.getAttribute("alt"));
  put(4, el.getAttribute("title"));
  for (const attribute of TEST_IDS) {
    put(5, el.getAttribute(attribute));
    put(5, spaced(el.getAttribute(attribute) || ""));
  }
  return names;
}

// What an element is called: its name; without one what it says, or whatever else it is known by.
function labelOf(el) {
  const name = nameOf(el);
  const role = roleOf(el);
  const text = () => squash(textOf(el) || flatText(el));
  const other = () => (FIELDS.has(role) || TOGGLES.has(role) ? namesOf(el)[0]?.[1] : "") || text() || namesOf(el)[0]?.[1] || signsIn(el);
  return squash(name || other()).slice(0, 80);
}

// ---- looking through the page

// Elements that hold a shadow tree somewhere: what they say is more than their `textContent`.
function holders() {
  const found = new Set();
  for (const root of roots().slice(1)) {
    for (const el of root.querySelectorAll("slot")) for (let at = el; at; at = parentOf(at)) found.add(at);
    for (let at = root.host; at && !found.has(at); at = parentOf(at)) found.add(at);
  }
  return found;
}

// Whether all that an element says of a number stands in a part of it, in brackets that make it a negative one.
function isBracketedIn(el, want, textIn) {
  const times = (one) => plain(textIn(one)).split(want).length - 1;
  const inParts = [...el.children].reduce((sum, part) => sum + times(part), 0);
  return inParts === times(el) && [...el.querySelectorAll("*")].some((part) => isInBrackets(plain(textIn(part)), want));
}

const CODE = [...UNSEEN].join(); // what scripts and titles say, a page does not

// The innermost elements whose text has the words, in the order they are drawn.
function allTextHits(want) {
  if (!want) return [];
  const found = [];
  const deep = holders();
  const all = (el) => (deep.has(el) ? flatText(el) : el.textContent);
  const look = (el) => {
    if (UNSEEN.has(el.localName) || !plain(all(el)).includes(want)) return;
    const before = found.length;
    (deep.has(el) ? childrenOf(el) : [...el.children]).filter((node) => node.nodeType === Node.ELEMENT_NODE).forEach(look);
    if (found.length > before || isBracketedIn(el, want, all)) return;
    const said = el.querySelector(CODE) ? flatText(el) : all(el);
    if (hasWhole(plain(said), want) || hasWhole(plain(textOf(el)), want)) found.push(el);
  };
  look(document.documentElement);
  return [...new Set([...found, ...generatedHits(want, found)])];
}

// The innermost elements that have the words only with what styles put into them.
function generatedHits(want, others) {
  const styled = (el) => !UNSEEN.has(el.localName) && (generated(el, "::before") || generated(el, "::after"));
  const says = (el) => hasWhole(plain(flatText(el)), want) && !others.some((other) => contains(el, other));
  const all = allElements("body, body *, :host *");
  return all.filter((el) => styled(el) && says(el));
}

function gather(query) {
  const want = plain(query.element);
  const found = new Map();
  const hints = query.role === "tooltip" ? new Map(allElements().map((el) => [el, hintOf(el)]).filter(([, hint]) => hint)) : new Map();
  const note = (el, tier, source) => {
    if (hints.has(el) && compare(hints.get(el), want) === null) return;
    const known = found.get(el);
    if (tier !== null && (!known || tier < known.tier || (tier === known.tier && source < known.source))) {
      found.set(el, { el, tier, source });
    }
  };
  if (MARKS.has(query.role)) return marked(query);
  if (!want) return unnamed(query);
  if (query.role === "icon") return iconsCalled(want, query.kind);
  for (const [el, hint] of hints) note(el, compare(hint, want), 0);
  for (const root of roots()) {
    for (const el of root.querySelectorAll(NAMED)) {
      const told = namesOf(el).filter(([source]) => query.kind !== "read" || !isUnsaid(el, source));
      for (const [source, text] of told) {
        const tier = compare(text, want);
        if (tier !== null && isNamedBy(el, source, tier)) lift(el, tier, source, query, note);
      }
    }
  }
  for (const { sign } of runsIn(document.documentElement)) {
    if (sign) lift(parentOf(sign), compare(sign.data.replace(/_/g, " "), plain(query.element.replace(/_/g, " "))), 3, query, note);
  }
  const isDrawn = (el) => rendered(el, { visibilityProperty: true });
  for (const hit of allTextHits(want)) {
    const picture = hit.namespaceURI !== "http://www.w3.org/1999/xhtml";
    for (let at = hit, steps = 0; at && steps < 12; at = parentOf(at), steps += 1) {
      const used = at === hit || (query.role ? roleFit(at, query.role) !== null && isTitle(hit, at, query) : isClickable(at));
      const isListed = at === hit && isShut(at) && !query.role && query.kind === "click";
      if (isListed || (used && at.localName !== "option") || (query.role && roleOf(at) === query.role && !HOLDERS.has(query.role))) {
        const own = textOf(at) || (visible(at) && !picture ? "" : at.textContent);
        const said = picture && (at === hit || !plain(textOf(at))) ? hit.textContent : own;
        const isHeld = at !== hit && isDrawn(at) && !isDrawn(hit); // it is drawn, and what says so in it is not
        const tier = compare(said, want) ?? (isHeld ? null : compare(joined([...runsIn(at)]), want));
        if (query.role === "dialog" && at !== hit && isTitleOf(hit, at)) note(at, compare(textOf(hit), want), 0);
        const isItem = tier && ITEMS.includes(query.role);
        note(at, isItem ? (compare(textOf(hit), want) === 0 ? 1 : Math.max(tier, 2)) : tier, roleOf(at) || isClickable(at) ? 0 : 2);
      }
      if (at.localName === "label" && at.control) note(controlOf(at), labelFit(at, hit, want), 0);
      if (at.shadowRoot && controlOf(at) !== at) note(controlOf(at), compare(textOf(at), want) === 0 ? 0 : null, 0);
      if (isListed || (!query.role && at !== hit && isClickable(at))) break; // no list is called by what it offers
    }
  }
  const isSaid = (el) => (query.role ? roleFit(el, query.role) === 0 : query.kind !== "click" || isClickable(el));
  const whole = [...found.values()].some(({ el, tier }) => tier === 0 && isSaid(el));
  if (!whole) for (const el of allElements()) if (CLICKABLE.has(roleOf(el))) note(el, compare(nameOf(el), want) === 0 ? 0 : null, 0);
  return [...found.values()];
}

// Whether a text names an element. Where the element has a text of its own, its tooltip does so only as a whole: words in it
// may say what the element is not.
function isNamedBy(el, source, tier) { return source !== 4 || tier === 0 || !plain(textOf(el)); }

// Whether a name is one that nobody sees: what is a text is known by what it says, not by its tooltip or by what is read
// aloud in its place.
function isUnsaid(el, source) {
  return (source === 0 || source === 4) && SAYING.has(roleOf(el)) && !isClickable(el) && plain(textOf(el)) !== "";
}

// Whether a text is the title of something without a name: its first heading.
function isTitleOf(hit, at) {
  const isHeading = (el) => (roleOf(el) === "heading" || isDrawnHeading(el)) && squash(textOf(el)) && seen(el);
  const heading = squash(nameOf(at)) ? null : allIn(at).find(isHeading);
  return Boolean(heading) && contains(heading, hit) && squash(textOf(heading)) === squash(textOf(hit));
}

// Whether what a container says can be what it is called: not what its buttons, rows and items say, nor words in the
// middle of it. A dialog is known by its question, too.
function isTitle(hit, holder, { role, element }) {
  if (!HOLDERS.has(role)) return true;
  const held = closest(hit, (at) => at === holder || (HELD.has(roleOf(at)) && !/^(p|summary)$/.test(at.localName)));
  if (held !== holder) return false;
  if (role === "dialog" || closest(hit, (at) => at === holder || /^(heading|caption)$/.test(roleOf(at)) || at.localName === "legend") !== holder) return true;
  return !squash(nameOf(holder)) && (compare(textOf(holder), plain(element)) ?? 9) < 2;
}

// A picture's or icon's name is also that of the button it is in.
function lift(el, tier, source, query, note) {
  if (tier === null) return;
  note(el, tier, source);
  if (isClickable(el) || FIELDS.has(roleOf(el))) return;
  const outer = closest(parentOf(el), (at) => at && (query.role ? roleFit(at, query.role) !== null : isClickable(at)));
  if (outer && (source === 3 || source === 0) && !plain(textOf(outer))) note(outer, tier, source);
}

// What people see as a thing of that name though no text says it: an icon, a picture, a field, a turning wheel.
function bearersOf(want, here) {
  if (!want) return [];
  const bears = (el) => SYMBOLS.has(roleOf(el)) && bare(nameOf(el) || signsIn(el)) === bare(want) && here(el) && seen(el);
  const found = gather({ element: want, role: "", kind: "read" }).map(({ el }) => el).filter(bears);
  return found.slice(0, 12).map((el) => `${roleOf(el)} "${labelOf(el)}"`);
}
