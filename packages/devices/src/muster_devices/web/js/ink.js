// Whether what is drawn can be told from what is behind it. Where this cannot be known (pictures, filters), it counts as
// seen; of texts `letters.js` asks then. Functions over the DOM without any state.

const SAME = 6; // of 255: colours closer than this are one to a person
const ALIKE = 40; // of 255: text in a colour closer than this to what is behind it can hardly be read
const [WHITE, DARK] = [[255, 255, 255], [18, 18, 18]]; // what the browser draws below a page, by its scheme of colours
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

// Whether a style draws something with a colour or a picture before or after what an element holds.
function styledPaint(el) {
  return STYLED.some((part) => {
    const style = getComputedStyle(el, part);
    return style.content !== "none" && (style.backgroundImage !== "none" || !TRANSPARENT.test(style.backgroundColor));
  });
}

// The colour behind a point of an element, and what has it; null where it cannot be known.
function colourBehind(el, point) {
  const layers = [];
  let backing = null;
  for (let at = el; at && !backing; at = parentOf(at)) {
    const style = getComputedStyle(at);
    const changed = [style.backdropFilter, style.filter].some((one) => one && one !== "none");
    if (changed || style.mixBlendMode !== "normal") return null;
    if (at.localName !== "html" && at.localName !== "body" && !holdsPoint(at, point)) continue;
    if (style.backgroundImage !== "none" || styledPaint(at)) return null;
    layers.unshift(rgba(style.backgroundColor));
    if (layers[0][3] >= SOLID) backing = at;
  }
  return { colour: layers.reduce((below, layer) => over(layer, below), backing ? WHITE : canvasColour()), backing };
}

// The colour that the browser itself draws below everything.
function canvasColour() {
  const { colorScheme } = getComputedStyle(document.documentElement);
  const isDark = /dark/.test(colorScheme) && (!/light/.test(colorScheme) || matchMedia("(prefers-color-scheme: dark)").matches);
  return isDark ? DARK : WHITE;
}

function isApart(one, other, least = SAME) { return one.some((value, at) => Math.abs(value - other[at]) > least); }

// Whether an element is a part of a drawing that may fill what lies behind its texts.
function isShape(el) { return el instanceof SVGGraphicsElement && !/^(svg|g|a|text|tspan|textPath)$/.test(el.localName); }

// The colour of the letters of an element, with all that fades it; null where they have more than one colour, or an outline.
function ink(el) {
  const style = getComputedStyle(el);
  const picture = el instanceof SVGElement;
  const outlined = picture ? style.stroke !== "none" : style.textShadow !== "none" || parseFloat(style.webkitTextStrokeWidth) > 0;
  if (outlined || (picture && style.fill.startsWith("url("))) return null;
  const [red, green, blue, opacity] = rgba(picture ? style.fill : style.webkitTextFillColor);
  return [red, green, blue, opacity * (picture ? Number(style.fillOpacity) : 1) * opacityOf(el)];
}

// What is left of an element by its own opacity and that of all it is in.
function opacityOf(el) {
  let opacity = 1;
  for (let at = el; at; at = onTop(at) ? null : parentOf(at)) {
    const style = getComputedStyle(at);
    opacity *= Number(style.opacity) * filterLeaves(style.filter);
  }
  return opacity;
}

// What the filter of an element itself leaves of it, from 0 to 1.
function filterLeaves(filter) {
  const shares = [...(filter || "").matchAll(/opacity\(([\d.]+)(%?)\)/g)].map(([, share, percent]) => share / (percent ? 100 : 1));
  return shares.reduce((left, share) => left * Math.min(1, share), 1);
}

// Whether something else that has a colour or a picture of its own lies at a point, between an element and what is known
// to be behind it; where the browser cannot be asked for that, anywhere.
function otherPaint(el, point, { colour, backing }) {
  const paintsApart = (one) => {
    const style = getComputedStyle(one);
    return one.matches(PICTURES) || isShape(one) || style.backgroundImage !== "none" || isApart(over(rgba(style.backgroundColor), colour), colour);
  };
  const ask = () => el.getRootNode().elementsFromPoint(...point);
  const stack = backing && isReached(el, point) ? asIfTouched(el, [{ point }], ask) : [];
  const [from, to] = [stack.indexOf(el), stack.indexOf(backing)];
  if (from >= 0 && to >= from) return stack.slice(from, to).some((one) => !contains(one, el) && paintsApart(one));
  const near = allElements().filter(
    (one) => holdsPoint(one, point) && one.checkVisibility({ opacityProperty: true, visibilityProperty: true }));
  return near.some((one) => !contains(one, el) && !contains(el, one) && paintsApart(one));
}

// How much of what is behind it an element that lies over it hides, from 0 to 1.
function hidingOf(el) {
  const { visibility, backgroundColor, backgroundImage } = getComputedStyle(el);
  if (visibility !== "visible" || closest(el, (at) => at.localName && isMixed(getComputedStyle(at)))) return 0;
  const colours = gradientColours(backgroundImage);
  const painted = colours.length ? Math.min(...colours.map((colour) => rgba(colour)[3])) : 0;
  return (1 - (1 - rgba(backgroundColor)[3]) * (1 - painted)) * opacityOf(el);
}

// How much of an element is left at a point by what lies over it, from 0 to 1.
function leftAt(el, point) {
  if (!isReached(el, point) || isOutOfReach(el)) return 1;
  const [x, y] = point;
  const box = { left: x, right: x, top: y, bottom: y };
  const stack = asIfTouched(el, [{ point }], () => el.getRootNode().elementsFromPoint(...point));
  const own = stack.findIndex((one) => one === el || contains(one, el));
  const above = stack.slice(0, Math.max(own, 0)).filter((one) => !contains(el, one) && !isPassing(one, el) && staysOver(one, el, box));
  return above.reduce((left, one) => left * (1 - hidingOf(one)), 1);
}

// Whether what lies over the middle of an element leaves so little of it that it can hardly be told. What has no box of its
// own is where its parts are.
function isVeiled(el) {
  const { left, right, top, bottom, width, height } = el.getBoundingClientRect();
  if (!(width && height) && el.children.length) return [...el.children].filter(visible).every(isVeiled);
  return 255 * leftAt(el, [(left + right) / 2, (top + bottom) / 2]) <= ALIKE;
}

// Whether a text has the colour of what is behind it, or one not further from it than this.
function camouflaged(el, box, least = SAME) {
  const colour = ink(el);
  const point = [box.left + box.width / 2, box.top + box.height / 2];
  const left = leftAt(el, point);
  if (255 * left <= least) return true;
  const behind = colour && colourBehind(el, point);
  if (!behind || isApart(over(colour, behind.colour), behind.colour, least / left)) return false;
  return !otherPaint(el, point, behind);
}

// Whether a mask leaves nothing of an element.
function maskedOut(style) {
  const mask = style.maskImage || style.webkitMaskImage || "none";
  const colours = mask.includes("gradient(") && !mask.includes("url(") ? mask.match(/rgba?\([^)]*\)/g) : null;
  const isEmpty = mask !== "none" && /(^|,)\s*0(px|%)?( 0(px|%)?)?$/.test(style.maskSize || "") && !style.maskRepeat.includes("round");
  return isEmpty || (Boolean(colours) && colours.every((colour) => TRANSPARENT.test(colour)));
}

// ---- letters that cannot be read

const SMALLEST = 3; // px: what is less high has no letters that one can tell
const BLURRED = 0.3; // of the height of its letters: a text that is blurred by more cannot be read

// The radius of the blur in a filter, in pixels.
function blur(filter) { return Number(/blur\(([\d.]+)px\)/.exec(filter || "")?.[1] || 0); }

// Whether what an element writes is drawn so that nobody can read it: as dots, blurred, or from behind.
function illegible(el) {
  const own = getComputedStyle(el);
  if ((own.webkitTextSecurity || "none") !== "none" || own.contentVisibility === "hidden") return true;
  const most = parseFloat(own.fontSize) * BLURRED;
  let blurred = 0;
  for (let at = el; at; at = parentOf(at)) {
    blurred += blur(getComputedStyle(at).filter);
    if (blurred > most) return true;
  }
  return turnedAway(el);
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/u;
const REVERSED = /\u202e[^\u202c\u2069]*[\p{L}\p{N}]{2}/u; // letters behind the sign that has them written from right to left

// Whether the letters of a text are drawn in the other order than they are read in.
function isReversed(at, text) {
  const isBlock = ({ display }) => !/^(inline|contents)$/.test(display);
  const { unicodeBidi, direction } = getComputedStyle(closest(at, (one) => { const style = getComputedStyle(one); return /override/.test(style.unicodeBidi) || isBlock(style); }) || at);
  const runsBack = (direction === "rtl") !== RIGHT_TO_LEFT.test(text);
  return /[\p{L}\p{N}]{2}/u.test(text) && (REVERSED.test(text) || (/override/.test(unicodeBidi) && runsBack));
}

// Whether an element faces away from who looks at the page, and its back is not drawn.
function turnedAway(el) {
  const hidesBack = (at) => getComputedStyle(at).backfaceVisibility === "hidden";
  return closest(el, (at) => hidesBack(at) && facesAway(at)) !== null;
}

function facesAway(el) {
  let turned = new DOMMatrix();
  for (let at = el; at; at = parentOf(at)) {
    const { transform, transformStyle } = getComputedStyle(at);
    if (at !== el && transformStyle !== "preserve-3d") break; // it is flat: how it is turned itself changes no side
    if (transform !== "none") turned = new DOMMatrix(transform).multiply(turned);
  }
  return turned.m33 < 0;
}
