// States that markup tells only in class names or on another element. Functions over the DOM without any state.

const CHOSEN = /^(active|selected|current|chosen)$/;
const DENYING = /^(in|un|not|non|de)$/;
const CHOSEN_DATA = ["data-active", "data-selected", "data-current", "data-state"];
const LOOKS = ["color", "backgroundColor", "backgroundImage", "fontWeight", "borderTopColor", "borderBottomColor", "borderLeftColor",
  "borderBottomWidth", "borderLeftWidth", "boxShadow", "textDecorationLine", "opacity", "content"];
const COUNTER = /^[\s\d().,+•·-]*$/;

// ---- the control that a text is the face of

// The control whose only text an element is: its state is that of the text.
function bearerOf(el) {
  if (isClickable(el) || isControl(el)) return el;
  const text = squash(textOf(el));
  const isBearer = (at) => at.localName && (CLICKABLE.has(roleOf(at)) || at.hasAttribute("aria-expanded"));
  const bearer = text && closest(parentOf(el), isBearer);
  return bearer && squash(textOf(bearer)) === text ? bearer : el;
}

// ---- the chosen one of several

// Whether a class says that what bears it is chosen: its last word does, as in `nav-link--active`, but not `not-active`.
function saysChosen(name) {
  const words = name.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase().split(/[^a-z]+/).filter(Boolean);
  return CHOSEN.test(words.at(-1) || "") && !words.some((word) => DENYING.test(word));
}

function isCalledChosen(item) {
  const tells = (el, name) => /^(|true|active|selected|current)$/.test(el.getAttribute(name) ?? "false");
  return [item, ...item.querySelectorAll("*")].some((el) => [...el.classList].some(saysChosen) || CHOSEN_DATA.some((name) => tells(el, name)));
}

function looksOf(item) {
  const of = (el, part) => { const style = getComputedStyle(el, part); return LOOKS.map((name) => style[name]).join(); };
  return [item, ...item.querySelectorAll("*")].slice(0, 8).map((el) => [null, "::before", "::after"].map((part) => of(el, part)).join()).join();
}

// Whether an element is the chosen one of those beside it, where one is called so by its classes and drawn unlike the others;
// null where none is, or where a person sees no difference.
function chosenState(el) {
  const text = squash(textOf(el));
  for (let item = el, steps = 0; item?.localName && item.localName !== "body" && steps < 5; item = parentOf(item), steps += 1) {
    const own = squash(textOf(item));
    if (!text || !own.startsWith(text) || !COUNTER.test(own.slice(text.length))) return null;
    const peers = [...(item.parentElement?.children || [])].filter((one) => one.localName === item.localName && visible(one));
    const called = peers.filter(isCalledChosen);
    const others = peers.filter((one) => !called.includes(one) && !one.matches(":hover"));
    if (!called.length || !others.length || !peers.includes(item)) continue;
    const plainLooks = new Set(others.map(looksOf));
    const chosen = called.filter((one) => !plainLooks.has(looksOf(one)));
    return chosen.length ? chosen.includes(item) : null;
  }
  return null;
}
