// What is drawn as a row, an item, a control or a dialog, though no role says so: pages of plain elements. It counts only
// where nothing in the same place says that it is of the kind. Functions over the DOM without any state.

const EDGE = 4; // px: so far from the edge of the window what stands at it may be
const ROW_HEIGHT = 160; // px: higher than a row of a table is
const PANEL_WIDTH = 100; // px: as wide and high as a box of its own has to be
const PANEL_HEIGHT = 40;
const HEADING_SIZE = 1.2; // times the size of the page's text, from which a text is drawn as a heading
const LINES_OF = new Set(["", "listitem", "article", "group", "link"]);
const NO_DATA = "nav,header,footer,[role=navigation],[role=banner],[role=contentinfo],[role=menu],[role=menubar],[role=tablist],[role=toolbar]";
const STATE_CLASS = /(^|[-_])(on|off|active|current|selected|checked|open|odd|even|first|last|new|done|disabled|hover|focus)$/i;
const CHOSEN_CLASS = /(^|[-_])(on|active|current|selected|checked|open|hover|focus)$/i;
const ITEM_CLASS = /(^|[-_])(card|item|tile|product|entry)$/i;
const TABS = /(^|[-_])tabs$/i;
const DRAWN_CONTROLS = new Set(["button", "link", "tab", "menuitem"]);

function shownChildren(el) {
  return [...el.children].filter((child) => !UNSEEN.has(child.localName) && child.getClientRects().length > 0 && visible(child));
}

function saysSomething(el) { return squash(textOf(el)) !== "" || el.querySelector("input,button,img,svg") !== null; }

// The elements that one shows side by side, left to right, if that is how a row of values is drawn; else null.
function cellsAcross(el) {
  if (!LINES_OF.has(roleOf(el)) || el.children.length < 2 || el.closest(NO_DATA)) return null;
  const { height } = el.getBoundingClientRect();
  const cells = height > 0 && height <= ROW_HEIGHT ? shownChildren(el) : [];
  if (cells.length < 2 || cells.filter((cell) => squash(textOf(cell))).length < 2) return null;
  if (cells.some((cell) => cell.localName === "label" || cell.matches("input:not([type=checkbox]),select,textarea"))) return null; // a form
  const boxes = cells.map((cell) => cell.getBoundingClientRect());
  const apart = (box, i) => i === 0 || (box.left >= boxes[i - 1].right - SLACK && overlap(box.top, box.bottom, boxes[0].top, boxes[0].bottom) > 0);
  return boxes.every(apart) ? cells : null;
}

// What an element is made like, whatever state its classes tell.
function make(el) { return `${el.localName}.${[...el.classList].filter((name) => !STATE_CLASS.test(name)).join(".")}`; }

function gathered(all, keyOf) {
  const groups = new Map();
  for (const one of all) groups.set(keyOf(one), [...(groups.get(keyOf(one)) || []), one]);
  return [...groups.values()];
}

// How the text of a cell is set; nothing where it has none.
function setting(cell) {
  const run = textNodes(cell).find(({ at }) => at);
  const { fontWeight, fontSize, color, textTransform } = run ? getComputedStyle(run.at) : {};
  return run ? [fontWeight, fontSize, color, textTransform].join() : "";
}

function leftOf(el) { return el.getBoundingClientRect().left; }

function cellAt({ cells }, left) { return cells.find((cell) => Math.abs(leftOf(cell) - left) <= SLACK); }

// Whether two lines have their cells in the same columns; some of one may be empty.
function isAligned(one, other) {
  const [few, many] = one.cells.length <= other.cells.length ? [one, other] : [other, one];
  return Math.abs(leftOf(one.el) - leftOf(other.el)) <= SLACK && few.cells.every((cell) => cellAt(many, leftOf(cell)));
}

function aligned(lines) {
  const groups = [];
  for (const line of lines) {
    const group = groups.find((some) => some.every((other) => isAligned(line, other)));
    if (group) group.push(line);
    else groups.push([line]);
  }
  return groups;
}

// Whether a line is set as the head of those below it: in every column otherwise than they are, and not as the chosen one.
function isHeadOf(line, next) {
  const isChosen = ({ el }) => [...el.classList].some((name) => CHOSEN_CLASS.test(name));
  if (next && isChosen(line) && !isChosen(next)) return false;
  if (!next || line.cells.some((cell) => cell.querySelector("input:not([type=checkbox])"))) return false;
  const pairs = line.cells.map((cell) => [cell, cellAt(next, leftOf(cell))]).map((pair) => pair.map((cell) => (cell ? setting(cell) : "")));
  const set = pairs.filter(([own, other]) => own && other);
  return set.length > 1 && set.every(([own, other]) => own !== other);
}

function parted(lines) {
  const hasHead = isHeadOf(lines[0], lines[1]);
  const look = ({ cells }) => [...new Set(cells.map(setting))].join("|");
  const tables = [];
  for (const line of lines) {
    const heads = hasHead && look(line) === look(lines[0]);
    if (heads || !tables.length) tables.push({ head: heads ? line : null, rows: heads ? [] : [line] });
    else tables.at(-1).rows.push(line);
  }
  return tables;
}

// Tables that are drawn of plain elements, each with its head (null: none is drawn) and rows, as { el, cells }.
function drawnTables() {
  const all = allElements().map((el) => ({ el, cells: cellsAcross(el) })).filter(({ cells }) => cells);
  const lines = all.filter(({ el }) => !all.some((other) => other.el !== el && contains(other.el, el)));
  const byPlace = aligned(lines).filter((group) => group.length > 1);
  const placed = new Set(byPlace.flat());
  const ids = new Map();
  const parent = (el) => ids.get(el.parentElement) ?? (ids.set(el.parentElement, ids.size), ids.size - 1);
  const rest = lines.filter((line) => !placed.has(line));
  const byMake = gathered(rest, ({ el }) => `${parent(el)} ${make(el)}`).filter((group) => group.length > 1);
  return [...byPlace, ...byMake].flatMap(parted).filter(({ head, rows }) => head || rows.length > 1);
}

// Groups of elements that are made alike, each more than a text: the items of a list, or cards.
function drawnItems() {
  const fits = (el) => LINES_OF.has(roleOf(el)) && el.parentElement && !el.closest(NO_DATA) && visible(el) && saysSomething(el) &&
    (shownChildren(el).length > 1 || [...el.classList].some((name) => ITEM_CLASS.test(name)));
  const cells = new Set(drawnTables().flatMap(({ head, rows }) => [...rows, ...(head ? [head] : [])]).flatMap((line) => line.cells));
  const items = allElements().filter((el) => el.className && !cells.has(el) && fits(el));
  const isListed = (group) => group.length > 1 || [...group[0].classList].some((name) => ITEM_CLASS.test(name));
  const groups = gathered(items, (el) => `${make(el.parentElement)} ${make(el)}`).filter(isListed);
  const isPartOf = (group, whole) => group !== whole && group.length === whole.length &&
    group.every((el, i) => el !== whole[i] && contains(whole[i], el)); // each item has one such part
  return groups.filter((group) => !groups.some((other) => isPartOf(group, other)));
}

// What can be clicked in what a class calls tabs: groups of what is made alike.
function drawnTabs() {
  const holderOf = (el) => closest(el, (at) => at.localName && [...at.classList].some((name) => TABS.test(name)));
  const fits = (el) => isClickable(el) && (!roleOf(el) || roleFit(el, "tab") !== null) && visible(el) && saysSomething(el) && holderOf(el);
  const items = allElements().filter(fits).filter((el, _, all) => !all.some((other) => other !== el && contains(other, el)));
  const holders = [...new Set(items.map(holderOf))];
  return gathered(items, (el) => `${holders.indexOf(holderOf(el))} ${make(el.parentElement)} ${make(el)}`);
}

// What lies over the middle of the window, or before a veil, without saying that it is a dialog: a person takes it for one.
function overlayNow() {
  const top = topAt([innerWidth / 2, innerHeight / 2]);
  const over = top && closest(top, (at) => at.localName && getComputedStyle(at).position === "fixed");
  if (!over || !visible(over) || ["navigation", "banner", "main"].includes(roleOf(over))) return veiledNow();
  const { width, height } = over.getBoundingClientRect();
  const behind = [...sheet().children].some((el) => !contains(el, over) && visible(el) && squash(textOf(el)));
  return veiledNow() || (behind && width * height > (innerWidth * innerHeight) / 10 ? over : null);
}

// Whether there is something to use in an element.
function offersUse(el) { return allIn(el).some((one) => isClickable(one) && visible(one)); }

// Whether an element that says nothing of itself is drawn as a box of its own over the page: taken out of its lines, filled,
// framed, with something to use in it. It may be a dialog, or a menu or a card.
function isPanel(el) {
  if (!el.localName || !/^(|form|region|group|article)$/.test(roleOf(el))) return false;
  const { position, backgroundColor, boxShadow, borderTopWidth } = getComputedStyle(el);
  if (!/absolute|fixed/.test(position) || !isSolidColour(backgroundColor) || (boxShadow === "none" && !parseFloat(borderTopWidth))) return false;
  const { left, right, width, height } = el.getBoundingClientRect();
  const isFree = left > EDGE && right < document.documentElement.clientWidth - EDGE && width >= PANEL_WIDTH && height >= PANEL_HEIGHT;
  return isFree && visible(el) && contains(el, atMiddle(el)) && offersUse(el);
}

// Whether an element is one of the numbers in a row that lead to the pages of a list.
function isNumberedPage(el) {
  const number = squash(textOf(el));
  const isNumber = (one) => /^\d+$/.test(squash(textOf(one))) && textNodes(one).length === 1;
  if (!isNumber(el) || closest(el, (at) => at.localName && TABLE_PARTS.has(roleOf(at)))) return false;
  const row = pagesAround(el);
  return row !== null && shownChildren(row).filter(isNumber).length > 1 && !isMonth(row) && !isWeek(row);
}

// Whether an element shows the days of a month, each by itself.
function isMonth(el) {
  const days = [...(el?.querySelectorAll("*") || [])].map((one) => squash(one.textContent)).filter((text) => /^([1-9]|[12]\d|3[01])$/.test(text));
  return new Set(days).size >= 28;
}

// Whether a row of numbers is one of several, as the weeks of a month.
function isWeek(row) { return shownChildren(row.parentElement || row).filter((one) => /^[\d\s]+$/.test(textOf(one))).length > 3; }

// The row around the number of a page.
function pagesAround(el) {
  const number = squash(textOf(el));
  return closest(parentOf(el), (at) => at.localName && squash(textOf(at)) !== number);
}

// The strip across the top of the page, or the columns at its sides, where nothing says that it is the header or the sidebar.
function edgesOf(role) {
  const [wide, high] = [document.documentElement.clientWidth, innerHeight];
  const isStrip = (box) => box.top + scrollY <= EDGE && box.width >= wide - 2 * EDGE && box.height >= 20 && box.height <= ROW_HEIGHT;
  const isColumn = (box) => box.height >= high * 0.6 && box.width >= 80 && box.width <= wide * 0.35 && (box.left <= EDGE || box.right >= wide - EDGE);
  const fits = (el) => (role === "banner" ? isStrip : isColumn)(el.getBoundingClientRect());
  const isPlain = (el) => !roleOf(el) || (role === "complementary" && roleOf(el) === "navigation");
  const all = [...sheet().querySelectorAll("*")].filter((el) => isPlain(el) && fits(el) && visible(el) && saysSomething(el));
  return all.filter((el) => !all.some((other) => other !== el && contains(other, el)));
}

function holderOf(elements) { return closest(elements[0], (at) => elements.every((el) => contains(at, el))); }

// All that is drawn as a kind of things that stand in numbers: { el, group }, of one group what belongs together and is
// known by its look alone; -1: it stands below a head, so that nothing else can be meant.
function drawnAs(role) {
  if (role === "dialog") return [overlayNow()].filter(Boolean).map((el) => ({ el, group: -1 }));
  if (role === "banner" || role === "complementary") return edgesOf(role).map((el) => ({ el, group: -1 }));
  if (role === "tab") return drawnTabs().flatMap((group, i) => group.map((el) => ({ el, group: i })));
  if (role === "listitem" || role === "list") {
    const groups = drawnItems();
    return groups.flatMap((group, i) => (role === "list" ? [holderOf(group)] : group).map((el) => ({ el, group: i })));
  }
  const tables = TABLE_PARTS.has(role) ? drawnTables() : [];
  const members = ({ head, rows }) => ({
    row: rows.map(({ el }) => el), cell: rows.flatMap((row) => row.cells), columnheader: head?.cells || [],
    table: head ? [holderOf([head, ...rows].map(({ el }) => el))] : [],
  })[role];
  return tables.flatMap((table, i) => members(table).map((el) => ({ el, group: table.head ? -1 : i })));
}

// What is drawn as a kind of things that is not named: where rows stand below a head, other lines are none.
function drawnUnnamed(role) {
  const all = drawnAs(role);
  const sure = all.filter(({ group }) => group === -1);
  return sure.length ? sure : all;
}

// The cells below one that heads a column of a drawn table.
function drawnBelow(el) {
  const table = drawnTables().find(({ head }) => head?.cells.some((cell) => contains(cell, el)));
  const left = table ? leftOf(table.head.cells.find((cell) => contains(cell, el))) : 0;
  return table ? table.rows.map((row) => cellAt(row, left)).filter(Boolean) : [];
}

// Whether the place says of something that it is of this kind, so that what it does not call so is none.
function saysWhich(role, here) {
  const holder = { row: GRIDS, cell: GRIDS, columnheader: GRIDS, listitem: new Set(["list", "listbox"]) }[role];
  return Boolean(holder) && allElements().some((el) => holder.has(roleOf(el)) && here(el) && visible(el) && !el.closest(NO_DATA) && !isLayout(el));
}

function isDrawnControl(el, role) {
  if (roleOf(el) || el.localName === "label" || !isClickable(el)) return false;
  const around = el.parentElement && squash(textOf(el.parentElement)) === squash(textOf(el)) ? el.parentElement : el; // of it alone
  return role !== "tab" || [el, around].some((one) => peersOf(one).length > 0);
}

// What stands beside an element, is made like it, and has something to click.
function peersOf(el) {
  const isMadeAlike = (other) => make(other) === make(el) || [...el.classList].some((name) => other.classList.contains(name));
  const isUsed = (other) => isClickable(other) || [...other.querySelectorAll("*")].some(isClickable);
  return [...(el.parentElement?.children || [])].filter((other) => other !== el && isMadeAlike(other) && isUsed(other));
}

// Whether an element that does not say what it is looks like a button, a box of its own, or like a link, underlined or in a
// colour of its own. What most of those made like it do not have tells a state, as that it is the chosen one. A tab looks
// like nothing else. One that does not may still be used as one, where the page says of nothing that it is of the kind.
function looksLike(el, role) {
  const looks = { button: paints, link: isDrawnAsLink }[role] || (() => false);
  if (!looks(el)) return false;
  const others = madeLike(el);
  return 2 * others.filter(looks).length >= others.length;
}

// The others on the page that are made like an element, in what is made like its parent, and can be clicked; none where no
// class tells how it is made.
function madeLike(el) {
  if (!el.classList.length) return [];
  const key = (one) => one.parentElement && `${make(one.parentElement)} ${make(one)}`;
  return allElements().filter((one) => one !== el && key(one) === key(el) && isClickable(one) && visible(one));
}

// Whether the text of an element is underlined, or in a colour in which no text is drawn that cannot be clicked. Shades of grey
// set apart what is less important.
function isDrawnAsLink(el) {
  const { color, textDecorationLine } = getComputedStyle(textNodes(el)[0]?.at || el);
  const parts = rgba(color).slice(0, 3);
  const isText = (one) => ownText(one) && getComputedStyle(one).color === color && visible(one) && !closest(one, isClickable);
  const isUnderlined = [textDecorationLine, getComputedStyle(el).textDecorationLine].some((line) => line.includes("underline"));
  return isUnderlined || (Math.max(...parts) - Math.min(...parts) > ALIKE && !allElements().some(isText));
}

function passesFor(el, { role, kind }) {
  if (!isDrawnControl(el, role)) return false;
  const isMarked = () => allElements().some((one) => roleOf(one) === role && visible(one));
  return !/^(read|value|check)$/.test(kind) || looksLike(el, role) || !isMarked();
}

// Whether an element is drawn as a heading: in large letters, as all that its line says.
function isDrawnHeading(el) {
  const isLarge = parseFloat(getComputedStyle(el).fontSize) >= HEADING_SIZE * parseFloat(getComputedStyle(sheet()).fontSize);
  const line = blockOf(el) || el;
  return !roleOf(el) && isLarge && !closest(el, (at) => roleOf(at) === "heading") && phrasesIn(line).includes(squash(textOf(el)));
}

// What bears a name and is drawn as what was asked for.
function drawnNamed({ element, role, kind }) {
  const want = plain(element);
  if (DRAWN_CONTROLS.has(role) || role === "heading") {
    const fits = ({ el, tier }) => tier < 2 && (role === "heading" ? isDrawnHeading(el) : passesFor(el, { role, kind }));
    return gather({ element, role: "", kind }).filter(fits);
  }
  const hits = allTextHits(want).filter((el) => visible(el));
  if (role === "dialog") {
    const titles = hits.filter((el) => compare(textOf(el), want) === 0 && !isClickable(el));
    const boxes = [overlayNow(), ...titles.map((el) => closest(el, isPanel))].filter(Boolean);
    const titled = boxes.find((box) => titles.some((el) => contains(box, el)));
    return titled ? [{ el: titled, tier: 0, source: 0 }] : [];
  }
  if (!TABLE_PARTS.has(role) && role !== "listitem") return [];
  const all = hits.length ? drawnAs(role) : [];
  const named = hits.map((hit) => [hit, all.find(({ el }) => contains(el, hit))]).filter(([, found]) => found);
  return named.map(([hit, { el }]) => ({ el, tier: compare(textOf(role === "cell" ? el : hit), want), source: 2 })).filter(({ tier }) => tier !== null && tier < 3);
}

// What is drawn as what a query asks for, where nothing says of itself that it is of this kind.
function drawnFor(query, here) {
  if (query.element) return drawnNamed(query);
  if (saysWhich(query.role, here)) return [];
  return drawnUnnamed(query.role).map((one) => ({ ...one, tier: query.trait ? traitFit(one.el, query.trait) : 0, source: 0 })).filter(({ tier }) => tier !== null);
}

const HOLDING = new Set(["row", "listitem", "dialog", "alertdialog", "region", "table", "list", "menu", "form", "group", "article", "alert", "status", "tooltip"]);

// What bears the name of something that is not there, and may be it all the same: for all one knows of a page of plain
// elements, a text is a button, and a heading that of a dialog. A page that marks others of the kind would mark this one.
function unsureOf(query, best, unknownPart) {
  if (query.role === "dialog" && !query.element && !unknownPart && !best.length) return allElements().filter(isPanel);
  if (!query.element || !query.role || query.role === "section" || MARKS.has(query.role) || unknownPart || best.length) return [];
  const scope = scopeOf(query.relations);
  const here = (el) => isIn(scope, el);
  const isHeld = (field) => /^(row|listitem)$/.test(query.role) && closest(field, (at) => roleFit(at, query.role) === 0) !== null;
  const edited = fieldsHolding(plain(query.element), here).filter(isHeld); // its name is in a field while it is edited
  if (edited.length) return edited;
  const marks = HOLDING.has(query.role) && allElements().some((el) => roleFit(el, query.role) === 0 && here(el) && visible(el));
  if (marks || saysWhich(query.role, here)) return [];
  const isFace = (el) => query.role === "dialog" && closest(el, (at) => CLICKABLE.has(roleOf(at))) !== null; // of what opens it
  const mayBe = (el) => (!roleOf(el) || (HOLDING.has(query.role) && !CLICKABLE.has(roleOf(el)))) && !isFace(el);
  const isClear = ({ el, tier, rank: [, hidden] }) => tier === 0 && !hidden && mayBe(el);
  return search({ ...query, role: "" }).all.filter(isClear).map(({ el }) => el);
}

// Whether an element holds a table that is made of two, so that its head stays where its body scrolls: one has heads alone,
// the other none, and their columns stand below each other.
function isSplitTable(el) {
  const tables = el.getElementsByTagName("table");
  if (tables.length !== 2 || [...el.children].some((child) => contains(child, tables[0]) && contains(child, tables[1]))) return false;
  const [head, body] = tables;
  if (head.contains(body) || body.querySelector("th,caption") || !head.rows.length || !head.querySelector("thead th")) return false;
  if (![...head.rows].every((row) => [...row.cells].every((cell) => cell.localName === "th"))) return false;
  const placesIn = (row) => [...(row?.cells || [])].map((cell) => cell.getBoundingClientRect()).filter(({ width }) => width);
  const heads = placesIn([...head.rows].at(-1));
  const cells = placesIn([...body.rows].find((row) => row.getBoundingClientRect().height > 1));
  const column = ({ left, right }) => cells.some((cell) => Math.abs(cell.left - left) <= SLACK && Math.abs(cell.right - right) <= SLACK);
  return cells.length ? heads.length > 1 && heads.filter(column).length >= cells.length : head.offsetWidth === body.offsetWidth && head.offsetWidth > 0;
}
