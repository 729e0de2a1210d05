// What is written about a field: an error, a hint, a counter. Markup says whose it is, or else what holds both, or else what
// a person sees: it stands right beside, below or above that field, and no other one is as near. Functions over the DOM
// without any state.

const NEAR_DOWN = 64; // px: so far above or below a field its text may stand
const NEAR_ACROSS = 300;
const WHOLE_PAGE = /^(html|body|main|form|section|dialog|article)$/; // hold one field by chance
const SAYS_ITSELF = new Set([...CLICKABLE, "heading", "columnheader", "rowheader"]); // no text about a field

function ownText(el) { return [...el.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim()); }

// The fields with their boxes.
const fieldsNow = whileStill(() => {
  const isField = (el) => isControl(el) && !closest(parentOf(el), isControl) && visible(faceOfField(el));
  return new Map(allElements().filter(isField).map((el) => [el, boxWithLabels(el)]));
});

function isFieldGroup(el) { return el.localName !== undefined && /^(radio)?group$/.test(roleOf(el)); }

function holdsFields(el) { return [...fieldsNow().keys()].some((field) => field !== el && contains(el, field)); }

function faceOfField(el) { return visible(el) ? el : labelsOf(el).find(visible) || el; }

// The box of a field with its labels.
function boxWithLabels(el) {
  const boxes = [faceOfField(el), ...labelsOf(el).filter(visible)].map((one) => one.getBoundingClientRect());
  const of = (side, pick) => pick(...boxes.map((box) => box[side]));
  return { left: of("left", Math.min), top: of("top", Math.min), right: of("right", Math.max), bottom: of("bottom", Math.max) };
}

// How far a text stands from a field, in pixels; null: so far off, or so placed, that nobody takes it for that field's.
function nearTo(text, of) {
  const box = text.getBoundingClientRect();
  const [down, across] = [Math.max(box.top - of.bottom, of.top - box.bottom, 0), Math.max(box.left - of.right, of.left - box.right, 0)];
  if (overlap(box.top, box.bottom, of.top, of.bottom) > box.height / 2) return across <= NEAR_ACROSS ? across : null;
  return across === 0 && down <= NEAR_DOWN ? down : null;
}

// Whether a button stands between a field and a text below it: then nobody takes the text for that field's.
function isUsedBetween(of, text) {
  const { top, left, right } = text.getBoundingClientRect();
  const isThere = (el) => { const box = el.getBoundingClientRect(); return box.top >= of.bottom - SLACK && box.bottom <= top + SLACK && overlap(box.left, box.right, left, right) > 0; };
  return allElements("button,[role=button],input[type=submit]").some((el) => isThere(el) && visible(el));
}

// Whether an element is a field that its name stands before: the label of a checkbox follows it.
function isWritten(el) { return Boolean(el) && isControl(el) && !TOGGLES.has(roleOf(el)); }

// The fields that a text is about: one, or none where nobody can tell.
function fieldsOfText(text) {
  const all = [...fieldsNow().keys()];
  const told = all.filter((field) => describersOf(field).some((one) => contains(one, text)));
  if (told.length) return told;
  const within = (at) => all.filter((field) => contains(at, field) || labelsOf(field).some((label) => contains(at, label)));
  const holder = closest(text, (at) => within(at).length > 0);
  const held = holder ? within(holder) : [];
  if (held.length === 1 && !WHOLE_PAGE.test(holder.localName)) return held;
  const mayBe = (field) => (!field.form || contains(field.form, text)) && !isUsedBetween(fieldsNow().get(field), text);
  const before = holder && closest(text, (at) => parentOf(at) === holder)?.previousElementSibling; // it follows a field itself
  if (isWritten(before) && held.includes(before) && mayBe(before) && nearTo(text, fieldsNow().get(before)) !== null) return [before];
  const far = held.filter(mayBe).map((field) => ({ field, gap: nearTo(text, fieldsNow().get(field)) })).filter(({ gap }) => gap !== null);
  far.sort((one, other) => one.gap - other.gap);
  return far.length && (far.length === 1 || far[1].gap - far[0].gap > SLACK) ? [far[0].field] : [];
}

function describersOf(field) {
  const ids = ["aria-errormessage", "aria-describedby"].flatMap((name) => (field.getAttribute(name) || "").split(/\s+/)).filter(Boolean);
  return ids.map((id) => field.getRootNode().getElementById?.(id)).filter(Boolean);
}

// Whether an element has a text of its own that may be about a field: no label, nor what a button or a heading says.
function isRemark(el) {
  return ownText(el) && el.localName !== "label" && !closest(el, (at) => at.localName && SAYS_ITSELF.has(roleOf(at)));
}

// What is written about a field, or in a group of them, without its name and what it holds.
function textsAbout(field) {
  const isText = (el) => isRemark(el) && !UNSEEN.has(el.localName) && el.localName !== "legend" && !isControl(el) && visible(el) && !holdsFields(el);
  const isAbout = (el) => (isControl(field) ? fieldsOfText(el).includes(field) : contains(field, el) || describersOf(field).some((one) => contains(one, el)));
  return allElements().filter((el) => isText(el) && isAbout(el));
}

function isReddish(el) {
  const [red, green, blue] = rgba(getComputedStyle(el).color);
  return red >= 140 && Math.max(green, blue) <= red * 0.5;
}

// Whether words about a field are told as an alert or written in red, as errors are that no markup calls so.
function isComplainedOf(field) {
  const isOwn = (at) => WHOLE_PAGE.test(at.localName) || [...fieldsNow().keys()].some((other) => other !== field && contains(at, other));
  let holder = null;
  for (let at = parentOf(field); at && !isOwn(at); at = parentOf(at)) holder = at;
  const near = [...(holder ? holder.querySelectorAll("*") : []), ...allElements("[role=alert],[role=alert] *"), ...describersOf(field)];
  const isFault = (el) => isRemark(el) && /\p{L}/u.test(textOf(el)) && (isReddish(el) || closest(el, (at) => roleOf(at) === "alert"));
  const names = labelsOf(field).map((label) => plain(labelText(label)));
  const isName = (el) => plain(textOf(el)) === plain(nameOf(field)) || names.includes(plain(textOf(el)));
  return near.some((el) => isFault(el) && seen(el) && !isName(el) && fieldsOfText(el).includes(field));
}

// Whether a text is about another field than the one that something is said to stand beside. What stands before a field may
// be its name, which is no text about it.
function isAboutOther(text, field) {
  if (!isControl(field) || closest(text, (at) => at.localName === "label" || SAYS_ITSELF.has(roleOf(at)))) return false;
  const about = fieldsOfText(text);
  return about.length > 0 && !about.includes(field) && about.every((one) => follows(one, text));
}
