// What lies over an element. The browser is asked what is drawn at a point; where it does not tell (what is inert),
// nothing counts as lying over it, and of what has to be scrolled to first `under.js` tells. Functions over the DOM without
// any state.

const COLOURS = /(?:rgba?|hsla?|lab|lch|oklab|oklch|color)\([^)]*\)/g;
const STYLED = ["::before", "::after"];

// ---- what hides what is behind it

function isSolidColour(color) { return rgba(color)[3] >= SOLID; }

// The colours of a background that is made of gradients alone; none for another one.
function gradientColours(image) { return /^[a-z-]*gradient\(/.test(image) && !image.includes("url(") ? image.match(COLOURS) || [] : []; }

// Whether a style fills a box so that letters of this height (px) cannot be read through it.
function fills(style, letters) {
  if (Number(style.opacity) < SOLID || style.visibility !== "visible") return false;
  if (isSolidColour(style.backgroundColor) || blur(style.backdropFilter) > letters * BLURRED) return true;
  const image = style.backgroundImage;
  const colours = gradientColours(image);
  return colours.length > 0 && style.backgroundSize === "auto" && colours.every(isSolidColour);
}

// Whether a style draws an element so that what it hides cannot be told: blended with what is behind it, or masked.
function isMixed({ mixBlendMode, maskImage }) { return mixBlendMode !== "normal" || (maskImage || "none") !== "none"; }
function isFaded(style) { return Number(style.opacity) * filterLeaves(style.filter) < SOLID; }
function letsThroughSight(el) {
  const isSo = (style) => isFaded(style) || isMixed(style);
  return closest(el, (at) => at.localName && isSo(getComputedStyle(at))) !== null;
}

// Whether an element hides what is behind it: all over, or with a picture at this point.
function hasSolid(el, letters = Infinity, point = null) {
  const style = getComputedStyle(el);
  if (style.visibility !== "visible" || letsThroughSight(el)) return false;
  return el.matches("iframe,video") || fills(style, letters) || (point !== null && isPaintedAt(el, point));
}

// Whether a picture, or what a script draws, has a colour at a point that nothing shows through. Of what comes from another
// site, and of what is fitted into its place, the browser does not tell.
function isPaintedAt(el, [x, y]) {
  if (!el.matches("canvas,img") || getComputedStyle(el).objectFit !== "fill") return false;
  const [wide, high] = el.localName === "img" ? [el.naturalWidth, el.naturalHeight] : [el.width, el.height];
  const { left, top, width, height } = el.getBoundingClientRect();
  if (!(wide && high && width && height)) return false;
  const context = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  try {
    context.drawImage(el, ((x - left) / width) * wide, ((y - top) / height) * high, 1, 1, 0, 0, 1, 1);
    return context.getImageData(0, 0, 1, 1).data[3] >= 255 * SOLID;
  } catch { return false; }
}

// Whether a shape that is drawn later in the same picture fills a point of a text in it.
function isPaintedOver(el, [x, y]) {
  const stack = el.getRootNode().elementsFromPoint(x, y);
  const own = stack.findIndex((one) => contains(el, one) || contains(one, el));
  const isSolid = (one) => {
    const { fill, fillOpacity } = getComputedStyle(one);
    return !/^(none|url)/.test(fill) && isSolidColour(fill) && Number(fillOpacity) >= SOLID && !letsThroughSight(one);
  };
  return stack.slice(0, Math.max(own, 0)).some((one) => isShape(one) && !contains(el, one) && isSolid(one));
}

function fillsFreely(style, letters) {
  return style.content !== "none" && /absolute|fixed/.test(style.position) && fills(style, letters);
}

// Whether what a style draws before or after an element's own text lies over it at a point.
function ownStyleHides(el, [x, y], letters) {
  return STYLED.some((part) => {
    const style = getComputedStyle(el, part);
    if (!fillsFreely(style, letters) || Number(style.zIndex) < 0 || style.transform !== "none") return false;
    const holder = closest(el, (at) => getComputedStyle(at).position !== "static") || document.documentElement;
    const { left, top } = style.position === "fixed" ? { left: 0, top: 0 } : holder.getBoundingClientRect();
    const [across, down] = [x - left - holder.clientLeft - parseFloat(style.left), y - top - holder.clientTop - parseFloat(style.top)];
    return across >= 0 && down >= 0 && across <= parseFloat(style.width) && down <= parseFloat(style.height);
  });
}

// Whether an element lies behind the solid backdrop of something that is on top of the page.
function behindBackdrop(el) {
  if (closest(el, onTop)) return false;
  const above = allElements("dialog:modal,:popover-open,:fullscreen");
  return above.some((one) => {
    const style = getComputedStyle(one, "::backdrop");
    return style.display !== "none" && isSolidColour(style.backgroundColor) && fills(style, Infinity);
  });
}

// ---- whether it can be brought out from under it

function scrollersOf(el) {
  const scrolls = (at) => /auto|scroll/.test(getComputedStyle(at).overflowY) && !/^(html|body)$/.test(at.localName);
  const found = new Set([document.scrollingElement || document.documentElement]);
  for (let at = parentOf(el); at; at = parentOf(at)) if (scrolls(at)) found.add(at);
  return [...found];
}

// Whether no scrolling brings a box of an element out from under another one. All that scrolls moves it against what stays
// where it is in the window; against the rest, only what has no part in that.
function staysOver(cover, el, box) {
  const isPinned = (at) => /fixed|sticky/.test(getComputedStyle(at).position);
  const isFixed = closest(cover, isPinned) && !closest(el, isPinned);
  const all = scrollersOf(el).filter((at) => isFixed || !contains(at, cover));
  if (!all.length) return true;
  const over = cover.getBoundingClientRect();
  const frame = isFixed ? { top: 0, bottom: innerHeight } : all[0].getBoundingClientRect();
  const [top, bottom] = [Math.max(frame.top, 0), Math.min(frame.bottom, innerHeight)];
  const back = all.reduce((sum, at) => sum + at.scrollTop, 0);
  const on = all.reduce((sum, at) => sum + at.scrollHeight - at.clientHeight - at.scrollTop, 0);
  const height = box.bottom - box.top;
  const above = over.top - top >= height && box.bottom - on <= over.top;
  return !above && !(bottom - over.bottom >= height && box.top + back >= over.bottom);
}

// Scrolls a field out from under what lies over its middle, as people do before they type: the driver would not notice.
function bringOut(el) {
  const top = atMiddle(el);
  const isOwn = (at) => contains(at, el) || [el, drawingOf(el), ...labelsOf(el)].some((one) => contains(one, at));
  if (top && !isOwn(top)) bringToView(el, "center");
}

// ---- what is at a point

// Whether the point belongs to an element as it is scrolled now, so that the browser can be asked what is there.
function isReached(el, [x, y]) {
  if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight || !holdsPoint(el, [x, y])) return false;
  const cuts = (at) => getComputedStyle(at).overflow !== "visible" && !/^(html|body)$/.test(at.localName);
  return !closest(parentOf(el), (at) => cuts(at) && !holdsPoint(at, [x, y]));
}

// Whether what lies over an element is there only while the mouse stays where it is.
function isPassing(over, el) {
  const tip = closest(over, (at) => at.localName && at.getAttribute("role") === "tooltip");
  return tip !== null && !contains(tip, el);
}

// Whether an element is not what a person sees at a point of a box; with `alone`, parts of it are no better than others.
function isLost(el, { point: [x, y], box }, alone) {
  const letters = alone ? parseFloat(getComputedStyle(el).fontSize) : Infinity;
  if (alone && ownStyleHides(el, [x, y], letters)) return true;
  const hides = (one, at) => (contains(one, at) // before what it holds there is only what its style draws, or its background
    ? hasSolid(one, letters) || STYLED.some((part) => fillsFreely(getComputedStyle(one, part), letters))
    : hasSolid(one, letters, [x, y]) && staysOver(one, el, box));
  for (let at = el; at; at = at.getRootNode().host) {
    const stack = at.getRootNode().elementsFromPoint(x, y).filter((one) => !isPassing(one, at));
    const own = stack.findIndex((one) => one === at || (!(alone && at === el) && contains(at, one)));
    if (own < 0) return true;
    if (stack.slice(0, own).some((one) => hides(one, at))) return true;
  }
  return false;
}

// The elements that let clicks through, but not all of what is behind them be seen.
const letsThrough = whileStill(() => allElements().filter((el) => getComputedStyle(el).pointerEvents === "none" && (hasSolid(el) || hidingOf(el) > 0)));

// What `ask` answers while the browser tells of all elements at a point, also of those that let clicks through.
function asIfTouched(el, points, ask) {
  const lets = (at, part) => getComputedStyle(at, part).pointerEvents === "none";
  const styled = (at) => STYLED.some((part) => lets(at, part) && fillsFreely(getComputedStyle(at, part), Infinity));
  if (!lets(el) && !closest(el, styled) && !letsThrough().some((one) => points.some(({ point }) => holdsPoint(one, point)))) return ask();
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("@layer { *, ::before, ::after { pointer-events: auto !important } }"); // in a layer: it outdoes what the page insists on
  const all = roots();
  for (const root of all) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  try { return ask(); } finally {
    for (const root of all) root.adoptedStyleSheets = [...root.adoptedStyleSheets].filter((one) => one !== sheet);
  }
}

function isOutOfReach(el) {
  const modal = modalNow();
  return el.closest("[inert]") !== null || (modal !== null && !contains(modal, el));
}

// Whether something in the document around this one lies over the frame where an element's boxes are.
function frameCovered(boxes) {
  let frame = null;
  try { frame = window.frameElement; } catch { /* another origin */ }
  if (!frame) return false;
  const { left, top } = frame.getBoundingClientRect();
  const [x, y] = [left + frame.clientLeft, top + frame.clientTop];
  const moved = boxes.map((box) => ({ left: box.left + x, right: box.right + x, top: box.top + y, bottom: box.bottom + y }));
  return Boolean(window.parent.__muster?.covered?.(frame, moved));
}

// Whether all of an element's boxes are covered by something solid, or clipped to a shape that leaves nothing of them;
// with `alone` by parts of the element itself, too.
function covered(el, boxes, alone = false) {
  const boxed = closest(el, (one) => getComputedStyle(one).display !== "contents");
  if (!boxed) return false;
  const picture = boxed.namespaceURI === "http://www.w3.org/1999/xhtml" ? null : closest(boxed, (one) => one.localName === "svg");
  const at = picture || boxed;
  if (behindBackdrop(at)) return true;
  const across = (box) => [(box.left + box.right) / 2, box.left + 1, box.right - 1];
  const places = boxes.slice(0, 3).map(({ left, right, top, bottom }) => ({ left, right, top, bottom }));
  const points = places.flatMap((box) => across(box).map((x) => ({ box, point: [x, (box.top + box.bottom) / 2] })));
  const reached = points.filter(({ point }) => isReached(at, point));
  const isAll = () => reached.every((one) => isLost(at, one, alone && !picture) || (picture && alone && isPaintedOver(boxed, one.point)));
  const letters = alone ? parseFloat(getComputedStyle(at).fontSize) : Infinity;
  if (!reached.length && points.length && points.every((one) => isUnder(at, one, letters))) return true;
  // Last, since it looks through the whole document.
  return (reached.length > 0 && asIfTouched(at, reached, isAll) && !isOutOfReach(at)) || frameCovered(places);
}

// What lies over the middle of an element that is covered, with all around it that the element is not in; null: nothing.
function layerOver(el) {
  let layer = atMiddle(el);
  if (!layer || contains(el, layer) || contains(layer, el) || !covered(el, [el.getBoundingClientRect()])) return null;
  while (parentOf(layer) && !contains(parentOf(layer), el)) layer = parentOf(layer);
  return layer;
}

// Of several things of one name, those that are used: what lies behind a layer that shows another of them is put away.
function inFront(several) {
  if (several.length < 2) return several;
  return several.filter((el) => {
    const layer = layerOver(el);
    return !layer || !several.some((one) => contains(layer, one));
  });
}

// ---- what a veil keeps apart from the rest of the page

const SHADED = 0.05;
const VEIL_EDGE = 24; // px from the edges of the window, where drawers and sheets stand

// How much a layer darkens the whole window, from 0 to 1.
function shade(el) {
  const { position, backgroundColor } = getComputedStyle(el);
  const { left, top, right, bottom } = el.getBoundingClientRect();
  const isWhole = left <= 0 && top <= 0 && right >= innerWidth && bottom >= innerHeight;
  return isWhole && /absolute|fixed/.test(position) ? rgba(backgroundColor)[3] : 0;
}

// Whether an element darkens the whole window, and lets what is behind it be seen.
function isVeil(el) {
  const opacity = shade(el);
  return opacity > SHADED && opacity < 0.95 && !squash(textOf(el));
}

// Whether a modal dialog, or a layer that darkens the whole window, keeps a person from an element.
function isKeptBack(el) {
  const modals = allElements("dialog:modal").filter(visible);
  if (modals.length) return !modals.some((modal) => contains(modal, el));
  const isLayer = (at) => at.localName && shade(at) > SHADED && !contains(at, el);
  if (!document.elementsFromPoint(innerWidth / 2, innerHeight / 2).some((at) => closest(at, isLayer))) return false;
  bringToView(el, "center");
  const top = atMiddle(el);
  return Boolean(top) && !contains(el, top) && !contains(top, el) && closest(top, isLayer) !== null;
}

// What stands before a veil over the page, be it in its middle or at an edge; null: there is no veil, or it keeps nothing
// from being used, as one over a picture.
function veiledNow() {
  const [across, down] = [innerWidth / 2, innerHeight / 2];
  const points = [[across, down], [VEIL_EDGE, down], [innerWidth - VEIL_EDGE, down], [across, innerHeight - VEIL_EDGE]];
  for (const [x, y] of points) {
    const stack = document.elementsFromPoint(x, y);
    const veil = stack.find(isVeil);
    const before = stack.slice(0, Math.max(stack.indexOf(veil), 0)).filter((at) => !contains(at, veil));
    const solid = before.filter((at) => isSolidColour(getComputedStyle(at).backgroundColor));
    const placed = before.filter((at) => /absolute|fixed/.test(getComputedStyle(at).position));
    const own = placed.filter((at) => solid.includes(at));
    const boxes = own.length ? own : placed.filter((at) => solid.some((one) => contains(at, one))); // drawn by its parts
    const box = boxes.find((at) => !boxes.some((other) => other !== at && contains(other, at)));
    if (box && visible(box) && squash(textOf(box)) && keepsBack(veil, box)) return box;
  }
  return null;
}

// Whether a veil lies over something that one could use else.
function keepsBack(veil, box) {
  const isBehind = (el) => {
    const { left, top, width, height } = el.getBoundingClientRect();
    const stack = document.elementsFromPoint(left + width / 2, top + height / 2);
    return stack.includes(el) && stack.indexOf(veil) >= 0 && stack.indexOf(veil) < stack.indexOf(el);
  };
  return allElements("a[href],button,input,select,textarea,[role],[tabindex]").some((el) => !contains(box, el) && !contains(veil, el) && visible(el) && isClickable(el) && isBehind(el));
}
