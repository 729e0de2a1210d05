// Messages that come and go by themselves: noted from before an action until the next, for a check would come too late.
// Only what is made to be read in passing counts, a live region or something that pops up over the page: that a list has
// had an item for a moment is no proof, nor that a log has had an entry: what is logged stays.

const LIVE = "[role=alert],[role=status],[aria-live=polite],[aria-live=assertive],output";
const WATCHED = 1500; // ms that a message may take to fade in
const LOOKED_AT = 30; // frames that it has at least, for a busy machine draws few of them
const passing = new Map(); // texts of messages since the last action began → of what sort they are
const MOST_SAID = 200; // texts of a live region that are looked at before an action
let saidBefore = new WeakSet(); // texts that live regions showed before the last action: these have not come with it
const fading = new Map(); // element → until when, and for how many more frames, it may still come into sight

function messageAround(el, added) {
  const live = closest(el, (at) => at.matches(LIVE));
  if (live || !added) return live;
  if (closest(el, (at) => ["banner", "navigation", "main", "contentinfo"].includes(roleOf(at)))) return null;
  return closest(el, (at) => getComputedStyle(at).position === "fixed") && el;
}

function keepSaid() {
  const inSight = (el) => [...runsIn(el)].slice(0, MOST_SAID).filter((run) => run.node && textSeen(run)).map(({ node }) => node);
  saidBefore = new WeakSet(allElements(LIVE).flatMap(inSight));
}

function noteMessages() {
  const isFresh = (run) => !saidBefore.has(run.node) && textSeen(run);
  for (const [el, left] of fading) {
    left.looks -= 1;
    const text = el.isConnected && seen(el) ? spelled(el, isFresh).slice(0, 500) : "";
    if (text && passing.size < 100) passing.set(text, sortOfMessage(el));
    if (text || !el.isConnected || (real.now() > left.until && left.looks <= 0)) fading.delete(el);
  }
  if (fading.size) real.frame(noteMessages);
}

function watchFor(el, added) {
  if (!el?.isConnected || fading.size > 50 || UNSEEN.has(el.localName)) return;
  const message = messageAround(el, added);
  if (!message) return;
  if (!fading.size) real.frame(noteMessages);
  fading.set(message, { until: real.now() + WATCHED, looks: LOOKED_AT });
}

new MutationObserver((records) => {
  if (!action) return;
  for (const { type, target } of records) if (type === "characterData") saidBefore.delete(target);
  const touched = records.flatMap(({ type, target, addedNodes }) =>
    type === "childList" ? [...addedNodes].map((node) => [node, true]) : [[target, false]]);
  for (const [node, added] of touched.slice(0, 200)) {
    if (node.nodeType === Node.TEXT_NODE) watchFor(node.parentElement, false);
    else if (node.nodeType === Node.ELEMENT_NODE) watchFor(node, added);
  }
}).observe(document, { childList: true, subtree: true, characterData: true, attributeFilter: ["class", "style", "hidden"] });

// ---- what the browser itself says of a field that it refuses: drawn outside of the page, until the field is right or left

let refused = null; // the field that it points at; null: it says nothing
let quiet = 0; // calls that run now and ask for faults without a word of the browser

for (const { prototype } of [HTMLFormElement, HTMLInputElement, HTMLSelectElement, HTMLTextAreaElement, HTMLButtonElement]) {
  const check = prototype.checkValidity;
  prototype.checkValidity = function checkValidity() {
    quiet += 1;
    try { return check.call(this); } finally { quiet -= 1; }
  };
}
window.addEventListener("invalid", (event) => {
  const [field] = event.composedPath();
  const isFocused = () => field.getRootNode().activeElement === field; // the first refused field is, once all have been told
  if (!quiet) turn().then(() => { if (!event.defaultPrevented && isFocused()) { refused = field; wake(); } });
}, true);
window.addEventListener("focusout", () => { refused = null; }, true);

// What the browser says now, and the field that it says it of; null: nothing.
function refusalNow() {
  if (!refused || refused.validity.valid || !seen(refused)) return null;
  return { field: refused, text: squash(refused.validationMessage) };
}

// ---- of what sort a message is, by what its markup calls it

const SORTS = {
  error: /^(errors?|danger|fail(ed|ures?|s)?|negative|critical|destructive|invalid)$/,
  warning: /^(warn|warnings?|caution)$/,
  success: /^(success|successful|successes|succeeded|positive|valid)$/,
};
const TELLS_SORT = /^(class|data-.*|kind|type|variant|severity|status|level|color|theme)$/;
const UNDOES_SORT = /^(no|not|non|without|clear|hide|dismiss)$/;
const BESIDE = 80; // letters that a message has beside a text in it, such as its title

// The sorts that an element calls itself in its attributes.
function sortsOf(el) {
  const told = [...el.attributes].filter(({ name }) => TELLS_SORT.test(name)).map(({ value }) => value.slice(0, 500));
  const words = told.flatMap((value) => value.split(/\s+/)).map((value) => value.replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2").toLowerCase().split(/[^\p{L}]+/u));
  const plainly = words.filter((some) => !some.some((word) => UNDOES_SORT.test(word))).flat();
  return Object.keys(SORTS).filter((sort) => plainly.some((word) => SORTS[sort].test(word)));
}

// The innermost element that says all that another one says.
function innermost(el) {
  const inner = [...el.children].find((child) => squash(flatText(child)) === squash(flatText(el)));
  return inner ? innermost(inner) : el;
}

// The sort of the message that a text stands in, by the innermost part of it that tells one; "": none does, or several.
function sortOfMessage(bearer) {
  const el = innermost(bearer);
  const most = 2 * flatText(el).length + BESIDE;
  const isPart = (at) => !at.matches("main,form,body,html") && squash(flatText(at)).length <= most;
  for (let at = el; at && isPart(at); at = parentOf(at)) {
    const sorts = sortsOf(at);
    if (sorts.length) return sorts.length === 1 ? sorts[0] : "";
  }
  return "";
}

// The sorts of all messages with a text, of those that one can see and of those that may be gone; "": one of no known sort.
function sortsOfAll(want, bearers, within) {
  const gone = within?.length || !want ? [] : [...passing].filter(([text]) => hasWhole(plain(text), want));
  return [...new Set([...bearers.map(sortOfMessage), ...gone.map(([, sort]) => sort)])];
}

// ---- a field that is not left yet

let unleft = null; // the field whose content was changed, while its page has heard of no change: many react only to that

window.addEventListener("input", (event) => { if (event.isTrusted) unleft = event.composedPath()[0]; }, true);
for (const kind of ["change", "focusout"]) window.addEventListener(kind, () => { unleft = null; }, true);

function unleftField() { return unleft?.isConnected && unleft.matches("input,textarea") ? nameOf(unleft) : ""; }
