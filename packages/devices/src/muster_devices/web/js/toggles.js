// How the state of a toggle is drawn that the browser does not draw: a person sees the drawing, and no box that lies unseen
// below it. What draws it cannot be known, so a toggle is compared with itself, as it was in its other state.

const DRAWN_TOGGLES = "input[type=checkbox],input[type=radio],[role=checkbox],[role=radio],[role=switch]";
const DRAWN_PARTS = 24; // elements of a drawing that are looked at
const OUTER_STEPS = 6; // so far out something may be drawn for a toggle, as the card it is in
const SHAPES = ["transform", "translate", "scale", "rotate", "left", "right", "top", "width", "height", "marginLeft", "visibility", "display",
  "fill", "stroke", "strokeDashoffset", "maskImage", "clipPath", "backgroundPosition", "filter"];
const drawings = new WeakMap(); // toggle → by its state, how it was drawn

function isOn(el) { return typeof el.checked === "boolean" ? el.checked : el.getAttribute("aria-checked") === "true"; }

// The toggle that a click on an element is for, if the browser does not draw it.
function toggleAt(target) {
  const named = closest(target, (at) => at.localName === "label")?.control;
  let found = named ? [named] : [];
  for (let at = target, steps = 0; at && !found.length && steps < OUTER_STEPS; at = parentOf(at), steps += 1) {
    if (at.matches?.(DRAWN_TOGGLES)) found = [at];
    else if (at.querySelectorAll) found = [...at.querySelectorAll(DRAWN_TOGGLES)];
  }
  return found.length === 1 && found[0].matches(DRAWN_TOGGLES) && !drawsItself(found[0]) ? found[0] : null;
}

// All that may draw the state of a toggle: what is drawn for it alone, with what is around that, and its labels.
function partsDrawnFor(el) {
  const drawing = drawingOf(el);
  const isOthers = (at) => [...at.querySelectorAll("*")].some((one) => one !== el && isControl(one));
  const around = [];
  for (let at = parentOf(drawing); at?.localName && at.localName !== "body" && around.length < OUTER_STEPS && !isOthers(at); at = parentOf(at)) around.push(at);
  const inner = [drawing, ...labelsOf(el)].flatMap((one) => [one, ...allIn(one)]);
  return [...new Set([el, ...inner.slice(0, DRAWN_PARTS), ...around])];
}

function lookOf(el) {
  const styles = [null, "::before", "::after"].map((part) => { const style = getComputedStyle(el, part); return [...LOOKS, ...SHAPES].map((name) => style[name]).join(); });
  return [...styles, el.localName === "img" ? el.currentSrc : "", el.getAttribute("d") ?? "", [...el.childNodes].map((node) => node.data ?? "").join("")].join("\n");
}

// Notes how the toggle is drawn that is about to be used.
function noteToggle(target) {
  const el = target && toggleAt(target);
  if (!el) return;
  const known = drawings.get(el) || new Map();
  drawings.set(el, known.set(isOn(el), new Map(partsDrawnFor(el).map((one) => [one, lookOf(one)]))));
}

// Whether a toggle is drawn just as it was in its other state.
function isDrawnAsBefore(el) {
  const other = drawings.get(el)?.get(!isOn(el));
  if (!other) return false;
  return partsDrawnFor(el).every((one) => !isShownFor(one) || other.has(one)) && [...other].every(([one, look]) => one.isConnected && lookOf(one) === look);
}

// Whether an element that has come since shows anything, as a check mark does; what ripples at a click is gone soon.
function isShownFor(el) { return visible(el) && paints(el) && !faint(el); }
