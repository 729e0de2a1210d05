// Where a word or a number goes on across the edges of elements, as in <mark>Ada</mark>m or <b>29</b>.99.

const JOINS = /\p{L}\|\p{L}|\p{Nd}[.,']?\|[.,']?\p{Nd}/u;

// The box of the first or last letter of a piece of text (`runsIn`); null where styles generate it.
function letterBox({ node }, last) {
  if (!node) return null;
  const range = document.createRange();
  const at = last ? Math.max(0, node.data.trimEnd().length - 1) : node.data.search(/\S|$/);
  if (at >= node.data.length) return null;
  range.setStart(node, at);
  range.setEnd(node, at + 1);
  return range.getClientRects()[0] || null;
}

// What holds the lines that an element writes in.
function blockOf(el) { return closest(el, (at) => at.localName && !/^(inline|contents)/.test(getComputedStyle(at).display)); }

const FAR_OFF = 500; // letters of a text in which the next piece of it is looked for
const ROOM = 0.12; // times the height of letters: so much between two of them parts words
const COLUMN_ROOM = 0.3; // more than a blank has: so much parts numbers, whose figures may stand in boxes of their own

// The box that an element is drawn in; unlike a block, it may stand in a line, as an inline block does.
function boxAround(el) { return closest(el, (at) => at.localName && !/^(inline|contents)$/.test(getComputedStyle(at).display)); }

// Whether two pieces of text stand apart though no blank parts them: by the edge of a button, in two lines, raised.
function drawnApart(before, after, room = ROOM) {
  const [a, b] = [letterBox(before, true), letterBox(after, false)];
  if (!a || !b) return blockOf(before.at) !== blockOf(after.at); // what a style puts there has no box: a line holds it, or two do
  const gap = Math.max(b.left - a.right, a.left - b.right);
  const raised = Math.abs(a.top + a.bottom - b.top - b.bottom) / 2;
  return gap > room * a.height || raised > 0.2 * Math.max(a.height, b.height);
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

// The texts beside an element that go on with a word or number of it.
function runsJoined(el) {
  const own = [...runsIn(el)];
  const [before, after] = [runsBeside(el, "before").at(-1), runsBeside(el, "after")[0]];
  return own.length ? [before && joins(before, own[0]) && before, after && joins(own.at(-1), after) && after].filter(Boolean) : [];
}

// The smallest element around one that a word or number of it does not run out of.
function wholeWords(el) { return el.parentElement && runsJoined(el).length ? wholeWords(el.parentElement) : el; }

// Whether a word of an element goes on in another element beside it. Where it goes on in the text around the element, that
// only marks a part of the word.
function meetsOther(el) { return runsJoined(el).some(({ at }) => at && !contains(at, el)); }

// Whether two words or numbers stand apart, as in boxes beside each other, so that a blank is read between them.
function readWithBlank(before, after) {
  const meeting = `${before.data.slice(-1)}|${after.data[0]}`;
  if (/\p{L}\|\p{L}/u.test(meeting)) return drawnApart(before, after);
  return /[\p{L}\p{Nd}]\|[\p{L}\p{Nd}]/u.test(meeting) && drawnApart(before, after, COLUMN_ROOM);
}

// Pieces of text as one: a blank between two that stand apart.
function joined(runs) {
  return runs.map((run, i) => (i > 0 && readWithBlank(runs[i - 1], run) ? ` ${run.data}` : run.data)).join("");
}

// What the browser tells as the text of an element, with a blank between boxes beside each other, which it puts there for lines
// and cells alone.
function withBlanks(text, el) {
  const walker = document.createTreeWalker(el, NodeFilter.SHOW_TEXT);
  let [told, copied, from, last] = ["", 0, 0, null];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const data = node.data.trim();
    if (!data || !node.parentElement.checkVisibility()) continue;
    const at = text.slice(from, from + FAR_OFF + data.length).toLowerCase().indexOf(data.toLowerCase());
    if (at < 0) continue; // it is drawn otherwise than it is written
    const run = { data, at: node.parentElement, node };
    if (at === 0 && last && boxAround(last.at) !== boxAround(run.at) && readWithBlank(last, run)) {
      told += `${text.slice(copied, from)} `;
      copied = from;
    }
    from += at + data.length;
    last = run;
  }
  return told + text.slice(copied);
}

// The pieces of a text that stand in boxes of their own without any room between them, such as the name of a file and its
// ending: a person reads them as one.
function flushPieces(want, here) {
  const meet = (one, other) => want.includes(plain(`${one.data.trim().slice(-1)}${other.data.trim()[0]}`));
  const isFlush = (one, other) => meet(one, other) && blockOf(one.at) !== blockOf(other.at) && !drawnApart(one, other);
  const chains = [];
  for (const run of [...runsIn(sheet())].filter(({ node, at }) => node && here(at))) {
    const last = chains.at(-1);
    if (last && isFlush(last.at(-1), run)) last.push(run);
    else chains.push([run]);
  }
  return chains.filter((runs) => runs.length > 1 && hasWhole(plain(together(runs)), want) && !runs.some(({ data }) => hasWhole(plain(data), want)));
}

// Whether a text has others that begin and end with letters as whole words; only scripts with capitals part words by blanks.
function hasWords(text, want) {
  const letter = "[\\p{Lu}\\p{Ll}\\p{Lt}]";
  return new RegExp(`(?<!${letter})(?=${letter})${escaped(want)}(?<=${letter})(?!${letter})`, "u").test(text);
}

function together(runs) { return squash(runs.map(({ data }) => data.trim()).join("")); }

// Whether such pieces can be read but as one: none is in a box, as a badge is, and no number might be two.
function areOne(runs) {
  const isOne = (one, other) => !readApart(one, other) && !/^\d\d$/.test(one.data.trim().slice(-1) + other.data.trim()[0]);
  return runs.every(textSeen) && runs.slice(1).every((run, at) => isOne(runs[at], run));
}

// A long text, cut to what is around the words that are looked for in it.
function around(want, text) {
  const at = Math.max(0, plain(text).indexOf(want) - 1000);
  return text.slice(at, at + want.length + 2000);
}

// Whether a style writes words into the line of what an element holds: no badge, and nothing that lies over it.
function writesOn({ at, part, data }) {
  if (!part || !/[\p{L}\d]/u.test(data)) return false;
  const { display, position, backgroundColor } = getComputedStyle(at, part);
  return display === "inline" && !/absolute|fixed/.test(position) && TRANSPARENT.test(backgroundColor);
}

// The lines that say just a text, with what styles write beside it.
function asWritten(all, want, hits) {
  const isSame = (line, text) => plain(line) === plain(text);
  if (!want || !all.some((line) => isSame(line, want))) return all;
  const whole = [...all];
  for (const block of new Set(hits.map(blockOf))) {
    const runs = [...runsIn(block)].filter(({ at }) => !at || rendered(at));
    const at = runs.some(writesOn) ? whole.findIndex((line) => isSame(line, joined(runs.filter(({ part }) => !part)))) : -1;
    if (at >= 0) whole[at] = squash(joined(runs.filter((run) => !run.part || writesOn(run))));
  }
  return whole;
}

// ---- what stands by itself

const FAR = 1.5; // times the height of its letters: what stands so far off in the same line is no part of a name
const PIECES = 200; // of text that are looked at: a name has few
const PADDED = 0.25; // times that: what has so much room around it is in a box of its own, and no marked word

// Whether an element is drawn as a box of its own, as a counter or badge is.
function isBoxed(el) {
  const style = getComputedStyle(el);
  const filled = !TRANSPARENT.test(style.backgroundColor) || style.backgroundImage !== "none" || parseFloat(style.borderTopWidth) > 0;
  return filled && parseFloat(style.paddingLeft) >= PADDED * parseFloat(style.fontSize);
}

// Whether two pieces of text that follow each other are read apart: in boxes of their own, in lines that are set in different
// letters, or far from each other.
function readApart(one, other) {
  const around = closest(one.at, (at) => contains(at, other.at));
  const branches = [one, other].map(({ at }) => closest(at, (step) => step === around || parentOf(step) === around));
  const inner = branches.filter((at) => at !== around);
  if (inner.some(isBoxed)) return true;
  const isBetween = (br) => follows(one.node || one.at, br) && follows(br, other.node || other.at);
  const isInline = [around, ...inner].every((at, i) => (i ? /^(inline|contents)/ : /^(?!.*(flex|grid))/).test(getComputedStyle(at).display));
  const isOther = () => setting(one.at) !== setting(other.at);
  if (isInline) return [...around.querySelectorAll("br")].some(isBetween) && isOther();
  const [a, b] = [letterBox(one, true), letterBox(other, false)];
  if (!a || !b) return isOther();
  const isSameLine = overlap(a.top, a.bottom, b.top, b.bottom) > Math.min(a.height, b.height) / 2;
  return isSameLine ? Math.max(b.left - a.right, a.left - b.right) > FAR * a.height : isOther();
}

// The texts in an element that a person reads each by itself: of a button "Save as draft" none is "Save", whatever elements
// its words are in.
function phrasesIn(el) {
  const phrases = [];
  let last = null;
  for (const run of [...runsIn(el)].slice(0, PIECES)) {
    if (run.at && !(rendered(run.at) && textSeen(run))) continue;
    if (!phrases.length || (last && run.at && readApart(last, run))) phrases.push("");
    const data = run.at && /^(pre|break)/.test(getComputedStyle(run.at).whiteSpace) ? run.data : run.data.replace(/\s+/g, " ");
    const isBeside = last && run.at && !/\s$/.test(phrases.at(-1)) && drawnApart(last, run);
    phrases.push(phrases.pop() + (isBeside ? " " : "") + data);
    last = run.at ? run : last;
  }
  return phrases.flatMap((text) => text.split("\n")).map(squash).filter(Boolean);
}

// A text as a regular expression that matches it.
function escaped(text) { return text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&"); }

// ---- words that stand apart in the document

const MOST_PARTED = 200; // elements that are looked at for that: each takes some milliseconds

// The innermost elements in which a person reads words that are parted in the document by what nobody sees; `more`: others
// that have all of the words were not looked at.
function partedHits(want) {
  let left = MOST_PARTED;
  const says = (text) => hasWhole(plain(text), want);
  const reads = (el) => { left -= 1; return left >= 0 && (says(textOf(el)) || (mayRead(el, want) && says(spelled(el)))); };
  const words = want.split(" ");
  const has = (el) => { const text = plain(el.textContent); return words.every((word) => text.includes(word)); };
  const look = (el) => {
    const inner = [...el.children].filter((child) => !UNSEEN.has(child.localName) && has(child));
    const deep = inner.flatMap(look);
    return deep.length || inner.length || !reads(el) ? deep : [el];
  };
  const hits = words.length > 1 && drawn(true) && has(sheet()) ? look(sheet()) : [];
  return { hits, more: left < 0 };
}

// Whether words can be read in an element: pieces of its text that go on with each other have all of their letters, and
// nobody sees what is between them. Whether a piece is seen is asked of few, since that takes long.
function mayRead(el, want) {
  const letters = (text) => plain(text).replace(/\s/g, "");
  const runs = [...runsIn(el)].filter(({ at }) => at).map((run) => ({ ...run, said: letters(run.data) })).filter(({ said }) => said);
  const all = letters(want);
  const fits = (rest) => ({ said }) => rest.startsWith(said) || said.startsWith(rest);
  const goesOn = (from, rest) => {
    const next = runs.slice(from).some(fits(rest)) ? runs.findIndex((run, at) => at >= from && textSeen(run)) : -1;
    if (next < 0 || !fits(rest)(runs[next])) return false;
    return runs[next].said.length >= rest.length || goesOn(next + 1, rest.slice(runs[next].said.length));
  };
  const isBegun = ({ said }, size) => said.endsWith(all.slice(0, size));
  return runs.some((run, at) => [...all].some((_, index) => isBegun(run, index + 1) && (index + 1 === all.length || goesOn(at + 1, all.slice(index + 1)))));
}
