// Where a target has to be: in a part of the page, beside or below something, in a column. Functions without any state.

const SLACK = 2; // px: boxes that touch may overlap by so much, and distances that differ by less are the same
const CELLS = "td,th,[role=cell],[role=gridcell],[role=rowheader],[role=columnheader]";
const GRIDS = new Set(["table", "grid", "treegrid"]);

// A header or footer is the page's own, unless it is that of an article or section.
function isEdgeOfPart(el) {
  const edge = /^(header|footer)$/.test(el.localName) && !el.hasAttribute("role");
  return edge && closest(parentOf(el), (at) => /^(article|section|aside|nav|main|li|dialog)$/.test(at.localName)) !== null;
}

// All of a kind that can be seen; what is only called so counts where nothing is just that, and the header of a part
// where the page has none.
function ofRole(role, here) {
  const all = allElements().filter((el) => here(el) && roleFit(el, role) !== null && visible(el) && !isSum(el, role));
  const whole = all.filter((el) => !isEdgeOfPart(el));
  const found = whole.length ? whole : all;
  const own = found.filter((el) => roleFit(el, role) === 0);
  if (own.length || found.length) return own.length ? own : found;
  return saysWhich(role, here) ? [] : drawnUnnamed(role).map(({ el }) => el).filter((el) => here(el) && visible(el));
}

function named({ anchor, role }, here) {
  const usable = ({ el, tier }) => tier < 3 && roleFit(el, role) !== null && here(el) && visible(el);
  const marked = gather({ element: anchor, role, kind: "read" }).filter(usable);
  const found = marked.length ? marked : nearby({ element: anchor, role, kind: "read" }).filter(({ el }) => here(el));
  const best = Math.min(...found.map(({ tier }) => tier));
  return distinct(found.filter(({ tier }) => tier === best).map(({ el }) => el), { element: anchor, kind: "read" });
}

// The fields of a name, or the group of fields: a date of three parts is one field to whoever reads its name above them.
function fieldsCalled(relation, here) {
  const fields = named(relation, here);
  return fields.length ? fields : named({ ...relation, role: "group" }, here).filter(isFieldGroup);
}

// ---- columns

// Whether something is in the foot of a table: sums are no rows of it, unless they are named.
function inFoot(el) { return el.closest("tfoot") !== null; }
function isSum(el, role) { return role === "row" && inFoot(el); }

// What the last row may be: also the one in the foot below it.
function lastRows(row, here) {
  const table = closest(row, (at) => GRIDS.has(roleOf(at)));
  const feet = table ? [...table.querySelectorAll("tfoot tr")].filter((el) => roleOf(el) === "row" && visible(el) && here(el)) : [];
  return [row, ...feet.slice(-1)];
}

function rowOf(cell) { return closest(cell, (at) => roleOf(at) === "row"); }
function cellsOf(row) { return [...row.querySelectorAll(CELLS)].filter((cell) => rowOf(cell) === row); }

// The columns that each cell of a table's rows is in, as [first, last] from 1: a cell that spans rows moves those below it.
function columnsIn(table) {
  const taken = []; // by row and column
  const found = new Map();
  const rows = [...table.querySelectorAll("tr,[role=row]")].filter((row) => closest(parentOf(row), (at) => GRIDS.has(roleOf(at))) === table);
  rows.forEach((row, down) => {
    let at = 1;
    for (const cell of cellsOf(row)) {
      while (taken[down]?.[at]) at += 1;
      const told = Number(cell.getAttribute("aria-colindex"));
      const first = told || at;
      const last = first + (cell.colSpan || 1) - 1;
      found.set(cell, [first, last]);
      const part = cell.closest("thead,tbody,tfoot,table");
      for (let below = 0; below < (cell.rowSpan || 1) && rows[down + below]?.closest("thead,tbody,tfoot,table") === part; below += 1) {
        for (let column = first; column <= last; column += 1) (taken[down + below] ??= [])[column] = true;
      }
      at = last + 1;
    }
  });
  return found;
}

// The cells below the head of a column, in the rows that are not heads themselves; with `foot` also those of the sums.
function below(head, foot = false) {
  const table = closest(head, (at) => GRIDS.has(roleOf(at)));
  if (!table || !rowOf(head)) return [];
  const columns = columnsIn(table);
  const [first, last] = columns.get(head) || [0, 0];
  const rows = [...table.querySelectorAll("tr,[role=row]")].filter((row) => closest(row, (at) => at === table));
  const cells = rows.filter((row) => !isHeaderRow(row) && row !== rowOf(head) && (foot || !inFoot(row))).flatMap(cellsOf);
  const under = (cell) => { const [from, to] = columns.get(cell) || [0, -1]; return from <= last && to >= first; };
  return cells.filter((cell) => closest(cell, (at) => GRIDS.has(roleOf(at))) === table && under(cell));
}

function column({ anchor }) {
  const heads = allElements("th,td,[role=columnheader]");
  const fits = heads.filter((el) => roleOf(el) === "columnheader" && visible(el))
    .map((el) => ({ el, tier: wordsFit(textOf(el), plain(anchor)) })).filter(({ tier }) => tier !== null);
  const best = Math.min(...fits.map(({ tier }) => tier));
  if (!fits.length) return allTextHits(plain(anchor)).filter((el) => visible(el) && compare(textOf(el), plain(anchor)) === 0).flatMap(drawnBelow);
  return fits.filter(({ tier }) => tier === best).flatMap(({ el }) => below(el));
}

// ---- beside, below, after

function follows(one, other) { return Boolean(one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING); }

function boxed(el) {
  const shown = visible(el) ? el : [...(el.labels || [])].find(visible) || el;
  return shown.getBoundingClientRect();
}

function overlap(from, to, start, end) { return Math.min(to, end) - Math.max(from, start); }

function isBelow(upper, lower) {
  return lower.top >= upper.bottom - SLACK && overlap(upper.left, upper.right, lower.left, lower.right) > 0;
}

// Whether elements are in parts that stand side by side, as columns do, of which none is above the other.
function standsAside(one, other) {
  const partOf = (el, without) => { let part = el; while (parentOf(part) && !contains(parentOf(part), without)) part = parentOf(part); return part; };
  if (contains(one, other) || contains(other, one)) return false;
  const [from, to] = [partOf(one, other), partOf(other, one)].map((part) => part.getBoundingClientRect());
  return overlap(from.left, from.right, to.left, to.right) <= SLACK && overlap(from.top, from.bottom, to.top, to.bottom) > Math.min(from.height, to.height) / 2;
}

// Whether all places of one text are beside all of another.
function areAside(ones, others) { return others.length > 0 && ones.length > 0 && ones.every((one) => others.every((other) => standsAside(one.el, other.el))); }

// How many steps up from one what holds both is.
function stepsTo(one, other) {
  let steps = 0;
  for (let at = one; at && !contains(at, other); at = parentOf(at)) steps += 1;
  return steps;
}

// Whether elements stand one below the other, in one column: then that is the order in which one reads them, however the
// document has them, as grids that place their rows themselves.
function areStacked(several) {
  const boxes = several.map((el) => el.getBoundingClientRect()).sort((one, other) => one.top - other.top);
  const isUnder = (box, i) => box.width > 0 && box.height > 0 && (i === 0 || (box.top >= boxes[i - 1].bottom - SLACK && Math.abs(box.left - boxes[0].left) <= SLACK));
  return boxes.every(isUnder);
}

function inOrder(several) {
  const top = (el) => el.getBoundingClientRect().top;
  return [...several].sort(areStacked(several) ? (one, other) => top(one) - top(other) : (one, other) => (follows(one, other) ? -1 : 1));
}

// How far off an element stands in the direction of a relation; null: it does not stand so. `index`: its place in
// reading order among others. A field stands beside or below its own label, unless the relation says what its anchor is.
function distance({ how, role }, anchor, el, index = 0) {
  if (anchor === el || contains(anchor, el)) return role ? null : ownLabel(how, el);
  if (contains(el, anchor)) return null;
  const [from, to] = [boxed(anchor), boxed(el)];
  switch (how) {
    case "next_to": {
      const line = overlap(from.top, from.bottom, to.top, to.bottom) > Math.min(from.height, to.height) / 2;
      return line ? { steps: stepsTo(anchor, el), gap: Math.max(to.left - from.right, from.left - to.right, 0) } : null;
    }
    case "below": return isBelow(from, to) ? { steps: 0, gap: to.top - from.bottom } : null;
    case "above": return isBelow(to, from) ? { steps: 0, gap: from.top - to.bottom } : null;
    case "after": return follows(anchor, el) ? { steps: index, gap: 0 } : null;
    default: return follows(el, anchor) ? { steps: -index, gap: 0 } : null;
  }
}

function ownLabel(how, el) {
  if (how === "next_to") return { steps: 0, gap: 0 };
  const label = [...(el.labels || [])].find((one) => visible(one) && !contains(one, el));
  return label ? distance({ how }, label, el) : null;
}

// Of several the nearest to each anchor: one that is near to another anchor is no reason to choose that anchor.
function nearest({ relation, anchors }, several) {
  if (relation.how === "in_column") return several;
  const found = anchors.flatMap((anchor) => {
    const far = inOrder(several).map((el, index) => ({ el, ...distance(relation, anchor, el, index) }));
    const fits = far.filter(({ steps }) => steps !== undefined);
    fits.sort((one, other) => one.steps - other.steps || one.gap - other.gap);
    return fits.filter(({ steps, gap }) => steps === fits[0].steps && gap - fits[0].gap <= SLACK).map(({ el }) => el);
  });
  return several.filter((el) => found.includes(el));
}

function standsSo({ relation, anchors }, el) {
  if (relation.how === "in_column") return anchors.some((cell) => contains(cell, el));
  return anchors.some((anchor) => distance(relation, anchor, el) !== null && !isAboutOther(el, anchor));
}

// ---- all relations

// What follows a heading up to the next of its level.
function underHeading({ anchor }, here) {
  return named({ anchor, role: "heading" }, here).map((heading) => {
    const part = closest(heading, (at) => isPart(at, heading, plain(anchor)));
    const members = sectionOf(heading, part, 0) || [part || sheet()];
    const after = (el) => el !== heading && !contains(el, heading) && follows(heading, el);
    return members.flatMap((el) => (contains(el, heading) ? [...el.querySelectorAll("*")].filter(after) : [el]));
  }).filter((members) => members.length);
}

// What a relation may name: a list of parts, each as the elements it is made of.
function standing(relation, here) {
  const { how, anchor, role } = relation;
  if (how === "below" && role === "heading" && anchor) return underHeading(relation, here);
  if (MARKS.has(role)) return marked({ element: anchor, role }).filter(({ el }) => here(el) && visible(el)).map(({ el }) => [el]);
  if (how === "in" && anchor) return containers(anchor, here, role);
  if (how === "of" && role === "field") return fieldsCalled(relation, here).map(textsAbout);
  if (how === "of") return [...containers(anchor, here), ...named({ anchor, role: "" }, here).map((el) => [el])];
  if (how === "in_column") {
    const cells = column(relation).map((el) => [el]);
    return cells.length ? cells : containers(anchor, here); // a board's columns are no table's
  }
  return (anchor ? named(relation, here) : ofRole(role, here)).map((el) => [el]);
}

function nth(found, number) {
  if (!number) return found;
  const first = inOrder(found.map(([one]) => one)).at(number > 0 ? number - 1 : number);
  return found.filter(([one]) => one === first).slice(0, 1);
}

// The parts of the page in which a target has to be, and the steps that lead to it there. `unnamed`: what a relation
// without a name may mean, which is unclear if that is several; `fields`: those that it has to be written about. `missed`: the
// relation whose part is not known.
function scopeOf(relations = []) {
  const scope = { parts: [[document.documentElement]], steps: [], fields: [], unnamed: [], unknown: false, missed: null };
  for (const relation of [...relations].reverse()) {
    const here = (el) => scope.parts.some((part) => inside(part, el));
    const found = nth(standing(relation, here), relation.ordinal);
    if (!relation.anchor && !relation.ordinal) scope.unnamed = found.map(([el]) => el);
    if (relation.role === "row" && relation.ordinal === -1 && found.length) scope.unnamed = lastRows(found[0][0], here);
    if (relation.how === "of" && relation.role === "field") scope.fields = fieldsCalled(relation, here);
    scope.unknown = !found.length;
    if (scope.unknown) scope.missed = { relation, here };
    if (scope.unknown || scope.unnamed.length > 1) return { ...scope, parts: [] };
    const scopes = /^(in|of)$/.test(relation.how) || (relation.how === "below" && relation.role === "heading");
    if (scopes) scope.parts = found;
    else scope.steps.push({ relation, anchors: found.flat() });
  }
  return scope;
}

function isIn({ parts, steps }, el) {
  return parts.some((part) => inside(part, el)) && steps.every((step) => standsSo(step, el));
}
