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
    const marks = ownParts(table, "th,caption,thead").length > 0 || table.getAttribute("role");
    const layout = !marks && (table.querySelector("table,form,h1,h2,h3") !== null || isForm(table));
    told.set(table, { layout, head: marks || layout ? null : drawnHead(table) });
  }
  return told.get(table);
}

function ownParts(table, selector) { return [...table.querySelectorAll(selector)].filter((el) => el.parentElement.closest("table") === table); }

// Whether the rows of a table are those of a form: the name of a field, and the field.
function isForm(table) {
  const rows = [...table.rows];
  const isEntry = ({ cells: [name, ...rest] }) => rest.some((cell) => cell.querySelector(ENTRY)) && squash(name.textContent) && !name.querySelector(ENTRY);
  const entries = rows.filter(isEntry);
  return entries.length * 2 >= rows.length && entries.length > 0 && rows.every(({ cells }) => cells.length <= 3);
}

function drawnHead(table) {
  const [first, second] = [...table.rows].map((row) => ({ el: row, cells: [...row.cells] }));
  return first?.cells.length > 1 && isHeadOf(first, second) ? first.el : null;
}

// Whether a table, or what a cell or row is of, only lays out what is in it.
function isLayout(el) {
  const table = el.closest("table");
  return Boolean(table) && /^(table|tr|td)$/.test(el.localName) && !el.getAttribute("role") && known(table).layout;
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
