// Where a word or a number goes on across the edges of elements, as in <mark>Ada</mark>m or <b>29</b>.99.

const JOINS = /\p{L}\|\p{L}|\p{Nd}[.,']?\|[.,']?\p{Nd}/u;

// The box of the first or last letter of a piece of text (`runsIn`); null where styles generate it.
function letterBox({ node }, last) {
  if (!node) return null;
  const range = document.createRange();
  const at = last ? node.data.length - 1 : 0;
  range.setStart(node, at);
  range.setEnd(node, at + 1);
  return range.getClientRects()[0] || null;
}

// What holds the lines that an element writes in.
function blockOf(el) { return closest(el, (at) => at.localName && !/^(inline|contents)/.test(getComputedStyle(at).display)); }

// Whether two pieces of text stand apart though no blank parts them: by the edge of a button, in two lines, raised.
function drawnApart(before, after) {
  const [a, b] = [letterBox(before, true), letterBox(after, false)];
  if (!a || !b) return blockOf(before.at) !== blockOf(after.at); // what a style puts there has no box: a line holds it, or two do
  const gap = Math.max(b.left - a.right, a.left - b.right);
  const raised = Math.abs(a.top + a.bottom - b.top - b.bottom) / 2;
  return gap > 0.12 * a.height || raised > 0.2 * Math.max(a.height, b.height);
}

function joins(before, after) {
  return JOINS.test(`${before.data.slice(-2)}|${after.data.slice(0, 2)}`) && !drawnApart(before, after);
}

// The pieces of text right beside an element, on one side of it; none where a blank or another box is there.
function runsBeside(el, side) {
  const node = side === "before" ? el.previousSibling : el.nextSibling;
  if (node?.nodeType === Node.TEXT_NODE) return [{ data: node.data, at: el.parentElement, node }];
  return node?.nodeType === Node.ELEMENT_NODE ? [...runsIn(node)] : [];
}

// The smallest element around one that a word or number of it does not run out of.
function wholeWords(el) {
  const own = [...runsIn(el)];
  const [before, after] = [runsBeside(el, "before").at(-1), runsBeside(el, "after")[0]];
  const runsOut = own.length && el.parentElement && ((before && joins(before, own[0])) || (after && joins(own.at(-1), after)));
  return runsOut ? wholeWords(el.parentElement) : el;
}

// Pieces of text as one: a blank between two words that stand apart.
function joined(runs) {
  const apart = (run, last) => last && /\p{L}\|\p{L}/u.test(`${last.data.slice(-1)}|${run.data[0]}`) && drawnApart(last, run);
  return runs.map((run, i) => (apart(run, runs[i - 1]) ? ` ${run.data}` : run.data)).join("");
}

// A long text, cut to what is around the words that are looked for in it.
function around(want, text) {
  const at = Math.max(0, plain(text).indexOf(want) - 1000);
  return text.slice(at, at + want.length + 2000);
}
