// Which tables hold data, and which only lay out what is in them; and which row heads a table that marks none. Functions over
// the DOM; what they found out is known until the page goes on.

const TABLE_PARTS = new Set(["row", "cell", "columnheader", "table"]);
const VALUES = new Set(["value", "wert"]); // what the column of values is called, where one speaks of "the value of" a row
const ENTRY = "input:not([type=hidden],[type=checkbox],[type=radio]),select,textarea";

const tablesKnown = whileStill(() => new Map());

function known(table) {
  const told = tablesKnown();
  if (!told.has(table)) {
    told.set(table, { layout: false, head: null }); // while it is being found out
    const isData = ownParts(table, "caption,thead").length > 0 || table.getAttribute("role");
    const marks = isData || ownParts(table, "th").length > 0;
    const layout = !isData && ((!marks && table.querySelector("table,form,h1,h2,h3") !== null) || isForm(table));
    told.set(table, { layout, head: marks || layout ? null : drawnHead(table) });
  }
  return told.get(table);
}

function ownParts(table, selector) { return [...table.querySelectorAll(selector)].filter((el) => el.parentElement.closest("table") === table); }

// Whether the rows of a table are those of a form: the name of a field, and the field; several of both in a row where each
// name is marked as a head.
function isForm(table) {
  const entry = (name) => (name.localName === "th" ? "input:not([type=hidden]),select,textarea" : ENTRY);
  const isEntry = ([name, ...rest]) => rest.some((cell) => cell.querySelector(entry(name))) && squash(name.textContent) && !name.querySelector(ENTRY);
  const groups = [...table.rows].flatMap(groupsIn).filter((cells) => cells.some((cell) => squash(cell.textContent) || cell.querySelector(ENTRY)));
  const entries = groups.filter(isEntry);
  return entries.length * 2 >= groups.length && entries.length > 0 && groups.every((cells) => cells.length <= 3) && !isHeaded(table);
}

function groupsIn({ cells }) {
  const begins = [...cells].map((cell, at) => (at === 0 || cell.localName === "th" ? at : -1)).filter((at) => at >= 0);
  return begins.map((begin, at) => [...cells].slice(begin, begins[at + 1]));
}

// Whether a row of heads stands above others; a single one across a table is its title.
function isHeaded(table) { return [...table.rows].some((row) => row.cells.length > 1 && isHeaderRow(row)); }

function titleOf(table) {
  const [first] = table.rows || [];
  const [cell] = first?.cells.length === 1 ? first.cells : [];
  return cell?.localName === "th" && cell.colSpan > 1 ? cell : null;
}

function tableTitledBy(el) {
  const cell = el.closest("th");
  const table = cell?.closest("table");
  return table && titleOf(table) === cell ? table : null;
}

function drawnHead(table) {
  const [first, second] = [...table.rows].map((row) => ({ el: row, cells: [...row.cells] }));
  return first?.cells.length > 1 && isHeadOf(first, second) ? first.el : null;
}

// Whether a table, or what a cell or row is of, only lays out what is in it.
function isLayout(el) {
  const table = el.closest("table");
  return Boolean(table) && /^(table|tr|td|th)$/.test(el.localName) && !el.getAttribute("role") && known(table).layout;
}

// Whether a cell heads its column though its table marks no heads: its row is set otherwise than those below.
function isHeadCell(cell) {
  const table = cell.closest("table");
  return Boolean(table) && table.rows[0] === cell.parentElement && known(table).head === cell.parentElement;
}

// Of the cells of a row, those in the column of values.
function valueCells(across) {
  const table = closest(across[0], (at) => GRIDS.has(roleOf(at)));
  const heads = table ? [...table.querySelectorAll(CELLS)].filter((cell) => VALUES.has(bare(textOf(cell))) && roleOf(cell) === "columnheader") : [];
  return heads.flatMap(below).filter((cell) => across.includes(cell));
}

// The checkbox that a row is selected by: it stands alone in the first cell.
function leadingBox(row) {
  const [first] = cellsOf(row);
  const held = first && !squash(textOf(first)) ? [...first.querySelectorAll("*")].filter(isControl) : [];
  const [box] = held.filter((el) => !held.some((other) => other !== el && contains(other, el)));
  return box && held.every((el) => contains(box, el)) && roleOf(box) === "checkbox" ? box : null;
}

// Whether a head cell is empty, or holds what one fills in to choose rows and says nothing by itself: it heads no column.
function headsNothing(cell) {
  if (roleOf(cell) !== "columnheader") return false;
  const inside = allIn(cell);
  const isUsed = (at) => at !== cell && (isControl(at) || roleOf(at) === "button");
  const says = ({ at, data }) => squash(data) && closest(at, (one) => one === cell || isUsed(one)) === cell;
  const isFilter = inside.some((el) => FIELDS.has(roleOf(el))) && ![...runsIn(cell)].some(says);
  return isFilter || (!inside.length && !squash(nameOf(cell)));
}

// ---- what of a row or a heading carries out what is done to it

const FOLDS = "[aria-expanded]:not([aria-haspopup]),summary";

function isFoldedByPart(el) { return /^(row|treeitem)$/.test(roleOf(el)); }

// What opens and closes what belongs to a row or a tree's item: its only part that tells whether it is open, or that
// stands before all its text, as a menu at its end does not; null: it has none.
function foldOf(row) {
  const isOwn = (at) => visible(at) && closest(at, isFoldedByPart) === row;
  const told = allIn(row).filter((at) => at.matches(FOLDS) && isOwn(at) && !allIn(at).some(isFoldedByPart)); // not what is folded
  const fold = told.length === 1 ? told[0] : told.find((at) => leads(row, at));
  const isOfBox = (at) => [at, ...allIn(at)].some(isControl) || closest(at, (one) => one.localName === "label" && one.control) !== null;
  const isSign = (at) => isClickable(at) && !isOfBox(at) && !/\p{L}/u.test(textOf(at)) && leads(row, at);
  const signs = fold || !row.hasAttribute("aria-expanded") ? [] : [...allIn(row).filter(isOwn), ...drawnBefore(row).filter(visible)];
  return fold || signs.find(isSign) || null;
}

// Whether a part stands before all the text of a row: in the document, or by its place if it is drawn by the row itself.
function leads(row, part) {
  if (part.getRootNode() !== row.getRootNode()) {
    const [text] = [...runsIn(row)].filter(({ data }) => squash(data)).map((run) => letterBox(run, false));
    return !text || part.getBoundingClientRect().left < text.left;
  }
  const range = document.createRange();
  range.setStart(row, 0);
  range.setEndBefore(part);
  return !squash(String(range));
}

// What stands before an item in what holds no other one, but for those that belong to it: some trees draw the sign there.
function drawnBefore(item) {
  const around = parentOf(item);
  const isLone = around?.localName && !/^(tree|treegrid|grid|table|rowgroup|group)$/.test(roleOf(around)) && allIn(around).find(isFoldedByPart) === item;
  const inside = isLone ? [...around.children].flatMap((one) => [one, ...allIn(one)]) : [];
  return inside.some((one) => one !== item && parentOf(one) === around && isFoldedByPart(one)) ? [] : inside.filter((one) => follows(one, item) && !contains(one, item));
}

// What is clicked to expand or collapse an element; for content that is folded itself, the control that opens it.
function folderOf(el) {
  const opener = el.matches(FOLDS) ? null : allElements("[aria-expanded][aria-controls]").find((at) => isShownBy(at, el) && visible(at));
  if (opener) return opener;
  const row = closest(el, isFoldedByPart);
  const isInFold = row && closest(el, (at) => at === row || at.matches(FOLDS)) !== row;
  return !row || isInFold ? el : foldOf(row) || lineOf(row);
}

// The part of an item that is its own line, where it holds other items: its middle would be one of those.
function lineOf(item) {
  if (!allIn(item).some(isFoldedByPart)) return item;
  const own = [...item.children].filter((part) => !isFoldedByPart(part) && !allIn(part).some(isFoldedByPart) && squash(textOf(part)) && visible(part));
  return own.length === 1 ? own[0] : item;
}

// What is clicked to sort by a column: the heading, if it is used as a whole; else the button in it that says so, or that the
// heading's text stands in.
function sorterOf(head) {
  const says = (at) => /\bsort/i.test(labelOf(at)) || hasWhole(plain(labelOf(at)), plain(textOf(head)));
  const found = [...head.querySelectorAll("button,[role=button]")].filter((at) => visible(at) && !at.hasAttribute("aria-haspopup") && says(at));
  return found.length === 1 && getComputedStyle(head).cursor !== "pointer" ? found[0] : head;
}
