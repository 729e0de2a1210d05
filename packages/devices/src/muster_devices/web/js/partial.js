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
  const boxes = [...el.querySelectorAll("*")].filter(isDrawn).map((one) => one.getBoundingClientRect());
  const from = (side, start, pick) => pick(...boxes.map((box) => box[side] - frame[start]));
  if (!boxes.length) return null;
  return {
    top: from("top", "top", Math.min) + el.scrollTop, bottom: from("bottom", "top", Math.max) + el.scrollTop,
    left: from("left", "left", Math.min) + el.scrollLeft, right: from("right", "left", Math.max) + el.scrollLeft,
  };
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

// Whether a text is like those that a list draws: one of its words is in most of them.
function isLikeItems(want, list) {
  const texts = [...list.querySelectorAll("*")].filter(ownText).map((el) => plain(textOf(el)));
  return want.split(" ").some((word) => /\p{L}{2}/u.test(word) && texts.filter((text) => hasWhole(text, word)).length > texts.length / 2);
}
