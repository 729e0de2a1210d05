// What lies over an element out of the window, where the browser tells of no point: layers that are painted later. What has
// to be scrolled to is covered there as it would be in the window. Functions over the DOM without any state.

const layers = whileStill(() => allElements().filter((el) => getComputedStyle(el).position !== "static"));

// The place of an element among what is painted in an outer one: a number as of `z-index`; null: with its plain text, below
// all layers that have none less than 0.
function depthIn(outer, el) {
  const chain = [];
  for (let at = el; at && at !== outer; at = parentOf(at)) if (layers().includes(at)) chain.unshift(at);
  const told = chain.map((at) => getComputedStyle(at).zIndex).find((index) => index !== "auto");
  return chain.length ? Number(told ?? 0) : null;
}

function isPaintedLater(one, el) {
  const outer = closest(one, (at) => contains(at, el));
  const [over, own] = [depthIn(outer, one), depthIn(outer, el)];
  return over === (own ?? 0) ? own === null || follows(el, one) : over > (own ?? 0);
}

function scrollerOf(el) { return closest(parentOf(el), (at) => !/^(html|body)$/.test(at.localName) && /auto|scroll/.test(getComputedStyle(at).overflowY)); }

// Whether what one is in, and the other is not, cuts it off at a point.
function isCutAt(one, el, point) {
  const cuts = (at) => getComputedStyle(at).overflow !== "visible" && !holdsPoint(at, point);
  return closest(parentOf(one), (at) => contains(at, el) || cuts(at)) !== closest(one, (at) => contains(at, el));
}

// Whether something solid lies over an element at a point of it, and is scrolled as it is, or stays wherever one scrolls.
function isUnder(el, { point, box }, letters) {
  const isPinned = (at) => /fixed|sticky/.test(getComputedStyle(at).position);
  const isFixed = (at) => getComputedStyle(at).position === "fixed";
  if (closest(el, isPinned)) return false;
  const scroller = scrollerOf(el);
  const isDrawn = (one) => hasSolid(one, letters, point) && visible(one) && !faint(one) && !turnedAway(one);
  const isOver = (one) => !contains(one, el) && !contains(el, one) && isPaintedLater(one, el);
  const isAcross = (one) => { const { left, right } = one.getBoundingClientRect(); return left <= point[0] && point[0] <= right; };
  const isThere = (one) => (closest(one, isPinned)
    ? isFixed(one) && isAcross(one) && staysOver(one, el, box)
    : holdsPoint(one, point) && scrollerOf(one) === scroller && !isCutAt(one, el, point));
  return layers().some((one) => isThere(one) && isOver(one) && isDrawn(one));
}
