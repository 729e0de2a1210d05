// Fields that nothing names in the markup: known by the text that stands beside them, or by what they are for. Functions over
// the DOM without any state.

const ACCOUNT = /^(user ?(name|id)?|log-?in( name)?|account( name)?|e-?mail( address)?|benutzername|anmeldename)$/;
const PASSWORD = /^(pass ?(word|phrase)|passwort|kennwort)$/;

// What is drawn next after an element, if that is an element.
function nextDrawn(el) {
  let next = el.nextElementSibling;
  while (next && (next.localName === "br" || !rendered(next))) next = next.nextElementSibling;
  return next;
}

// Whether nothing is said between two elements, one after the other.
function isNextTo(one, other) {
  const [first, second] = follows(one, other) ? [one, other] : [other, one];
  const between = document.createRange();
  between.setStartAfter(first);
  between.setEndBefore(second);
  return squash(between.toString()) === "";
}

const EXPLAINS = 2; // times the height of a label: as wide as a sign that explains it

// Whether what stands beside a label is drawn without words, as stars are: that is its value, whatever stands behind it.
function isDrawnValue(el, label) {
  const drawn = [el, ...allIn(el)].filter((one) => visible(one) && (one.matches(PICTURES) || paints(one))).map((one) => one.getBoundingClientRect());
  const width = Math.max(...drawn.map(({ right }) => right)) - Math.min(...drawn.map(({ left }) => left));
  return drawn.length > 0 && width > EXPLAINS * label.getBoundingClientRect().height;
}

// Whether an element says one thing, and draws something without words behind it: a label with its value.
function isDrawnBehind(el) {
  const isUsed = (one) => [one, ...allIn(one)].some((at) => isControl(at) || isClickable(at));
  const drawn = SAYING.has(roleOf(el)) ? [...el.children].filter((one) => !squash(textOf(one)) && !isUsed(one) && isDrawnValue(one, el)) : [];
  return drawn.length > 0 && phrasesIn(el).length === 1;
}

// The only field in one of the places where that of a text stands: in it, after it, in the cell beside, around it. A part of
// the page that holds one field by chance tells nothing of a text that stands apart from it.
function fieldBeside(hit, usable) {
  const fields = (place) => [place, ...place.querySelectorAll("input,select,textarea,[contenteditable],[role],[aria-haspopup]")].filter(usable);
  const hasDrawnValue = (el) => [...el.children].some((one) => !contains(one, hit) && isDrawnValue(one, hit));
  const isWrapped = (el) => /^(label|span|div)$/.test(el.localName) && !fields(el).length && !allIn(el).some(isControl) && bare(textOf(el)) === bare(textOf(hit)) && !hasDrawnValue(el);
  let label = hit; // with all that is drawn around it alone
  while (label.parentElement && isWrapped(label.parentElement)) label = label.parentElement;
  const toggle = toggleAbout(label, usable);
  if (toggle !== undefined) return toggle;
  const places = [hit, nextDrawn(label), hit.closest("td,th,dt")?.nextElementSibling, label.parentElement].filter(Boolean);
  // A radio button that has words of its own is one of those that the text is about.
  const isOneOfSeveral = (field, place) => roleOf(field) === "radio" && place !== field && !contains(place, hit) && squash(textOf(place)) !== "";
  const isBeside = ([field], place) => !isOneOfSeveral(field, place) && (place !== label.parentElement || !WHOLE_PAGE.test(place.localName) || isNextTo(label, field));
  return places.map((place) => [fields(place), place]).find(([found, place]) => found.length === 1 && isBeside(found, place))?.[0][0] || null;
}

// What a node is beside a text: a toggle that nothing names, another text, the end of a line, or something else.
function kindBeside(node, usable) {
  if (node.nodeType === Node.TEXT_NODE) return squash(node.data) ? "text" : "";
  if (node.localName === "br") return "break";
  if (node.nodeType !== Node.ELEMENT_NODE || !rendered(node)) return "";
  if (roleOf(node) === "button") return "other";
  const controls = [node, ...allIn(node)].filter(isControl);
  if (!controls.length) return squash(textOf(node)) ? "text" : "";
  return controls.length === 1 && !squash(textOf(node)) && TOGGLES.has(roleOf(controls[0])) && usable(controls[0]) ? "toggle" : "other";
}

// The texts and toggles that stand in a row with a text, in its line where that has a toggle: each with its toggle, if it is one.
function rowAround(text, usable) {
  const parts = [...text.parentNode.childNodes].map((node) => ({ node, kind: kindBeside(node, usable) })).filter(({ kind }) => kind);
  const at = parts.findIndex(({ node }) => node === text);
  const upTo = (ends) => {
    const to = parts.findIndex(({ kind }, i) => i > at && ends.includes(kind));
    return parts.slice(parts.findLastIndex(({ kind }, i) => i < at && ends.includes(kind)) + 1, to < 0 ? parts.length : to);
  };
  const line = upTo(["other", "break"]);
  const row = line.some(({ kind }) => kind === "toggle") ? line : upTo(["other"]).filter(({ kind }) => kind !== "break");
  const [heading, ...others] = row.filter(({ node }) => squash(node.textContent).endsWith(":")).map(({ node }) => node);
  const isLed = heading === row[0].node && heading !== text && !others.length; // by what they all are about: "Ship by:"
  return row.slice(isLed ? 1 : 0).map(({ node, kind }) => ({ node, toggle: kind === "toggle" ? [node, ...allIn(node)].find(isControl) : null }));
}

// The toggle that a text beside it is about, where there is one before the text: what stands first in the row, a toggle or a
// text, tells whether each toggle has its text behind it or before it. null: nobody can tell; nothing: there is none before.
function toggleAbout(text, usable) {
  let beside = text.previousSibling;
  while (beside && !kindBeside(beside, usable)) beside = beside.previousSibling;
  if (!beside || kindBeside(beside, usable) !== "toggle") return undefined;
  const parts = rowAround(text, usable);
  const at = parts.findIndex(({ node }) => node === text);
  const [before, after] = [parts[at - 1]?.toggle, parts[at + 1]?.toggle];
  if (parts[at + 1] && !after) return undefined;
  const [first, last] = [parts[0], parts.at(-1)].map(({ toggle }) => Boolean(toggle));
  if (first && !last) return before;
  return after ? (last && !first ? after : null) : undefined;
}

// The field that a text is about which is no element: `<p>From <input> to <input></p>`.
function fieldOfText(text, usable) {
  const isBlank = (node) => node.nodeType === Node.COMMENT_NODE || (node.nodeType === Node.TEXT_NODE && !squash(node.data));
  let next = text.nextSibling;
  while (next && isBlank(next)) next = next.nextSibling;
  const toggle = toggleAbout(text, usable);
  return toggle === undefined ? next : toggle;
}

// The fields that the words' own texts are about.
function fieldsBehind(hits, want, usable) {
  const isSaid = (node) => node.nodeType === Node.TEXT_NODE && squash(node.data) !== "" && compare(node.data, want) === 0;
  const texts = hits.flatMap((hit) => [...hit.childNodes]).filter(isSaid);
  return texts.map((text) => fieldOfText(text, usable)).filter((one) => one?.localName && usable(one));
}

// What is written beside a toggle and is about it, which no markup ties to it.
function wordsBeside(toggle) {
  const isToggle = (el) => TOGGLES.has(roleOf(el));
  const texts = [...toggle.parentNode.childNodes].filter((node) => kindBeside(node, isToggle) === "text");
  return squash(texts.filter((text) => fieldOfText(text, isToggle) === toggle).map((text) => text.textContent).join(" "));
}

// The only field in each cell of the column that a text is the head of, be it a filter below the head.
function fieldsInColumn(hit, usable) {
  const head = closest(hit, (at) => roleOf(at) === "columnheader");
  const table = head && bare(textOf(head)) === bare(textOf(hit)) ? closest(head, (at) => GRIDS.has(roleOf(at))) : null;
  if (!table) return [];
  const columns = columnsIn(table);
  const [first, last] = columns.get(head) || [0, -1];
  const under = [...columns].filter(([cell, [from, to]]) => cell !== head && from === first && to === last).map(([cell]) => cell);
  return under.map((cell) => [...cell.querySelectorAll("*")].filter(usable)).filter((found) => found.length === 1).flat();
}

// Whether a text is a name and, behind a colon, what the field beside it holds: "Limit: 20".
function namesWithValue(el, want, field) {
  const [name, ...rest] = labelText(el).split(":");
  const [said, held] = [squash(rest.join(":")), field ? squash(fieldValue(field) || "") : ""];
  const isSame = said === held || (said !== "" && held !== "" && parseFloat(said) === parseFloat(held));
  return Boolean(field) && rest.length > 0 && isSame && compare(name, want) === 0;
}

const CODE_BOXES = 3; // at least so many boxes for one letter each are one field

// The boxes of a field that is made of one for each letter, as for a code, if an element holds nothing else to fill in.
function codeBoxesIn(el) {
  const all = [el, ...allIn(el)].filter((one) => isControl(one) && visible(one));
  return all.length >= CODE_BOXES && all.every((one) => one.localName === "input" && one.maxLength === 1) ? all : [];
}

// The boxes of such a field that an element is one of.
function codeBoxesAround(el) {
  const around = closest(el, (at) => allIn(at).filter((one) => isControl(one) && visible(one)).length >= CODE_BOXES);
  return around ? codeBoxesIn(around) : [];
}

// The first box of each such field that a group or a text before it names.
function codesNamed(want, labels) {
  const groups = allElements("fieldset,[role=group]").filter((el) => compare(nameOf(el), want) === 0);
  const places = [...groups, ...labels.flatMap((hit) => [nextDrawn(hit), hit.localName === "label" ? hit : null])].filter(Boolean);
  return [...new Set(places.map((at) => codeBoxesIn(at)[0]).filter(Boolean))];
}

// A field without any label of its own, next to a text that can only mean it, or known by what it is for.
function nearby({ element, role, kind }) {
  const asField = role === "field" || FIELDS.has(role) || TOGGLES.has(role);
  if (!(asField ? ["type", "select", "check", "value", "read", "click"] : ["type", "select", "check", "value"]).includes(kind)) return [];
  const isNamed = (el) => labelsOf(controlOf(el)).some((label) => squash(labelText(label)));
  const isMeant = (el) => roleFit(el, role) !== null && !isNamed(el) && (visible(el) || faceOf(el) !== el);
  const usable = (el) => kindFit(el, kind) === 0 && isMeant(el);
  const settable = (el) => (kind === "type" || kind === "select") && kindFit(el, kind) !== null && isMeant(el);
  const want = plain(element);
  const texts = allTextHits(want);
  const labels = texts.filter((el) => compare(labelText(el), want) === 0);
  const fieldOf = (hit) => fieldBeside(hit, usable) || fieldBeside(hit, settable);
  const valued = texts.filter((el) => !labels.includes(el) && namesWithValue(el, want, fieldOf(el)));
  const beside = [...labels, ...valued].map(fieldOf).filter(Boolean);
  const behind = fieldsBehind(texts, want, usable);
  const codes = kind === "type" ? codesNamed(want, labels) : [];
  const found = [codes, beside, behind].find((some) => some.length) || labels.flatMap((hit) => [...fieldsInColumn(hit, usable), textBelow(hit, usable)]).filter(Boolean);
  const byUse = found.length || kind === "read" ? [] : loginFields(bare(element)).filter(usable); // nobody sees that name
  return [...found, ...byUse].map((el) => ({ el, tier: 4, source: 6 }));
}

function isForText(el) { return el.isContentEditable || Boolean(el.editContext) || el.localName === "textarea"; }

// The only place for a longer text below a heading and before the next one, where nothing names it and no other field is: the
// heading stands for its label, over a bar of buttons.
function textBelow(heading, usable) {
  if (roleOf(heading) !== "heading") return null;
  const next = allElements("h1,h2,h3,h4,h5,h6,[role=heading]").find((el) => el !== heading && follows(heading, el) && visible(el));
  const isUnder = (el) => follows(heading, el) && !(next && follows(next, el)) && isControl(el) && !TOGGLES.has(roleOf(el)) && visible(el);
  const [field, ...more] = allElements().filter(isUnder);
  return field && !more.length && isForText(field) && usable(field) && !squash(nameOf(field)) ? field : null;
}

// What a name is found on: in place of a label that no markup ties to a field, the only field beside it. One that is hidden
// counts where nothing else is drawn beside the label.
function untied(one, kind) {
  const label = one.el;
  if (label.localName !== "label" || label.control || (kind === "click" && getComputedStyle(label).cursor === "pointer")) return one;
  const isBare = shownChildren(label.parentNode).every((el) => contains(el, label));
  const isMeant = (el) => FIELDS.has(roleOf(el)) && !labelsOf(controlOf(el)).length && (isBare || visible(el));
  const isFree = (el) => TOGGLES.has(roleOf(el)) && !labelsOf(controlOf(el)).length && (visible(el) || faceOf(el) !== el);
  const field = fieldBeside(label, isMeant) || (kind === "click" ? null : toggleAbout(label, isFree));
  return field ? { ...one, el: field } : one;
}

// The file field that is meant by the name of a part of the page, or by a text beside it: the only one in that part, in what
// follows the text, or in the smallest part around it. There must be no other field, and in a page as a whole nothing said
// between the two. A button is clicked, as its file field may be made only then.
function fileFieldOf(el) {
  if (el.localName !== "label" && CLICKABLE.has(roleOf(el))) return null;
  const around = closest(el, (at) => filesIn(at).length > 0);
  const [file, ...more] = around ? filesIn(around) : [];
  if (!file) return null;
  if (around === el) return more.length ? null : file;
  const after = onlyFile(el.matches(HEADINGS) ? sectionOf(el, null, 0) || [] : [nextDrawn(el)].filter(Boolean));
  if (after || more.length || labelsOf(file).length || !onlyFile([around])) return after;
  return !WHOLE_PAGE.test(around.localName) || isNextTo(el, file) ? file : null;
}

// The only file field in some parts, if they have no other field that is seen.
function onlyFile(parts) {
  const files = parts.flatMap(filesIn);
  const isOther = (one) => isControl(one) && visible(one) && !isFileField(one);
  return files.length === 1 && !parts.flatMap((part) => [part, ...allIn(part)]).some(isOther) ? files[0] : null;
}

// The file fields in a part, but for those that take whole folders.
function filesIn(part) { return [part, ...allIn(part)].filter((el) => isFileField(el) && !el.webkitdirectory); }
function isFileField(el) { return el.localName === "input" && el.type === "file"; }

// The fields of the only login on a page that nothing names: the password, and the text that is asked for right before it.
function loginFields(want) {
  const secrets = allElements("input[type=password]").filter(visible);
  if (secrets.length !== 1 || !(PASSWORD.test(want) || ACCOUNT.test(want))) return [];
  if (PASSWORD.test(want)) return secrets;
  const fields = allElements("input,select,textarea").filter((el) => visible(el) && el.form === secrets[0].form);
  const before = fields[fields.indexOf(secrets[0]) - 1];
  return before?.matches("input") && isEditable(before) && !squash(nameOf(before)) ? [before] : [];
}
