// Whether what is drawn for a toggle or a list follows its state, where the browser itself draws nothing of it. How each toggle looks in
// each of its states is kept before every action: one that looks in both alike shows neither.

const PAINT = ["backgroundColor", "backgroundImage", "backgroundPosition", "backgroundSize", "borderTopColor", "borderRightColor", "borderBottomColor",
  "borderLeftColor", "borderTopWidth", "borderRightWidth", "borderBottomWidth", "borderLeftWidth", "borderTopStyle", "borderRightStyle", "borderBottomStyle",
  "borderTopLeftRadius", "boxShadow", "outlineStyle", "outlineColor", "color", "content", "display", "visibility", "opacity", "transform", "translate", "rotate",
  "scale", "left", "right", "top", "bottom", "width", "height", "marginLeft", "marginTop", "paddingLeft", "justifyContent", "alignItems", "flexDirection", "textAlign",
  "direction", "fontWeight", "textDecorationLine", "filter", "clip", "clipPath", "maskImage", "maskPosition", "maskSize", "fill", "stroke", "strokeWidth",
  "strokeDashoffset", "strokeDasharray", "d"];
const COMPARED = [...PAINT, "place"]; // the last one of elements alone: where they are in the drawing
const DRAWN_PARTS = 60; // elements of a drawing that are compared
const MOST_TOGGLES = 20; // that are kept, around what is used
const OPAQUE = "canvas,video,iframe,object,embed"; // how these look, styles do not tell
const TOGGLE_PARTS = "input,button,[role],[aria-checked],[aria-pressed]"; // of a toggle, or it itself
const BROWSERS_BUTTON = /^rgb\((239|107)/; // its background, in light and in dark
const POINTINGS = [":hover", ":focus", ":focus-visible", ":focus-within", ":active"];
const keptLooks = new WeakMap(); // toggle → state → what was drawn for it in that state

// The toggles around an element, or the first of the document, whose state something else than the browser draws.
function drawnToggles(target) {
  const all = allElements("input[type=checkbox],input[type=radio],[aria-checked],[aria-pressed]");
  const next = target ? all.findIndex((el) => el === target || follows(target, el)) : 0;
  const from = Math.max(0, (next < 0 ? all.length : next) - MOST_TOGGLES / 2);
  return all.slice(from, from + MOST_TOGGLES).filter((el) => !drawsItself(el));
}

// The radio buttons of which one is chosen: they may share its mark.
function fellowsOf(el) {
  if (roleOf(el) !== "radio") return [];
  const group = el.name ? null : closest(el, (at) => roleOf(at) === "radiogroup");
  return group ? allIn(group).filter((one) => roleOf(one) === "radio") : radioGroup(el);
}

// What is drawn for a toggle, its own drawing first, and what is around that: each element with its colours, shapes and texts.
// Null where styles do not tell, or where nothing is drawn that could show a state, as of a label alone.
function lookOf(el) {
  const outer = drawingOf(el);
  const fellows = fellowsOf(el);
  const own = [outer, ...labelsOf(el)].flatMap((one) => drawnIn(one));
  const shared = fellows.length > 1 ? drawnIn(holderOf(fellows) || outer) : [];
  const drawn = new Map([...own, ...shared]);
  const all = [...drawn.keys()].slice(0, DRAWN_PARTS);
  const isTold = new Map(own).size <= DRAWN_PARTS && !all.some((one) => one.matches(OPAQUE));
  if (!isTold || !(all.some(isWordlessShape) || [el, ...labelsOf(el)].some(isPaintedFace))) return null;
  return [...all.map((one) => ({ ...partOf(one, drawn.get(one)), paint: [[...paintOf(one, null), placeIn(outer, one)], paintOf(one, "::before"), paintOf(one, "::after")] })), ...aroundOf(outer)];
}

// The elements of a drawing, each with whether nobody sees it; without those that come and go with the pointer.
function drawnIn(el, isHidden = false) {
  if (!el.localName || isRipple(el)) return [];
  const style = getComputedStyle(el);
  const isFaded = isHidden || Number(style.opacity) < FAINT || cutAway(style) || maskedOut(style);
  return [[el, isFaded || !rendered(el, { visibilityProperty: true })], ...childrenOf(el).flatMap((one) => drawnIn(one, isFaded))];
}

// Whether an element is drawn by the pointer or the focus alone; what bears such a class and holds the toggle only shows them.
function isRipple(el) {
  const isCalledSo = isOfPointer(el.localName) || [...el.classList].some((name) => /ripple|wave|focus-?(ring|helper|indicator)/i.test(name));
  return isCalledSo && !el.matches(TOGGLE_PARTS) && !el.querySelector(TOGGLE_PARTS);
}

// The elements around a drawing: what is set on them may draw it.
function aroundOf(el) {
  const found = [];
  for (let at = parentOf(el); at; at = parentOf(at)) found.push({ ...partOf(at, true), said: "", inline: customOf(at), paint: [], ...(at.matches("html,body") && { pointing: "" }) });
  return found;
}

function customOf(el) { return (el.getAttribute("style") || "").match(/--[^;]*/g)?.join(); }

function placeIn(outer, el) {
  const [box, own] = [outer, el].map((one) => one.getBoundingClientRect());
  return [own.left - box.left, own.top - box.top, own.width, own.height].map(Math.round).join(" ");
}

function partOf(el, isUnseen) {
  const marks = [...[...el.classList].map((name) => `.${name}`), ...[...el.attributes].filter(({ name }) => !/^(class|style)$/.test(name)).map(({ name, value }) => `[${name}\n${value}`)];
  const pointing = [...POINTINGS.filter((one) => el.matches(one)), ...marks.filter(isOfPointer)].join(" ");
  return { el, isUnseen, said: saidBy(el), marks, inline: el.getAttribute("style"), pointing };
}

// Whether an element is drawn without words, as the box or the knob of a toggle is; and whether it is so with its words.
function isWordlessShape(el) { return !(el.localName === "input" && faint(el)) && !squash(flatText(el)) && (el.matches(SHOWS_PICTURES) || paints(el)) && visible(el); }
function isPaintedFace(el) {
  const { borderTopStyle, backgroundColor } = getComputedStyle(el);
  return el.localName !== "input" && paints(el) && !(borderTopStyle === "outset" && BROWSERS_BUTTON.test(backgroundColor));
}

// What an element says; of a picture, also what it shows.
function saidBy(el) {
  const isPicture = el instanceof SVGElement || el.localName === "img";
  const shown = isPicture ? [...el.attributes].filter(({ name }) => !/^(class|style|role|tabindex|(aria|data)-.*)$/.test(name)) : [];
  return [el.localName, ...shown.map(({ name, value }) => `${name}=${value}`), squash(wordsIn(el))].join(" ");
}

function paintOf(el, part) {
  const style = getComputedStyle(el, part);
  if (part && (/^(none|normal)$/.test(style.content) || style.display === "none" || style.visibility !== "visible" || Number(style.opacity) < FAINT)) return [];
  const writes = part ? !/^""/.test(style.content) : squash(wordsIn(el)) !== "";
  return PAINT.map((name) => (isDrawnBy(style, name, writes || el instanceof SVGElement) ? asDrawn(style[name]) : ""));
}

// Whether a property draws anything: letters have to be there to be coloured, and a frame to have a colour.
function isDrawnBy(style, name, writes) {
  if (/^(color|fontWeight|textDecorationLine)$/.test(name)) return writes;
  const side = /^border(Top|Right|Bottom|Left)/.exec(name)?.[0];
  if (side && !name.endsWith("Radius")) return style[`${side}Style`] !== "none" && parseFloat(style[`${side}Width`]) > 0;
  if (name === "outlineColor") return style.outlineStyle !== "none";
  return !/^background(Position|Size)/.test(name) || style.backgroundImage !== "none";
}

function asDrawn(value) { return value === "matrix(1, 0, 0, 1, 0, 0)" ? "none" : value; }

// Keeps how each toggle looks in the state that it is in, before an action may change it; of what is used, anew each time. One
// that looks as in its other state may be about to change.
function keepLooks(target) {
  for (const el of drawnToggles(target)) {
    const state = stateToDraw(el);
    const kept = keptLooks.get(el) || new Map();
    const look = state === null || (kept.has(state) && !isDrawnWith(el, target)) ? null : lookOf(el);
    if (look && !(kept.has(!state) && isSameLook(kept.get(!state), look))) keptLooks.set(el, kept.set(state, look));
  }
}

function isDrawnWith(el, target) { return target !== null && [drawingOf(el), ...labelsOf(el)].some((one) => contains(one, target)); }

function stateToDraw(el) { return drawsItself(el) ? null : checkedState(el); }

// Whether a toggle looks as it did in its other state, so that nobody can see in which it is.
function isLookStale(el) {
  const state = stateToDraw(el);
  const other = state === null ? undefined : keptLooks.get(el)?.get(!state);
  const look = other && lookOf(el);
  return Boolean(look) && isSameLook(other, look);
}

// Whether nobody can see in which state something is.
function isStateUnsure(el) { return isLookStale(el) || isAnotherSetApart(el); }

// An element as people would describe it, without a state that nobody can see.
function factsAsDrawn(el) {
  const told = facts(el);
  if (!isStateUnsure(bearerOf(controlOf(el)))) return told;
  return { ...told, states: { ...told.states, known: told.states.known.filter((name) => !/^(checked|selected)$/.test(name)) } };
}

// Whether two looks of a toggle differ in nothing but in what the pointer or the focus may have changed. While those are there,
// they may also draw over the state.
function isSameLook(one, other) {
  const pairs = one.flatMap((part) => other.filter(({ el }) => el === part.el).map((now) => [part, now]));
  const isNew = (part) => !part.isUnseen && !pairs.some(([{ el }]) => el === part.el);
  if (one.some(isNew) || other.some(isNew) || pairs.some(([part, now]) => part.said !== now.said && !(part.isUnseen && now.isUnseen))) return false;
  const changes = pairs.flatMap(([part, now]) => changesOf(part, now));
  const isPointed = pairs.some(([part, now]) => part.pointing !== now.pointing || (part.paint.length > 0 && /(^| ):/.test(part.pointing)));
  if (!changes.length && !isPointed) return true;
  if (changes.length && pairs.every(([part, now]) => part.pointing === now.pointing)) return false;
  if (changes.length && pairs.some(([part, now]) => part.inline !== now.inline)) return false; // drawn by a script
  const all = one.map(({ el }) => el);
  const rules = rulesOf(all, changedOf(pairs), new Set(changes.flatMap(({ name }) => familiesOf(name))));
  return changes.length ? changes.every((change) => isOfPointers(change, rules, all)) : !all.some((el) => isDrawnOver(el, rules));
}

// What of an element is painted otherwise in another look; what nobody sees in either of them changes nothing.
function changesOf({ el, paint, isUnseen }, now) {
  const named = (painted, at, part) => (painted.length !== now.paint[part].length ? ["content"] : COMPARED.filter((_, nth) => painted[nth] !== now.paint[part][nth]));
  return isUnseen && now.isUnseen ? [] : paint.flatMap((painted, part) => named(painted, now, part).map((name) => ({ el, part, name })));
}

// The classes and attributes that differ in two looks, but for those that tell of the pointer or the focus.
function changedOf(pairs) {
  const differing = ({ marks }, now) => marks.filter((mark) => !now.marks.includes(mark));
  const all = pairs.flatMap(([part, now]) => [...differing(part, now), ...differing(now, part)]);
  return new Set(all.map((mark) => mark.split("\n")[0]).filter((key) => !isOfPointer(key)));
}

function isOfPointers(change, rules, all) {
  const isFocusRing = change.part === 0 && change.name.startsWith("outline"); // the browser draws one by itself
  const drawing = rules.filter((rule) => mayDraw(rule, change, all));
  return !drawing.some((rule) => rule.byState) && (isFocusRing || drawing.length > 0);
}

// Whether what a rule draws by the state may lie below what another one draws by the pointer.
function isDrawnOver(el, rules) {
  const [byState, byPointer] = [(rule) => rule.byState, (rule) => rule.byPointer].map((test) => rules.filter((rule) => test(rule) && isFor(rule, el)));
  return byState.some((rule) => byPointer.some((over) => reachAny(over.names, new Set(rule.names.map(familyOf)))));
}

// ---- lists

const AROUND = 3; // so far out of a list that is not drawn itself lies what is drawn for it
const COUNTS = /\d|(…|\.\.\.)$/; // it may stand for names that are left out: "2 selected", "Ada, Bob, …"

function isUndrawn(el) {
  const box = el.getBoundingClientRect();
  return !visible(el) || faint(el) || Math.min(box.width, box.height) <= SLIVER || !inView(box, el);
}

// What a person reads in the place of a list that is not drawn itself, without labels: around it, or right behind it where
// that is the whole page.
function readInPlaceOf(list) {
  const isOwn = ({ at }) => at && !contains(list, at) && !closest(at, (one) => one.localName === "label");
  const read = (at) => {
    const fields = [at, ...allIn(at)].filter((one) => one !== list && isEditable(one) && seen(one)).map((one) => one.value || "");
    return squash([...[...runsIn(at)].filter((run) => isOwn(run) && textSeen(run)).map(({ data }) => data), ...fields].join(" "));
  };
  for (let at = list, steps = 0; parentOf(at) && steps < AROUND; at = parentOf(at), steps += 1) {
    const isWhole = WHOLE_PAGE.test(parentOf(at).localName);
    const isOver = opacityOf(list) < FAINT; // it lies on its drawing
    const place = isWhole ? !isOver && nextDrawn(at) : parentOf(at);
    const said = place ? read(place) : "";
    if (said || isWhole) return said;
  }
  return "";
}

// Whether a list that is not drawn itself has chosen what is not read in its place.
function isDrawnOtherwise(list) {
  if (list?.localName !== "select" || !isUndrawn(list)) return false;
  const said = readInPlaceOf(list);
  const isRead = ({ label }) => hasWhole(plain(said), plain(label));
  return said !== "" && ![...list.selectedOptions].every(isRead) && !(list.multiple && COUNTS.test(said));
}

// ---- one of several

const FEWEST_OF_KIND = 3; // of two, nobody can tell which of them is set apart
const MOST_OF_KIND = 20; // of more, a look would take too long
const THICK = 2; // px: thinner lines part one from the next

// How one of several is drawn: the colours, weight and thick lines of all that is around its first text.
function drawnApartBy(item) {
  const chain = [];
  for (let at = textNodes(item)[0]?.at || item; at; at = at === item ? null : parentOf(at)) chain.push(at);
  const lines = (style) => ["Top", "Right", "Bottom", "Left"].map((side) => (parseFloat(style[`border${side}Width`]) >= THICK ? style[`border${side}Color`] : ""));
  const drawn = (at, part) => {
    const style = getComputedStyle(at, part);
    if (part && /^(none|normal)$/.test(style.content)) return "";
    return [style.backgroundColor, style.backgroundImage, style.color, style.fontWeight, style.boxShadow, style.textDecorationLine, style.opacity, ...lines(style)].join();
  };
  return chain.flatMap((at) => [null, "::before", "::after"].map((part) => drawn(at, part))).join("|");
}

// Whether of several tabs, steps or links just one is set apart by how it is drawn, and another one says that it is the chosen
// one. What the pointer or the focus draws, or that one cannot be used, says nothing.
function isAnotherSetApart(el) {
  if (/^(option|row|radio|checkbox)$/.test(roleOf(el)) || selectedState(el) === null) return false;
  let item = el;
  while (parentOf(item) && shownChildren(parentOf(item)).length === 1) item = parentOf(item);
  const isUsable = (one) => ![one, ...allIn(one)].some((at) => at.matches(":disabled,[aria-disabled=true]") || isCalledOff(at));
  const items = shownChildren(parentOf(item) || item).filter((one) => one.localName === item.localName && squash(textOf(one)) && isUsable(one));
  const isFew = items.length >= FEWEST_OF_KIND && items.length <= MOST_OF_KIND;
  const alike = isFew && items.includes(item) ? gathered(items, drawnApartBy) : [];
  const [[odd]] = alike.length === 2 ? alike.filter((group) => group.length === 1).concat([[null]]) : [[null]];
  const isChosen = (one) => [one, ...allIn(one)].some(selectedState);
  return Boolean(odd) && items.some(isChosen) && !isChosen(odd) && !odd.matches(":hover,:focus-within") && (odd === item || isChosen(item));
}

// Whether what a person sees of a value is something else than what is told of it.
function showsOther(el) {
  return isDrawnOtherwise(el) || isDrawnOtherwise(listBehind(el)) || isFilledOtherwise(el) || Boolean(el.editContext);
}

// ---- bars

const BAR_SLACK = 4; // per cent: rounded ends and frames

// Whether a bar that is told to be so far is drawn otherwise: it has parts that fill some of it from an end, and none of them
// that much. How full a ring or a picture is, boxes do not tell.
function isFilledOtherwise(el) {
  const told = /^(\d+)%$/.exec(BARS.has(roleOf(el)) ? progressOf(el) : "");
  if (!told || squash(textAsSeen(el))) return false;
  const parts = allIn(el).filter((one) => paints(one) && rendered(one, { visibilityProperty: true }) && !faint(one));
  const shares = parts.flatMap((one) => filledBy(one, el)).filter((share) => share < 100 - BAR_SLACK);
  return shares.length > 0 && !shares.some((share) => Math.abs(share - Number(told[1])) <= BAR_SLACK);
}

// How many per cent of a bar a part fills from one of its ends, along the longer side; none where it is a part of something else.
function filledBy(part, el) {
  const [box, own] = [el, part].map((one) => one.getBoundingClientRect());
  const [start, end, across] = box.width >= box.height ? ["left", "right", "height"] : ["top", "bottom", "width"];
  const filled = Math.min(own[end], box[end]) - Math.max(own[start], box[start]);
  const isFromEnd = own[start] <= box[start] + SLACK || own[end] >= box[end] - SLACK;
  return isFromEnd && own[across] >= box[across] / 2 ? [(100 * Math.max(filled, 0)) / (box[end] - box[start])] : [];
}
