// Which of the elements that bear a name or are of a kind is meant. Functions over the DOM without any state.

const TYPES = { phone: "tel", telephone: "tel", numeric: "number" };
const UNNAMED_AS_SAID = new Set(["button", "link", "tab", "menuitem", "option"]); // "the button" is no link

// ---- without a name

function marked({ element, role }) {
  try {
    const onPath = role === "xpath" ? new Set(elementsOnPath(element)) : null;
    const isCalled = (el) => TEST_IDS.some((name) => el.getAttribute(name) === element);
    const isMarked = { css: (el) => el.matches(element), xpath: (el) => onPath.has(el), "test id": isCalled }[role];
    return allElements().filter(isMarked).map((el) => ({ el, tier: 0, source: 0 }));
  } catch { return []; } // it is no selector
}

// What an XPath leads to; like every XPath, it sees no shadow trees.
function elementsOnPath(path) {
  const found = document.evaluate(path, document, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE, null);
  return Array.from({ length: found.snapshotLength }, (_, at) => found.snapshotItem(at));
}

function unnamed({ role, trait }) {
  const fits = (el) => { const fit = roleFit(el, role); return fit === 0 || (fit === 1 && !UNNAMED_AS_SAID.has(role)); };
  const tier = (el) => (trait ? traitFit(el, trait) : 0);
  const all = allElements().filter((el) => fits(el) && !isSum(el, role)).map((el) => ({ el, tier: tier(el), source: 0 })).filter((one) => one.tier !== null);
  const asked = role === "file" ? all.filter(({ el }) => askFollower("muster:asked", el)) : [];
  return asked.length ? asked : all;
}

// Asks the script that follows what the page does about an element, also from out of the page's reach; returns its yes or no.
function askFollower(name, el) { return !el.dispatchEvent(new Event(name, { bubbles: true, composed: true, cancelable: true })); }

// Whether an element is of a type, as its markup says.
function hasTrait(el, trait) {
  const type = TYPES[trait] || trait;
  if (type === "submit" || type === "reset") return el.type === type && Boolean(el.form);
  if (type === "multiline") return el.localName === "textarea" || el.getAttribute("aria-multiline") === "true";
  if (el.type === type || (el.autocomplete || "").split(/[ -]/).includes(type)) return true;
  return type === "search" && closest(el, (at) => /^search(box)?$/.test(roleOf(at)) || at.localName === "search") !== null;
}

// How well a type fits: 0 by its whole name, 1 by what it is or by words of its name.
function traitFit(el, trait) {
  const texts = [textOf(el), ...namesOf(el).filter(([source]) => source < 5).map(([, text]) => text)];
  const tiers = texts.map((text) => wordsFit(text, trait)).filter((tier) => tier !== null);
  if (tiers.includes(0)) return 0;
  return hasTrait(el, trait) || tiers.length ? 1 : null;
}

// ---- choosing

function modalNow() {
  const all = allElements("dialog:modal,[aria-modal=true]");
  return all.filter(visible).pop() || null;
}

const FACES = new Set(["combobox", "listbox", "button"]);

// What a widget draws in the place of a list that nobody sees: beside it, or around it alone.
function widgetOf(list) {
  const beside = list.nextElementSibling;
  const isAround = (el) => roleOf(el) === "combobox" && seen(el) && el.querySelectorAll("select").length === 1;
  const marked = beside && [beside, ...beside.querySelectorAll("*")].find((el) => FACES.has(roleOf(el)) && seen(el));
  return marked || closest(parentOf(list), isAround) || drawnBehind(list);
}

// What is drawn right behind a native list that nobody sees, in its place, by elements that do not say so: a line that says an
// option of it, or nothing is chosen yet, and that takes the pointer or the keys.
function drawnBehind(list) {
  const next = list.localName === "select" && !seen(list) ? list.nextElementSibling : null;
  if (!next || !seen(next) || next.getBoundingClientRect().height > FACE_HEIGHT) return null;
  const parts = [next, ...allIn(next)];
  const isTaking = (el) => isClickable(el) || isEditable(el) || el.hasAttribute("tabindex");
  const isEntryOf = (el) => el.localName === "input" && isEditable(el) && !labelsOf(el).length;
  if (!parts.some(isTaking) || parts.some((el) => CLICKABLE.has(roleOf(el)) && seen(el) && !isEntryOf(el))) return null;
  const said = plain(shownIn(next));
  const says = ({ label }) => (list.multiple ? hasWhole(said, plain(label)) : said === plain(label));
  return !chosenIn(list) || (!list.multiple && list.value === "") || [...list.options].some(says) ? next : null;
}

// The native list in whose place an element is drawn.
function listDrawnBy(el) {
  const list = el.previousElementSibling;
  return list?.localName === "select" && drawnBehind(list) === el ? list : null;
}

// What is used in the place of a list: what is drawn for one that nobody sees.
function standIn(el, kind) {
  const isCovered = el.localName === "select" && (kind === "click" || kind === "select" ? !seen(el) && atMiddle(el) !== el : !visible(el));
  return (isCovered && widgetOf(el)) || el;
}

// What an option of a closed list is chosen with: its list, or what is drawn in the place of that.
function listOf(option) { return fieldsOf(option).map((field) => faceToUse(standIn(field, "click"))); }

// A hidden toggle or file input stands behind its visible label, a hidden list behind what is drawn in its place.
function stand(found, { kind, trait }) {
  const { el } = found;
  if (kind === "upload") return { ...found, el: fileFieldOf(el) || el };
  const box = kind === "check" && roleOf(el) === "row" ? leadingBox(el) : null;
  if (box) return stand({ ...found, el: box }, { kind, trait });
  if (kind === "click" && trait === "foldable") return { ...found, el: folderOf(el) };
  if (kind === "click" && roleOf(el) === "columnheader") return { ...found, el: sorterOf(el) };
  if (kind === "click" && roleOf(el) === "treeitem") return { ...found, el: lineOf(el) };
  const face = standIn(el, kind);
  if (face !== el) return { ...found, el: face };
  if (!["check", "click", "read"].includes(kind) || !el.labels?.length) return found;
  const isThere = kind === "read" || TOGGLES.has(roleOf(el)) ? seen(el) : visible(el);
  const label = isThere ? null : [...el.labels].find(seen);
  return label ? { ...found, el: label } : found;
}

// Whether one can click an element, or bring it to where one can: fields may lie unseen below what is drawn for them.
function inReach(el) {
  if (!visible(el) || isControl(el) || el.localName === "option") return visible(el);
  const box = el.getBoundingClientRect();
  return !el.closest("[inert]") && (!(box.width && box.height) || inView(box, el));
}

// Whether an element is hidden from what a tool wants of it.
function hides(el, kind) { return !({ read: seen, value: legible, click: inReach }[kind] || visible)(el); }

function rank(found, query, modal) {
  const { el, tier, source } = found;
  const hidden = hides(el, query.kind) && query.kind !== "upload" ? 1 : 0;
  if (query.kind === "read") return [0, hidden, tier ? 1 : 0, roleFit(found.origin, query.role) ?? 9];
  const behind = query.kind !== "value" && modal && !contains(modal, el) ? 1 : 0;
  const fit = kindFit(el, query.kind) ?? 9;
  const placed = query.listed && fit ? 0 : source;
  return [behind, hidden, tier, roleFit(found.origin, query.role) ?? 9, fit, placed];
}

function order(left, right) {
  const index = left.findIndex((number, at) => number !== right[at]);
  return index < 0 ? 0 : left[index] - right[index];
}

// Whether two links lead to one place. One that leads nowhere does what a script makes of it: "Delete" in each row.
function same(one, other) {
  if (/^$|^#!?$|^javascript:/i.test((one.getAttribute("href") || "").trim())) return false;
  return one.localName === "a" && other.localName === "a" && one.href === other.href && roleOf(one) === "link";
}

// Whether two are tabs of one panel: the later one is a way to the earlier.
function isSameTab(one, other) {
  const panel = one.getAttribute("aria-controls");
  return roleOf(one) === "tab" && roleOf(other) === "tab" && Boolean(panel) && panel === other.getAttribute("aria-controls");
}

// Whether an element is what a control opens or shows, which is no second thing of its name.
function isShownBy(control, el) {
  const ids = `${control.getAttribute("aria-controls") || ""} ${control.getAttribute("aria-owns") || ""}`.split(/\s+/);
  return control !== el && el.id !== "" && ids.includes(el.id);
}

// Of several on one spot the innermost; of links to the same place the first, where it does not matter which is used.
function distinct(top, query) {
  const unique = [...new Set(top)].filter((el, _, all) => !all.some((other) => isShownBy(other, el)));
  if (!query.element || MARKS.has(query.role)) return unique;
  const innermost = unique.filter((el) => !unique.some((other) => other !== el && contains(el, other)));
  const inner = innermost.filter((el, index) => !innermost.slice(0, index).some((other) => isSameTab(other, el)));
  if (query.kind !== "click") return inner;
  return inner.filter((el, index) => !inner.slice(0, index).some((other) => same(other, el)));
}

// Of elements found by their names, those that count: to look at "log" is not to look at a "Blog", and whose value is
// that of "Total" is no longer a question where something has just this name, if only hidden. Nor is "Save" to be clicked
// in "Saved searches". What a control opens has no state of its own, but that of the control, however that is drawn.
function byName(found, { kind, exact }) {
  if (exact) return found.filter(({ el, tier, source }) => tier === 0 && source < 5 && kindFit(el, kind) === 0);
  const isOpened = ({ el }) => found.some((one) => isShownBy(one.el, el) && visible(one.el));
  const own = kind === "value" ? found.filter((one) => !isOpened(one)) : found;
  const whole = kind === "value" ? own.filter(({ tier }) => tier === 0) : [];
  return whole.length ? whole : own.filter(({ tier }) => tier < 3);
}

// The one of several that an ordinal names, counted in reading order from 1; -1 is the last.
function ordinal(best, { ordinal: number, role }, here) {
  const found = [inOrder(best).at(number > 0 ? number - 1 : number)].filter(Boolean);
  return found.length && role === "row" && number === -1 ? lastRows(found[0], here) : found;
}

const DROPPED = [0, 0, 1]; // the rank of what nothing bears the name of: in sight, and not certain

// What something is dropped into, where nothing is called just so: a lane whose heading has a counter beside its name.
function dropPlaces({ element, ordinal }, here) {
  return ordinal ? [] : containers(element, here, "", true).filter(({ length }) => length === 1).flat();
}

// Whether what was found is a text that may be the label of a field beside it.
function isLabel({ el }) { return SAYING.has(roleOf(el)) && roleOf(el) !== "heading" && !isClickable(el); }

// All that match, best first, each with its rank; `best` are those of the best rank, one for each thing on the page.
function search(query) {
  const scope = scopeOf(query.relations);
  const modal = modalNow();
  const page = [document.body, document.documentElement];
  const here = (el) => isIn(scope, el);
  const isSelected = (el) => query.kind === "check" && query.role === "row" && roleFit(el, "row") === 0; // by its box or a click
  const isNoText = (el) => query.role === "textbox" && !query.element && el.localName === "select"; // "the text field" is none
  const canBe = ({ el }) => (kindFit(el, query.kind) !== null || isSelected(el)) && !page.includes(el) && !isNoText(el);
  const isMenu = (el) => query.role === "combobox" && /^(click|read)$/.test(query.kind) && opensMenu(el);
  const usable = (one) => (roleFit(one.el, query.role) !== null || isMenu(one.el)) && canBe(one);
  let found = byName(gather(query).map((one) => untied(one, query.kind)).filter(usable), query);
  const isOpen = query.element && !query.exact;
  const isSet = ["type", "select", "check"].includes(query.kind) && !found.some(({ tier }) => tier === 0);
  const close = isOpen && (isSet || !found.length) ? nearby(query) : []; // of just this name, where others only begin with it
  if (close.length) found = close;
  else if (isOpen && query.kind === "value" && found.every((one) => isLabel(one) || roleOf(one.el) === "heading")) {
    const isMeant = ({ el }) => found.every(isLabel) || isForText(el);
    const fields = nearby(query).filter(isMeant).filter(({ el }) => !squash(nameOf(el)));
    if (fields.length) found = fields;
  }
  // Whether a text on the page or an option of a closed list is meant, nobody can tell.
  const listed = query.kind === "click" && found.some(({ el }) => isShut(el));
  const rankedOf = (some) => some.filter(({ el }) => here(el)).map((one) => {
    const stood = { ...stand(one, query), origin: one.el };
    return { ...stood, rank: rank(stood, { ...query, listed }, modal) };
  });
  const ranked = rankedOf(found);
  const isShown = ({ rank: [, hidden] }) => !hidden;
  const isPlain = query.role && !query.exact && !MARKS.has(query.role) && !scope.unknown && !ranked.some((one) => isShown(one) && one.tier === 0);
  const looks = isPlain ? rankedOf(drawnFor(query, here).filter(canBe)).filter(isShown) : [];
  ranked.push(...looks);
  ranked.sort((left, right) => order(left.rank, right.rank));
  const leading = ranked.filter((one) => order(one.rank, ranked[0].rank) === 0);
  const labels = new Set(leading.flatMap(({ origin }) => [...(origin.labels || []), ...(isControl(origin) ? labelledBy(origin) : [])]));
  const unlabelled = leading.filter(({ origin }) => !labels.has(origin)).map(({ el }) => el);
  const top = query.kind === "read" ? unlabelled : inFront(unlabelled);
  const dropped = query.kind === "drop" && ranked[0]?.rank[2] !== 0 ? dropPlaces(query, here) : [];
  const best = dropped.length ? dropped : query.ordinal ? ordinal(distinct(top, { ...query, kind: "read" }), query, here)
    : scope.steps.reduce((several, step) => nearest(step, several), distinct(top, query));
  const groups = new Set(looks.map(({ group }) => group).filter((group) => group >= 0));
  return { all: ranked, best, rank: dropped.length ? DROPPED : ranked[0]?.rank || null, unknownPart: scope.unknown, missed: scope.missed, unnamed: scope.unnamed, parts: scope.parts, looks: groups.size };
}
