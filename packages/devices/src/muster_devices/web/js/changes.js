// What an action changed on the page: how it was before, and what one sees of it after.

let action = null;
let formerly = null; // the lines of the page before its last action; null: none has been done on this document

// Whether the text of an element has come with the last action, or with the document. What is no line of its own may have
// stood in any line.
function hasCome(el) {
  const text = plain(textOf(el));
  const isInline = /inline|contents/.test(getComputedStyle(el).display);
  const had = (line) => (isInline ? hasWhole(plain(line), text) : plain(line) === text);
  return !formerly || (formerly.length < LINES && !formerly.some(had));
}

// The states of controls and what pictures show: both can change without any new text.
function controls() {
  const marks = ["aria-expanded", "aria-checked", "aria-pressed", "aria-selected"];
  const looks = (el) => [el.getClientRects().length > 0, el.currentSrc, el.localName === "svg" && el.innerHTML.length];
  const of = (el) => [el.value, el.checked, el.disabled, el.open, ...looks(el), ...marks.map((name) => el.getAttribute(name))].join();
  const all = [...document.querySelectorAll("input,select,textarea,button,[role],details,dialog,img,:is(button,a,label,[role]) svg")];
  return all.slice(0, 1000).map(of).join("|");
}

function digest() {
  return {
    address: location.href, title: document.title, headings: texts("h1,h2,h3,[role=heading]").slice(0, 20),
    alerts: texts("[role=alert],[role=status],[aria-live=polite],[aria-live=assertive]").slice(0, 10),
    dialogs: texts("dialog[open],[role=dialog],[role=alertdialog]").slice(0, 3),
    lines: document.body ? lines().slice(0, LINES) : [], controls: controls(),
    scroll: [window.scrollX, window.scrollY].join(), focus: document.activeElement, caret: caret(),
  };
}

// Where one writes in the field or editor that has the focus: nowhere else does a click move anything by moving a caret.
function caret() {
  const el = document.activeElement;
  if (typeof el?.selectionStart === "number") return [el.selectionStart, el.selectionEnd];
  const { anchorNode, anchorOffset, focusNode, focusOffset } = el?.isContentEditable ? getSelection() : {};
  return [anchorNode, anchorOffset, focusNode, focusOffset];
}

// Whether what had the focus was used, and lost it to another element or got its caret moved.
function movedOn({ before, target }, now) {
  const isSame = before.focus === now.focus && before.caret.every((one, at) => one === now.caret[at]);
  return target === before.focus && !isSame;
}

function openTag(el) { return el.cloneNode(false).outerHTML || ""; }

function begin(target = null) {
  const stale = action && real.now() - action.at > 60_000;
  if (action && !stale) { action.target = target || action.target; return; }
  began = real.now();
  passing.clear();
  tracking = true;
  repeated.clear();
  keepLooks(target);
  keepSaid();
  action = { target, at: began, before: digest(), popups, filed: filing.times, requests: sequence, tag: target && openTag(target) };
}

window.addEventListener("muster:aim", (event) => { event.preventDefault(); begin(event.composedPath()[0]); }, true);
window.addEventListener("muster:busy", (event) => { if (busy()) event.preventDefault(); }, true);

// The items that occur more often than before: a display may show the same digit as the key that was pressed.
function added(now, then) {
  const had = new Map();
  for (const item of then) had.set(item, (had.get(item) ?? 0) + 1);
  return now.filter((item) => { const left = had.get(item) ?? 0; had.set(item, left - 1); return left <= 0; });
}

function difference(was, now) {
  const { before, target } = was;
  const fresh = added(now.lines, before.lines);
  const touched = now.controls !== before.controls || (target && target.isConnected && openTag(target) !== was.tag);
  return {
    address: now.address !== before.address, title: now.title !== before.title, scrolled: now.scroll !== before.scroll,
    dialogs: added(now.dialogs, before.dialogs), closed: before.dialogs.length > now.dialogs.length,
    alerts: added(now.alerts, before.alerts), headings: added(now.headings, before.headings),
    lines: fresh.slice(0, 8), gone: added(before.lines, now.lines).slice(0, 8),
    touched: Boolean(touched) || movedOn(was, now), detached: Boolean(target) && !target.isConnected,
    focused: Boolean(target) && now.focus === target && before.focus !== target,
    requested: sequence > was.requests, files: filing.times > was.filed,
    reordered: !fresh.length && now.lines.length === before.lines.length && now.lines.join("\n") !== before.lines.join("\n"),
  };
}

// Whether an action changed nothing that one can see; that a request was sent, or that what was used has the focus, shows nothing.
function isNothing(changes) {
  return Object.entries(changes).every(([name, value]) => /^(requested|focused)$/.test(name) || !(Array.isArray(value) ? value.length : value));
}

async function after({ timeout, patience }) {
  const was = action;
  const left = await settle({ timeout, patience });
  action = null;
  formerly = was ? was.before.lines : null;
  let now = digest();
  if (was && isNothing(difference(was, now)) && (await moved())) now = digest(); // what fades out is gone once that is over
  return {
    version, place: place(), pending: left, popups: was ? popups - was.popups : 0, fresh: !was,
    target: was?.target ? facts(was.target) : null, changes: was ? difference(was, now) : null,
    headings: now.headings.slice(0, 3), alerts: now.alerts.slice(0, 3),
    opening: now.lines.slice(now.lines.indexOf(now.headings[0]) + 1).slice(0, 4),
  };
}
