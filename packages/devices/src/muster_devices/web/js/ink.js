// Whether what is drawn can be told from what is behind it, and whether something lies over it. Where this cannot be known
// (pictures, filters, parts that must be scrolled to first), it counts as seen. Functions over the DOM without any state.

const SAME = 6; // of 255: colours closer than this are one to a person
const SOLID = 0.98; // opacity from which nothing shows through
const TRANSPARENT = /(?:rgba\(.*,|\/)\s*0(?:\.0[01]?\d*)?%?\)$/;
const PICTURES = "img,svg,canvas,video,object,embed,iframe,input,select,textarea,progress,meter";

// A computed colour as red, green, blue (0 to 255) and opacity (0 to 1).
function rgba(color) {
  const plainly = /^rgba?\(([\d.]+), ([\d.]+), ([\d.]+)(?:, ([\d.]+))?\)$/.exec(color);
  if (plainly) return [...plainly.slice(1, 4).map(Number), Number(plainly[4] ?? 1)];
  const context = document.createElement("canvas").getContext("2d");
  context.fillStyle = color;
  context.fillRect(0, 0, 1, 1);
  const [red, green, blue, opacity] = context.getImageData(0, 0, 1, 1).data;
  return [red, green, blue, opacity / 255];
}

function over([red, green, blue, opacity], below) {
  return [red, green, blue].map((value, at) => value * opacity + below[at] * (1 - opacity));
}

function holdsPoint(el, [x, y]) {
  const box = el.getBoundingClientRect();
  return x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
}

// The colour behind a point of an element; null where it cannot be known.
function colourBehind(el, point) {
  const layers = [];
  for (let at = el; at; at = parentOf(at)) {
    const style = getComputedStyle(at);
    const changed = [style.backdropFilter, style.filter].some((one) => one && one !== "none");
    if (changed || style.mixBlendMode !== "normal") return null;
    if (at.localName !== "html" && at.localName !== "body" && !holdsPoint(at, point)) continue;
    if (style.backgroundImage !== "none") return null;
    layers.unshift(rgba(style.backgroundColor));
    if (layers[0][3] >= SOLID) break;
  }
  const dark = /dark/.test(getComputedStyle(document.documentElement).colorScheme);
  return dark ? null : layers.reduce((below, layer) => over(layer, below), [255, 255, 255]);
}

function isApart(one, other) { return one.some((value, at) => Math.abs(value - other[at]) > SAME); }

// Whether something else that has a colour or a picture of its own lies at a point, before or behind an element.
function otherPaint(el, point, colour) {
  const paintsApart = (one) => {
    const style = getComputedStyle(one);
    return one.matches(PICTURES) || style.backgroundImage !== "none" || isApart(over(rgba(style.backgroundColor), colour), colour);
  };
  const near = roots().flatMap((root) => [...root.querySelectorAll("*")]).filter(
    (one) => holdsPoint(one, point) && one.checkVisibility({ opacityProperty: true, visibilityProperty: true }));
  return near.some((one) => !contains(one, el) && !contains(el, one) && paintsApart(one));
}

// Whether a text has the colour of what is behind it.
function camouflaged(el, box) {
  const style = getComputedStyle(el);
  if (style.textShadow !== "none" || parseFloat(style.webkitTextStrokeWidth) > 0) return false;
  if (el.namespaceURI !== "http://www.w3.org/1999/xhtml") return false;
  const point = [box.left + box.width / 2, box.top + box.height / 2];
  const behind = colourBehind(el, point);
  if (!behind || isApart(over(rgba(style.webkitTextFillColor), behind), behind)) return false;
  return !otherPaint(el, point, behind);
}

// Whether a mask leaves nothing of an element.
function maskedOut(style) {
  const mask = style.maskImage || style.webkitMaskImage || "none";
  const colours = mask.includes("gradient(") && !mask.includes("url(") ? mask.match(/rgba?\([^)]*\)/g) : null;
  return Boolean(colours) && colours.every((colour) => TRANSPARENT.test(colour));
}

// ---- what lies over an element

function hasSolid(el) {
  const style = getComputedStyle(el);
  if (Number(style.opacity) < SOLID || style.visibility !== "visible") return false;
  return el.matches("iframe,video") || rgba(style.backgroundColor)[3] >= SOLID;
}

// Whether scrolling cannot bring an element out from under another one.
function staysOver(cover, el) {
  const isPinned = (at) => /fixed|sticky/.test(getComputedStyle(at).position);
  if (!closest(cover, isPinned) || closest(el, isPinned)) return true;
  const box = cover.getBoundingClientRect();
  return box.left <= 0 && box.top <= 0 && box.right >= innerWidth && box.bottom >= innerHeight;
}

// Whether the point belongs to an element as it is scrolled now, so that the browser can be asked what is there.
function isReached(el, [x, y]) {
  if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight || !holdsPoint(el, [x, y])) return false;
  const cuts = (at) => getComputedStyle(at).overflow !== "visible" && !/^(html|body)$/.test(at.localName);
  return !closest(parentOf(el), (at) => cuts(at) && !holdsPoint(at, [x, y]));
}

// Whether an element is not what a person sees at a point; with `alone`, parts of it are no better than others.
function isLost(el, [x, y], alone) {
  for (let at = el; at; at = at.getRootNode().host) {
    const stack = at.getRootNode().elementsFromPoint(x, y);
    const own = stack.findIndex((one) => one === at || (!(alone && at === el) && contains(at, one)));
    if (own < 0) return true;
    if (stack.slice(0, own).some((one) => !contains(one, at) && hasSolid(one) && staysOver(one, el))) return true;
  }
  return false;
}

function isOutOfReach(el) {
  const modal = modalNow();
  return el.closest("[inert]") !== null || (modal !== null && !contains(modal, el));
}

// Whether all of an element's boxes are covered by something solid, or clipped to a shape that leaves nothing of them;
// with `alone` by parts of the element itself, too.
function covered(el, boxes, alone = false) {
  const at = closest(el, (one) => getComputedStyle(one).display !== "contents");
  if (!at || at.namespaceURI !== "http://www.w3.org/1999/xhtml") return false;
  if (getComputedStyle(at).pointerEvents === "none") return false;
  const across = (box) => [box.left + box.width / 2, box.left + 1, box.right - 1];
  const points = boxes.slice(0, 3).flatMap((box) => across(box).map((x) => [x, box.top + box.height / 2]));
  const reached = points.filter((point) => isReached(at, point));
  // Last, since it looks through the whole document.
  return reached.length > 0 && reached.every((point) => isLost(at, point, alone)) && !isOutOfReach(at);
}
