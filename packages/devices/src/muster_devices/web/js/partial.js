// What is not in the document, and would be drawn once somebody scrolls there: most of a long list that draws only a part of
// itself. Functions over the DOM without any state.

const EMPTY = 60; // px: more than this is left blank at an end of a list only where something is still to be drawn
const LISTED = new Set(["row", "listitem", "article", "cell", "option", "treeitem"]);

function isScroller(el) {
  const [down, across] = [el.scrollHeight - el.clientHeight, el.scrollWidth - el.clientWidth];
  if (Math.max(down, across) <= EMPTY || !el.clientHeight || el.matches("textarea,select")) return false;
  const { overflowX, overflowY } = getComputedStyle(el);
  return el === document.scrollingElement || (down > EMPTY && /auto|scroll/.test(overflowY)) || (across > EMPTY && /auto|scroll/.test(overflowX));
}

// The box of all that is drawn in an element, from the upper left end of what one can scroll to; null where nothing is.
function drawnExtent(el) {
  const frame = el === document.scrollingElement ? { left: 0, top: 0 } : el.getBoundingClientRect();
  const isDrawn = (one) => (ownText(one) || one.matches(PICTURES)) && one.getClientRects().length > 0;
  const boxes = allIn(el).filter(isDrawn).map((one) => ({ one, box: one.getBoundingClientRect() }));
  const end = (side, way) => { // the outermost at a side, with the room that styles leave there
    const { one, box } = boxes.reduce((far, next) => (way * next.box[side] > way * far.box[side] ? next : far));
    return box[side] + way * roomAt(one, el, side);
  };
  if (!boxes.length) return null;
  return {
    top: end("top", -1) - frame.top + el.scrollTop, bottom: end("bottom", 1) - frame.top + el.scrollTop,
    left: end("left", -1) - frame.left + el.scrollLeft, right: end("right", 1) - frame.left + el.scrollLeft,
  };
}

// The room that styles leave beside an element and all it is in, up to another one: a page ends in it, no list does. What an
// element has set for it alone is what is still to be drawn.
function roomAt(one, el, side) {
  const name = side[0].toUpperCase() + side.slice(1);
  const given = (at, kind) => (at.style?.[kind + name] ? 0 : parseFloat(getComputedStyle(at)[kind + name]) || 0);
  let room = 0;
  for (let at = one; at && at !== el; at = parentOf(at)) room += given(at, "margin") + (at === one ? 0 : given(at, "padding"));
  return room + given(el, "padding");
}

const COUNTED = new Set(["row", "listitem", "article"]);

// Whether a row or item shows nothing but its lines: one that keeps a place, or that asks for more once it is scrolled to.
function showsNothing(el) {
  const shows = (at) => at && rendered(at, { visibilityProperty: true }) && !faint(at);
  const parts = el.querySelectorAll("input,select,textarea,button,a,img,svg,canvas,video,iframe,[role],[contenteditable]");
  return visible(el) && !textNodes(el).some(({ at }) => shows(at)) && ![...parts].some(shows);
}

// Whether the page has a list at all: only then a blank end of it says something.
function hasItems() { return allElements().filter((el) => LISTED.has(roleOf(el)) && visible(el)).length > 2; }

// Whether there is nothing at an end of what one can scroll in, though things are drawn in it.
function isPartlyDrawn(el) {
  if (!el.localName || !isScroller(el) || !visible(el)) return false;
  const { top, bottom, left, right } = drawnExtent(el) || {};
  if (el === document.scrollingElement) return Math.max(top, el.scrollHeight - bottom) > innerHeight && hasItems();
  const isBlank = (start, end, whole, shown) => whole - shown > EMPTY && Math.max(start, whole - end) > EMPTY;
  return isBlank(left, right, el.scrollWidth, el.clientWidth) || isBlank(top, bottom, el.scrollHeight, el.clientHeight);
}

function partlyDrawn(here) { return allElements().filter((el) => here(el) && isPartlyDrawn(el)); }

// Whether a text is like those that a list draws: one of its words is in most of them, but for those of buttons.
function isLikeItems(want, list) {
  const texts = allIn(list).filter((el) => ownText(el) && !closest(el, (at) => at.localName && roleOf(at) === "button")).map((el) => plain(textOf(el)));
  return want.split(" ").some((word) => /\p{L}{2}/u.test(word) && texts.filter((text) => hasWhole(text, word)).length > texts.length / 2);
}
