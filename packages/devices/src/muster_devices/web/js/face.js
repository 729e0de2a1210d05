// What a person takes for a control. Component libraries put their own drawing over a native control that is unseen, or
// keep it in a shadow tree; a person clicks what is drawn. Functions over the DOM without any state.

const FACE_HEIGHT = 80; // px: as high as what is drawn for one field may be
const BARS = new Set(["progressbar", "meter"]);
const POPUPS = /^(true|listbox|menu|tree|grid|dialog)$/;

function isControl(el) { return FIELDS.has(roleOf(el)) || TOGGLES.has(roleOf(el)); }

// Whether an element opens a list to choose from: a button with a label like that of a field does, if it opens anything.
function opensList(el) {
  const isField = el.localName === "button" && el.labels?.length > 0 && el.hasAttribute("aria-expanded") && !el.hasAttribute("aria-haspopup");
  return isField || (POPUPS.test(el.getAttribute("aria-haspopup") || "") && el.localName !== "a");
}

// Whether a button stands beside a field to open its list: what it says is no value.
function opensListOf(button, field) {
  return button.localName === "button" && field !== button && isEditable(field) && opensList(button) && contains(drawingOf(field), button);
}

// How well what is made as another kind serves as one: an item that is a button, as one that is dragged, or a radio button among tabs.
function fitAs(el, role, own) {
  if (role === "listitem" && el.matches(":is(ul,ol,menu) > li") && CLICKABLE.has(own) && !LIKE[role].includes(own)) return 0;
  return LIKE[role]?.includes(own) || (role === "tab" && own === "radio" && el.closest("[role=tablist]")) ? 1 : null;
}

// How well a text in a label names its field: as all that the label says, or as its first line, above a hint.
function labelFit(label, hit, want) {
  const isFirst = compare(textOf(hit), want) === 0 && compare(phrasesIn(label)[0] || "", want) === 0;
  return isFirst ? 0 : compare(labelText(label), want);
}

// The unseen toggle that takes the clicks on something drawn beside it, as on a title below which its text folds.
function toggleOver(el) {
  if (isControl(el) || CLICKABLE.has(roleOf(el))) return null;
  bringToView(el);
  const hit = atMiddle(el);
  return hit?.matches("input[type=checkbox],input[type=radio]") && faint(hit) && contains(parentOf(hit), el) ? hit : null;
}

// Whether an element opens a menu: what testers call a dropdown, too, where it is only clicked or looked at.
function opensMenu(el) {
  const isMarked = POPUPS.test(el.getAttribute("aria-haspopup") || "") || el.matches("[data-toggle=dropdown],[data-bs-toggle=dropdown],.dropdown-toggle");
  return isMarked && /^(button|link|menuitem)$/.test(roleOf(el));
}

// The control that a label or a custom element stands for: the only one in its shadow tree, if it has one.
function controlOf(el) {
  const named = (el.localName === "label" && el.control) || el;
  const inner = named.shadowRoot ? [...named.shadowRoot.querySelectorAll("*")].filter(isControl) : [];
  return inner.length === 1 ? inner[0] : named;
}

// The labels of a control, also those of the custom element whose only control it is.
function labelsOf(el) {
  const own = [...(el.labels || [])];
  const host = el.getRootNode().host;
  if (!host) return own;
  const outer = [host.closest("label"), ...(host.id ? host.getRootNode().querySelectorAll(`label[for="${CSS.escape(host.id)}"]`) : [])];
  const labels = [...new Set(outer)].filter((label) => label?.control === host);
  return labels.length && controlOf(host) === el ? [...own, ...labels] : own;
}

// Whether an unseen list that no key reaches only keeps, for its form, what something else is used for.
function isKept(el) { return el.localName === "select" && el.tabIndex < 0 && !seen(el); }

// The outermost element around a control that is the drawing of this one control alone. With its label, a list that is kept
// for the form has another drawing beside it.
function drawingOf(el) {
  const isOther = (one, at) => one !== el && isControl(one) && (!isKept(one) || labelsOf(el).some((label) => contains(at, label)));
  const others = (at) => [...at.querySelectorAll("*")].some((one) => isOther(one, at));
  let outermost = el;
  for (let at = parentOf(el); at && at.localName !== "body"; at = parentOf(at)) {
    if (others(at) || at.getBoundingClientRect().height > FACE_HEIGHT) break;
    outermost = at;
  }
  return outermost;
}

// The topmost element at a point, in whatever tree.
function topAt([x, y]) {
  let top = null;
  for (let root = document; root;) {
    const hit = root.elementFromPoint(x, y);
    if (!hit || hit === top) break;
    top = hit;
    root = hit.shadowRoot;
  }
  return top;
}

// The topmost element at the middle of an element.
function atMiddle(el) {
  const box = el.getBoundingClientRect();
  return topAt([box.left + box.width / 2, box.top + box.height / 2]);
}

// The wordless drawing beside an unseen toggle, if there is one: some products that listen to it undo a click on the label.
function drawnBeside(el) {
  const around = el.localName === "input" && TOGGLES.has(roleOf(el)) && !el.closest("label") && !seen(el) ? parentOf(el) : null;
  if (!around) return null;
  bringToView(around);
  const hit = atMiddle(el);
  if (!hit || hit === around || !contains(around, hit) || !contains(drawingOf(el), hit)) return null;
  return squash(textOf(hit)) ? shapeBeside(el, around) : hit.closest("label,a,button") ? null : hit;
}

// What to click for a control that something lies over: its label, or what is drawn over it as a part of the same field.
function faceOf(el) {
  if (!isControl(el) && !opensList(el) && !CLICKABLE.has(roleOf(el))) return el;
  const { top, bottom, left, right } = el.getBoundingClientRect();
  const outside = bottom < 0 || right < 0 || top > innerHeight || left > innerWidth;
  if (outside) bringToView(el, "center");
  const hit = atMiddle(el);
  if (!hit) return drawnElsewhere(el) || el;
  if (contains(el, hit)) return boxIn(el, hit) || el;
  if (takesFor(hit, el)) return hit;
  if (!isControl(el) && !opensList(el)) return el;
  const isToggle = TOGGLES.has(roleOf(el));
  const label = labelsOf(el).find((one) => seen(one) && (isToggle || contains(one, hit)));
  if (label) return label;
  return contains(drawingOf(el), hit) || contains(drawnList(el), hit) ? hit : el;
}

// What is drawn for a control that lies out of the page, as that of a list which takes the keys alone; null: nothing is.
function drawnElsewhere(el) {
  const drawing = isControl(el) || opensList(el) ? drawingOf(el) : el;
  if (contains(el, drawing) || !seen(drawing)) return null;
  bringToView(drawing);
  const hit = atMiddle(drawing);
  return hit && contains(drawing, hit) && !/^(button|link)$/.test(roleOf(hit)) ? hit : null;
}

// Whether what lies around a control that lets clicks through takes them for it: a custom element, something else that one
// clicks, or the drawing of this one field.
function takesFor(around, el) {
  if (!contains(around, el) || getComputedStyle(el).pointerEvents !== "none") return false;
  return around.localName.includes("-") || isClickable(around) || (isControl(el) && contains(drawingOf(el), around));
}

// The wordless shape that a toggle has beside its own label, where its middle is not on it: the label need not take clicks.
function boxIn(el, hit) {
  if (!TOGGLES.has(roleOf(el)) || el.localName === "input") return null;
  const shapes = allIn(el).filter((one) => one.getClientRects().length && !squash(flatText(one)) && paints(one) && visible(one));
  const box = closest(shapes[0], (at) => at === el || parentOf(at) === el || squash(flatText(parentOf(at))));
  return box && box !== el && !contains(box, hit) && shapes.every((one) => contains(box, one)) && contains(box, atMiddle(box)) ? box : null;
}

// The line that is drawn in the place of an unseen control that opens a list, where nothing else is used in it.
function drawnList(el) {
  const around = opensList(el) && !seen(el) ? parentOf(el) : null;
  const isOther = (one) => one !== el && isControl(one) && seen(one);
  if (!around || around.getBoundingClientRect().height > FACE_HEIGHT) return null;
  return [...around.querySelectorAll("*")].some(isOther) ? null : around;
}

// What to use a control by: its face, but for a native list, which a label over it does not open.
function faceToUse(el) {
  if (roleOf(el) === "columnheader" && !isClickable(el)) return soleUseIn(el) || el;
  const face = drawnBeside(controlOf(el)) || toggleOver(el) || faceOf(el);
  return el.localName === "select" && face.localName === "label" ? el : takerOf(face);
}

// What is there to be used in an element that is not, if it says all that the element says.
function soleUseIn(el) {
  const used = allIn(el).filter((one) => isClickable(one) && seen(one) && squash(textOf(one)) === squash(textOf(el)));
  return used.length && used.every((one) => contains(used[0], one)) ? used[0] : null;
}

// What takes a click on something that lets clicks through, as a label drawn on a shape does, if a person sees it there. A
// control that lets clicks through cannot be used.
function takerOf(el) {
  if (getComputedStyle(el).pointerEvents !== "none" || closest(el, (at) => isControl(at) || isClickable(at))) return el;
  bringToView(el);
  const { left, right, top, bottom } = el.getBoundingClientRect();
  const point = [(left + right) / 2, (top + bottom) / 2];
  const there = () => el.getRootNode().elementFromPoint(...point);
  const isSeen = contains(el, asIfTouched(el, [{ point }], there) || document.documentElement);
  const taker = isSeen ? there() : null;
  return taker && !contains(taker, el) ? taker : el;
}

const BEHIND_STEPS = 3; // so far out of what is drawn for an unseen list it may lie

// Whether a field may take the keys for something that is drawn around it: nothing is in it, and the frame is not its own.
function isEntry(el) { return el.localName === "input" && isEditable(el) && !el.value && !isFramed(el); }
function isFramed(el) { return ["Top", "Right", "Bottom", "Left"].some((side) => parseFloat(getComputedStyle(el)[`border${side}Width`]) > 0); }

// The unseen list for which a field takes the keys: it stands right before what is drawn for it, which has no other field in it.
function listBehind(el) {
  const isField = (one) => one.matches("input,select,textarea") || one.querySelector("input,select,textarea") !== null;
  for (let at = el, steps = 0; isEntry(el) && at.parentElement && steps < BEHIND_STEPS; at = at.parentElement, steps += 1) {
    let before = at.previousElementSibling;
    while (before && before.localName !== "label" && !isField(before)) before = before.previousElementSibling;
    if (before) return before.localName === "select" && !seen(before) ? before : null;
  }
  return null;
}

// What was chosen or entered before, where a field draws each before the place to write, in a box with something to take it away.
function chipsBefore(el) {
  let frame = parentOf(el);
  for (let steps = 1; frame && steps < BEHIND_STEPS && !isFramed(frame); steps += 1) frame = parentOf(frame);
  if (!frame || !isFramed(frame) || allIn(frame).some((one) => one !== el && isControl(one) && seen(one))) return [];
  const boxOf = (button) => closest(parentOf(button), (at) => contains(at, el) || squash(textOf(at)) !== squash(textOf(button)));
  const buttons = allIn(frame).filter((one) => one.matches("button,[role=button],a") && follows(one, el) && seen(one));
  const chips = buttons.map((button) => [boxOf(button), button]).filter(([box]) => contains(frame, box) && !contains(box, el) && box.localName !== "label");
  return chips.map(([box, button]) => squash([...runsIn(box)].filter((run) => run.at && !contains(button, run.at)).map(({ data }) => data).join(""))).filter(Boolean);
}

// The text that is drawn for a list which holds none itself, without its label and its buttons.
function drawnChoice(el) {
  const list = listBehind(el);
  if (list) return fieldValue(list);
  const chips = isEntry(el) ? chipsBefore(el).join(", ") : "";
  if (chips || (isEntry(el) && !opensList(el) && roleOf(el) !== "combobox")) return chips;
  const drawings = [drawnList(el), !el.value && roleOf(el) === "combobox" && drawingOf(el)].filter((one) => one && one !== el);
  return drawings.reduce((said, drawing) => said || saidIn(drawing, el), "");
}

function saidIn(drawing, el) {
  const others = [...labelsOf(el), ...drawing.querySelectorAll("button,[role=button],[role=listbox],[role=option]")];
  const own = ({ at }) => !at || !others.some((other) => contains(other, at));
  return squash(inBoxes(drawing, [...runsIn(drawing)].filter((run) => own(run) && (!run.at || textSeen(run)))));
}

// Pieces of text with a comma between those that stand in boxes of their own which are made alike: what is chosen in a list of several.
function inBoxes(drawing, runs) {
  const told = runs.filter(({ at, data }) => at && squash(data));
  const ends = new Set(told.filter(({ at }, index) => areApart(drawing, at, told[index + 1]?.at)));
  return runs.map((run) => (ends.has(run) ? `${run.data}, ` : run.data)).join("");
}

function areApart(drawing, one, other) {
  if (!other || contains(one, other) || contains(other, one)) return false;
  const around = closest(one, (at) => contains(at, other) || at === drawing);
  const boxOf = (el) => closest(el, (at) => parentOf(at) === around);
  const [box, next] = [boxOf(one), boxOf(other)];
  const isBox = (el) => el && !/^(inline|contents)$/.test(getComputedStyle(el).display);
  return isBox(box) && isBox(next) && box.localName === next.localName && box.className === next.className;
}

// The radio buttons of a group that holds nothing else.
function radiosOf(el) {
  const inner = /^(radiogroup|group)$/.test(roleOf(el)) ? [...el.querySelectorAll("*")].filter(isControl) : [];
  return inner.every((one) => roleOf(one) === "radio") ? inner : [];
}

// The names of what is selected in a list or group made of other elements; null where none of them tells.
function selectedIn(el) {
  const radios = radiosOf(el);
  const state = (one) => (roleOf(one) === "option" ? one.getAttribute("aria-selected") ?? one.getAttribute("aria-checked") : String(checkedState(one)));
  const options = roleOf(el) === "listbox" ? [...el.querySelectorAll("[role=option]")] : radios;
  if (!options.some((one) => /^(true|false)$/.test(state(one)))) return null;
  return [...new Set(options.filter((one) => state(one) === "true").map(labelOf))].join(", "); // also where it is drawn as the choice
}

// How far a bar is, as a person would say it who sees no number in it; nothing where it is only known to go on.
function progressOf(el) {
  const told = (name) => el.getAttribute(`aria-value${name}`);
  const native = el.localName === "progress" || el.localName === "meter";
  const [now, least, most] = native ? [el.value, el.min ?? 0, el.max] : [told("now"), told("min") ?? 0, told("max") ?? 100].map(Number);
  const known = native ? el.hasAttribute("value") : told("now") !== null;
  return known && most > least ? `${Math.round((100 * (now - least)) / (most - least))}%` : "";
}

// What a field made of other elements holds; null for what is no such field.
function drawnValue(el) {
  const role = roleOf(el);
  if (role === "slider" || role === "spinbutton") {
    return el.getAttribute("aria-valuetext") ?? el.getAttribute("aria-valuenow") ?? squash(textOf(el));
  }
  if (BARS.has(role)) return (el.getAttribute("aria-valuetext") || "").replace(/^([\d.,]+) ?per ?cent$/i, "$1%") || squash(textOf(el)) || progressOf(el);
  return role === "combobox" || el.matches("button[aria-haspopup=listbox]") || listDrawnBy(el) ? shownIn(el) : selectedIn(el);
}

const ARROWS = /^[\s▼▾⏷▽▿🔽⌄˅∨⇅↕⬍❯›▸]+$/u;

// What an element says, without what is there for screen readers alone, and without the arrow that tells that it opens.
function shownIn(el) {
  const isArrow = ({ at, data }) => at && at !== el && (ARROWS.test(data) || (!/[\p{L}\p{N}]/u.test(data) && at.closest("[aria-hidden=true]")));
  const all = [...runsIn(el)].filter((run) => !run.at || textSeen(run));
  const told = all.filter((run) => !isArrow(run));
  const parted = squash(inBoxes(el, told));
  return parted && (parted.includes(", ") || told.length < all.length) ? parted : textAsSeen(el) || squash(textOf(el));
}

// ---- what it holds

const OPEN_END = /(…|\.\.\.)\s*$/;
const INVITES = /^(please )?(select|choose|pick)\b|\b(aus)?wählen\b/i;
const HINTED = '[class*="placeholder" i],[id$="placeholder" i]';

// What is drawn in a list of other elements that may be an invitation to choose, and no choice.
function invitationIn(el) {
  if (el.value || !(roleOf(el) === "combobox" || opensList(el))) return "";
  const said = squash(fieldValue(el) || "");
  return signsOfInvitation(el, said).length ? said : "";
}

// What tells that a text shown by a list is an invitation: how it ends, how it begins, what it is called.
function signsOfInvitation(el, said) { return said ? [OPEN_END.test(said), INVITES.test(said), isHinted(el, said)].filter(Boolean) : []; }

// Whether a list marks that it shows no choice, as it does until something is chosen.
function isMarkedEmpty(el) {
  const around = drawnList(el) || drawingOf(el);
  return [el, around, ...allIn(around)].some((at) => at.getAttribute("data-placeholder") === "" || at.getAttribute("data-placeholder-shown") === "");
}

// Whether a text is called a placeholder where it is drawn for a list.
function isHinted(el, said) {
  const runs = [...runsIn(drawnList(el) || drawingOf(el))];
  return isMarkedEmpty(el) || runs.some(({ at, data }) => at && at.matches(HINTED) && squash(data) === said);
}

// Whether that is one: two signs tell it, or the list itself.
function isInvitation(el) {
  return isMarkedEmpty(el) || signsOfInvitation(el, invitationIn(el)).length > 1;
}

// Whether what a native list shows is no choice, but an invitation to one: "Choose a country…", "---", an option that cannot
// be chosen. Where its value is empty and words stand there, as "All", nobody can tell, nor where another choice is drawn.
function unchosenIn(el) {
  const kept = listDrawnBy(el);
  if (kept) return unchosenIn(kept);
  if (showsOther(el)) return "otherwise";
  if (el.localName !== "select") return invitationIn(el) && (isInvitation(el) ? "yes" : "maybe");
  const option = el.multiple ? null : el.selectedOptions[0];
  if (!option || option.value !== "") return "";
  const invites = option.disabled || option.hidden || el.required || !/[\p{L}\d]/u.test(option.label) || OPEN_END.test(option.label);
  return invites ? "yes" : "maybe";
}

function chosenIn(list) { return [...list.selectedOptions].map((option) => squash(option.label)).join(", "); }

function fieldValue(el) {
  if (el.localName === "select") return chosenIn(el);
  if (el.localName === "input" && el.type === "file") return [...el.files].map((file) => file.name).join(", ");
  if (el.isContentEditable && !("value" in el)) return el.innerText;
  const holds = "value" in el && !/^(li|button|progress|meter|output|data)$/.test(el.localName);
  return holds ? String(el.value) || drawnChoice(el) : drawnValue(el);
}

function heldIn(el) { return fieldValue(el) ?? squash(textOf(el)); }
