// Whether what is drawn for a toggle follows its state, where the browser itself draws nothing of it. How each toggle looks in
// each of its states is kept before every action: one that looks in both alike shows neither.

const PAINT = ["backgroundColor", "backgroundImage", "backgroundPosition", "backgroundSize", "borderTopColor", "borderRightColor", "borderBottomColor",
  "borderLeftColor", "borderTopWidth", "borderRightWidth", "borderBottomWidth", "borderLeftWidth", "borderTopStyle", "borderRightStyle", "borderBottomStyle",
  "borderTopLeftRadius", "boxShadow", "outlineStyle", "outlineColor", "color", "content", "display", "visibility", "opacity", "transform", "translate", "rotate",
  "scale", "left", "right", "top", "bottom", "width", "height", "marginLeft", "marginTop", "fontWeight", "textDecorationLine", "filter", "clipPath", "maskImage",
  "maskPosition", "maskSize", "fill", "stroke", "strokeWidth", "strokeDashoffset", "strokeDasharray", "d", "r", "zIndex", "clip", "textShadow", "fontFamily", "fontSize",
  "fontVariationSettings", "objectPosition"];
const DRAWN_PARTS = 60; // elements of a drawing that are compared
const MOST_TOGGLES = 20; // that are kept, around what is used
const OPAQUE = "canvas,video,iframe,object,embed"; // how these look, styles do not tell
const OF_POINTER = /^(focus|focused|focusable|focusing|hover|hovered|hovering|hot|ripples?|waves?|touch|touched|touching)$/;
const BY_POINTER = /(?<!\\):(?:hover|focus-visible|focus-within|focus|active)(?![-\w])/g;
const MARK_IN_SELECTOR = /\.(?:[-\w]|\\.)+|\[data-[-\w]+(?:[~|^$*]?=[^\]]*)?\]/g; // a class or a data attribute of a selector
const MOVING = /^(transform|translate|rotate|scale|zoom|top|right|bottom|left|inset|width|height|padding|margin|border)/;
const COLOURED = /color|fill|stroke|shadow/i;
const BY_STATE = /:checked|\[aria-(?:checked|pressed)[^\]]*\]/g;
const EMPTIED = /:(not|is|where|has|host)\(\s*\)|:host(\([^()]*\))?(?![-\w])/g; // nothing is left in its brackets, or nothing is around it
const BROWSERS_BUTTON = /^rgb\((239|107)/; // its background, in light and in dark
const keptLooks = new WeakMap(); // toggle → state → what was drawn for it in that state

function isOfPointer(name) { return name.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase().split(/[^a-z]+/).some((word) => OF_POINTER.test(word)); }

// The toggles around an element, or the first of the document, whose state something else than the browser draws.
function drawnToggles(target) {
  const all = allElements("input[type=checkbox],input[type=radio],[aria-checked],[aria-pressed]");
  const next = target ? all.findIndex((el) => el === target || follows(target, el)) : 0;
  const from = Math.max(0, (next < 0 ? all.length : next) - MOST_TOGGLES / 2);
  return all.slice(from, from + MOST_TOGGLES).filter((el) => !drawsItself(el));
}

// The element around all that is drawn for a toggle; for a radio button, which may share the mark of the chosen one, around its group.
function drawingOfToggle(el) {
  const others = roleOf(el) === "radio" ? radioGroup(el) : [];
  return others.length > 1 ? holderOf(others) || drawingOf(el) : drawingOf(el);
}

// What is drawn for a toggle: each element with its colours, shapes and texts; null where styles do not tell, or where nothing
// is drawn that could show a state, as of a label alone.
function lookOf(el) {
  const outer = drawingOfToggle(el);
  const labels = labelsOf(el).filter((label) => !contains(outer, label));
  const isPointers = (one) => isOfPointer(one.localName) || [...one.classList].some((name) => /ripple|wave|focus-?(ring|helper|indicator)/i.test(name));
  const drawnIn = (one) => (one.localName && !isPointers(one) ? [one, ...childrenOf(one).flatMap(drawnIn)] : []);
  const isDrawn = (one) => one === outer || one.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const all = [outer, ...labels].flatMap(drawnIn).slice(0, DRAWN_PARTS).filter(isDrawn);
  if (all.some((one) => one.matches(OPAQUE)) || !(all.some(isWordlessShape) || [el, ...labelsOf(el)].some(isPaintedFace))) return null;
  const look = all.map((one) => ({ el: one, said: saidBy(one), marks: marksOf(one), paint: [...[null, "::before", "::after"].map((part) => paintOf(one, part)), [placeIn(outer, one)]] }));
  return Object.assign(look, { isPointed: all.some(isPointedAt) });
}

function isPointedAt(el) { return el.matches(":hover,:focus-within"); }

// Where an element stands in another one, to half a pixel, and how large it is.
function placeIn(outer, el) {
  const [around, box] = [outer, el].map((one) => one.getBoundingClientRect());
  return [box.x - around.x, box.y - around.y, box.width, box.height].map((number) => Math.round(number * 2)).join();
}

// Whether an element is drawn without words, as the box or the knob of a toggle is; and whether it is so with its words.
function isWordlessShape(el) { return !(el.localName === "input" && faint(el)) && !squash(flatText(el)) && (el.matches(SHOWS_PICTURES) || paints(el)) && visible(el); }
function isPaintedFace(el) {
  const { borderTopStyle, backgroundColor } = getComputedStyle(el);
  return el.localName !== "input" && paints(el) && !(borderTopStyle === "outset" && BROWSERS_BUTTON.test(backgroundColor));
}

function saidBy(el) {
  const shape = el instanceof SVGElement || el.localName === "img" ? el.cloneNode(false).outerHTML.replace(/ (class|style)="[^"]*"/g, "") : el.localName;
  return `${shape} ${squash(wordsIn(el))} ${el.checkVisibility()}`;
}

// What a script has set on an element for another reason than the pointer, the focus or the state itself.
function marksOf(el) {
  const told = [...el.attributes].filter(({ name }) => name === "style" || (/^data-/.test(name) && !isOfPointer(name)));
  return [...[...el.classList].filter((name) => !isOfPointer(name)), ...told.map(({ name, value }) => `${name}=${value}`)].join(" ");
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

// Keeps how each toggle looks in the state that it is in, before an action may change it.
function keepLooks(target) {
  for (const el of drawnToggles(target)) {
    const [state, look] = [stateToDraw(el), lookOf(el)];
    const kept = keptLooks.get(el) || new Map();
    if (look && state !== null && !(kept.has(!state) && isSameLook(kept.get(!state), look))) keptLooks.set(el, kept.set(state, look));
  }
}

function stateToDraw(el) { return drawsItself(el) ? null : checkedState(el); }

// Whether a toggle looks as it did in its other state, so that nobody can see in which it is.
function isLookStale(el) {
  const state = stateToDraw(el);
  const other = state === null ? undefined : keptLooks.get(el)?.get(!state);
  const look = other && lookOf(el);
  return Boolean(look) && isSameLook(other, look);
}

// An element as people would describe it, without a state that nobody can see.
function factsAsDrawn(el) {
  const told = facts(el);
  if (!isLookStale(bearerOf(controlOf(el)))) return told;
  return { ...told, states: { ...told.states, known: told.states.known.filter((name) => !/^(checked|selected)$/.test(name)) } };
}

// Whether two looks of a toggle differ in nothing but in what the pointer or the focus may have changed. While those are there
// in both, they may also draw over the state.
function isSameLook(one, other) {
  if (one.length !== other.length || one.some(({ el, said }, at) => el !== other[at].el || said !== other[at].said)) return false;
  const isMarked = one.some(({ marks }, at) => marks !== other[at].marks);
  const changed = one.flatMap(({ el, paint }, at) => paint.flatMap((painted, part) => changesOf(painted, other[at].paint[part]).map((name) => ({ el, part, name }))));
  const isPointed = one.some(({ el }) => isPointedAt(el));
  if (!changed.length && !(isPointed && one.isPointed)) return true;
  if (isMarked) return false;
  const rules = rulesOf(new Set([document, ...one.map(({ el }) => el.getRootNode())]));
  if (rules === null) return !changed.length;
  const byState = rules.filter((rule) => rule.byState);
  if (!changed.length) return !one.some(({ el }) => byState.some(({ selector }) => matches(el, selector)));
  return changed.every((change) => isOfPointers(change, rules));
}

function changesOf(one, other) {
  if (one.length !== other.length) return ["content"];
  return (one.length === 1 ? ["place"] : PAINT).filter((_, at) => one[at] !== other[at]);
}

function isOfPointers({ el, part, name }, rules) {
  const kebab = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const sets = ({ names }) => (name === "place" ? [...names].some((one) => MOVING.test(one)) : names.has(kebab)) || [...names].some((one) => one.startsWith("--")) || (names.has("color") && COLOURED.test(name));
  const applies = (rule, at) => (rule.part === part || rule.part === 0) && matches(at, rule.selector);
  const own = rules.filter((rule) => rule.byState && sets(rule) && rule.part === part && matches(el, rule.selector));
  return !own.length && rules.some((rule) => rule.byPointer && sets(rule) && closest(el, (at) => at.localName && applies(rule, at)));
}

function matches(el, selector) { try { return el.matches(selector); } catch { return false; } }

// ---- what style sheets say of pointer, focus and state

// The rules that draw something by the pointer or the focus, as if that were there, and by the state of a toggle; null where a
// style sheet of another origin cannot be read.
function rulesOf(trees) {
  const found = [];
  try {
    for (const tree of trees) for (const list of [...tree.styleSheets, ...(tree.adoptedStyleSheets || [])]) collect([...list.cssRules], "", found);
  } catch { return null; }
  return found;
}

function collect(rules, outer, found) {
  for (const rule of rules) {
    const own = rule.selectorText ? nested(rule.selectorText, outer) : outer;
    if (rule.style && own && (own.search(BY_STATE) >= 0 || own.search(BY_POINTER) >= 0 || isOfPointer(own))) for (const one of selectorsIn(own)) found.push(...ruleFor(one, rule.style));
    if (rule.cssRules?.length) collect([...rule.cssRules], own, found);
  }
}

function nested(selector, outer) {
  if (!outer) return selector;
  const inner = (one) => (one.includes("&") ? one.replaceAll("&", `:is(${outer})`) : `:is(${outer}) ${one}`);
  return selectorsIn(selector).map(inner).join();
}

function selectorsIn(selector) { return selector.split(/,(?![^(]*\))/).map((one) => one.trim()); }

function ruleFor(selector, style) {
  const anyState = selector.replace(BY_STATE, "");
  const any = anyState.replace(MARK_IN_SELECTOR, (one) => (isOfPointer(one) ? "" : one)).replace(BY_POINTER, "");
  const part = /::?before$/.test(any) ? 1 : /::?after$/.test(any) ? 2 : 0;
  const bare = any.replace(/::?(before|after)$/, "").replace(EMPTIED, "").trim();
  if (bare.includes("::")) return [];
  const whole = bare.replace(/^[\s>+~]+/, "").replace(/([>+~])(?=\s*([>+~]|$))/g, "$1 *") || "*";
  return [{ selector: whole, part, names: new Set(style), byPointer: any !== anyState, byState: anyState !== selector }];
}
