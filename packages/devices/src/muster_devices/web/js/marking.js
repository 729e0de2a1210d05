// States that markup tells only in class names or on another element. Functions over the DOM without any state.

const CHOSEN = /^(active|selected|current|chosen)$/;
const DENYING = /^(in|un|not|non|de)$/;
const CHOSEN_DATA = ["data-active", "data-selected", "data-current", "data-state"];
const LOOKS = ["color", "backgroundColor", "backgroundImage", "fontWeight", "borderTopColor", "borderBottomColor", "borderLeftColor",
  "borderBottomWidth", "borderLeftWidth", "boxShadow", "textDecorationLine", "opacity", "content"];
const SHAPE = ["paddingTop", "paddingLeft", "borderTopLeftRadius", "fontSize", "display"]; // a chosen one keeps that of the others
const GROUP = /(^|[-_])(tabs?|steps?|stepper|pager|pages|pagination|paginator|nav|navbar|segments?|segmented|pills?|wizard)$/i;
const CURRENT = "[aria-current]:not([aria-current=false],[aria-current=''])";
const COUNTER = /^[\s\d().,+•·-]*$/;

// ---- the control that a text is the face of

// The control whose only text an element is, or whose label it is part of: its state is that of the text.
function bearerOf(el) {
  const item = roleOf(el) || isControl(el) ? null : closest(parentOf(el), (at) => at.localName && roleOf(at) === "treeitem");
  if (item && squash(textOf(item)) === squash(textOf(el))) return item;
  if (isControl(el) || (isClickable(el) && el.localName !== "label")) return el;
  const label = closest(el, (at) => at.localName === "label" && at.control);
  if (label && TOGGLES.has(roleOf(label.control))) return label.control;
  const untied = el.localName === "label" && !el.control ? allIn(parentOf(el)).filter(isControl) : [];
  const isAlone = untied.length === 1 && TOGGLES.has(roleOf(untied[0])) && squash(textOf(parentOf(el))) === squash(textOf(el));
  if (isAlone && !labelsOf(untied[0]).length) return untied[0];
  if (isClickable(el)) return el;
  const text = squash(textOf(el));
  const isBearer = (at) => at.localName && (CLICKABLE.has(roleOf(at)) || at.hasAttribute("aria-expanded"));
  const bearer = text && closest(parentOf(el), isBearer);
  const isNameOf = bearer && TOGGLES.has(roleOf(bearer)) && phrasesIn(bearer)[0] === text; // as of a card that one chooses
  return bearer && (squash(textOf(bearer)) === text || isNameOf) ? bearer : el;
}

// ---- the chosen one of several

// The words of a class or an attribute: "nav", "link", "active" of `navLink--active`.
function wordsOfMark(name) { return name.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase().split(/[^a-z]+/).filter(Boolean); }

// Whether a class says a state of what bears it: its last word does, as in `nav-link--active`, but not `not-active`.
function saysState(name, state) {
  const words = wordsOfMark(name);
  return state.test(words.at(-1) || "") && !words.some((word) => DENYING.test(word));
}

function saysChosen(name) { return saysState(name, CHOSEN); }

function isCalledChosen(item) {
  const tells = (el, name) => /^(|true|active|selected|current)$/.test(el.getAttribute(name) ?? "false");
  return [item, ...item.querySelectorAll("*")].some((el) => [...el.classList].some(saysChosen) || CHOSEN_DATA.some((name) => tells(el, name)));
}

function looksOf(item) {
  const of = (el, part) => { const style = getComputedStyle(el, part); return LOOKS.map((name) => style[name]).join(); };
  return [item, ...item.querySelectorAll("*")].slice(0, 8).map((el) => [null, "::before", "::after"].map((part) => of(el, part)).join()).join();
}

function isOff(item) {
  return [item, ...item.querySelectorAll("*")].some((el) => el.matches(":disabled,[aria-disabled=true]") || [...el.classList].some((name) => /disabled/i.test(name)) ||
    getComputedStyle(el).cursor === "not-allowed");
}

// Whether a style may draw an element as it does because the pointer or the focus is there.
function isPointedOut(item) {
  if (!item.matches(":hover,:focus-within")) return false;
  const all = [item, ...item.querySelectorAll("*")];
  return hasForeignSheets() || rulesOf(all, new Set(), new Set()).some((rule) => rule.isPointed && all.some((el) => isFor(rule, el)));
}

// The only one of several alike that is drawn otherwise, as the chosen tab, step or page is; null where nobody can tell. A
// sign or another shape means something else, as that a step is done or a link is an offer.
function emphasizedOf(all) {
  const peers = all.filter((item) => !isOff(item));
  const [holder, first] = [peers[0]?.parentElement, peers[0]];
  const isCalled = (el) => [...el.classList].some((name) => GROUP.test(name));
  if (peers.length < 3 || !(holder.matches("nav,ul,ol,[role=tablist]") || [holder, first, first.firstElementChild || first].some(isCalled))) return null;
  const kinds = gathered(peers, looksOf);
  const single = kinds.find((some) => some.length === 1)?.[0];
  if (kinds.length !== 2 || !single || isPointedOut(single)) return null;
  const other = kinds.find(([one]) => one !== single)[0];
  return shapeOf(single) === shapeOf(other) ? single : null;
}

function shapeOf(item) {
  const of = (el) => [...SHAPE.map((name) => getComputedStyle(el)[name]), generated(el, "::before"), generated(el, "::after")].join();
  return [item, ...item.querySelectorAll("*")].map(of).join();
}

// Whether those beside an element are drawn against what it says of itself: the only one that is drawn otherwise is another one
// than the chosen one.
function isOutdrawn(el, isChosen) {
  const text = squash(textOf(el));
  for (let item = el, steps = 0; text && item?.localName && steps < 5 && saysOnly(squash(textOf(item)), text); item = parentOf(item), steps += 1) {
    const peers = [...(item.parentElement?.children || [])].filter((one) => one.localName === item.localName && visible(one));
    if (peers.length < 3) continue;
    const single = emphasizedOf(peers);
    return single !== null && (single === item) !== isChosen;
  }
  return false;
}

// Whether a text is all that is said, but for numbers and signs.
function saysOnly(all, text) { return all.includes(text) && all.split(text).every((rest) => COUNTER.test(rest)); }

// Whether an element is the chosen one of those beside it, where one is told to be, is called so by its classes and drawn unlike
// the others, or is the only one that is drawn otherwise; null where none is, or where a person sees no difference.
function chosenState(el) {
  const text = squash(textOf(el));
  for (let item = el, steps = 0; item?.localName && item.localName !== "body" && steps < 5; item = parentOf(item), steps += 1) {
    const own = squash(textOf(item));
    if (!text || !saysOnly(own, text)) return null;
    const isNamed = (one) => !/\p{L}/u.test(text) || /\p{L}/u.test(textOf(one)); // the number of a step is no step beside its name
    const peers = [...(item.parentElement?.children || [])].filter((one) => one.localName === item.localName && visible(one) && isNamed(one));
    const isTold = (one) => one.matches(CURRENT) || [...one.querySelectorAll(CURRENT)].some((mark) => saysOnly(squash(textOf(one)), squash(textOf(mark))));
    const told = peers.filter(isTold);
    if (told.length && peers.includes(item)) return isOutdrawn(el, told.includes(item)) ? null : told.includes(item);
    const called = peers.filter(isCalledChosen);
    const others = peers.filter((one) => !called.includes(one) && !one.matches(":hover"));
    const emphasized = called.length ? null : emphasizedOf(peers);
    if (emphasized) return emphasized === item;
    if (!called.length || !others.length || !peers.includes(item)) continue;
    const plainLooks = new Set(others.map(looksOf));
    const chosen = called.filter((one) => !plainLooks.has(looksOf(one)));
    return chosen.length ? chosen.includes(item) : null;
  }
  return null;
}
