// Whether what is drawn can be told from what is behind it. Where this cannot be known (pictures), it counts as seen. Functions over the DOM without any state.

const SAME = 6; // of 255: colours closer than this are one to a person
const ALIKE = 40; // of 255: text in a colour closer than this to what is behind it can hardly be read
const SOLID = 0.98; // opacity from which nothing shows through
const TRANSPARENT = /(?:rgba\(.*,|\/)\s*0(?:\.0[01]?\d*)?%?\)$/;
const PICTURES = "img,svg,canvas,video,object,embed,iframe,input,select,textarea,progress,meter";

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

// What is drawn at a point for each of these colours of letters in an element, and for none: `pairs` of [letters, bare], as
// filters and blending leave them; `bare`: the colours behind the letters without those; `backing`: what hides all that is
// behind it. Null where this cannot be known.
function drawnAt(el, point, inks) {
  let pairs = inks.map((ink) => [ink, [0, 0, 0, 0]]);
  let bare = [[0, 0, 0, 0]];
  let backing = null;
  let above = false;
  for (let at = el; at; at = parentOf(at)) {
    const style = getComputedStyle(at);
    if (style.backdropFilter && style.backdropFilter !== "none") return null;
    if (!backing && (/^(html|body)$/.test(at.localName) || holdsPoint(at, point))) {
      const colours = styledPaint(at) ? null : backgroundColours(style);
      if (!colours || pairs.length * colours.length > MOST_COLOURS) return null;
      pairs = colours.flatMap((colour) => pairs.map((pair) => pair.map((one) => layered(one, colour))));
      bare = colours.flatMap((colour) => bare.map((one) => layered(one, colour)));
      if (bare.every(([, , , opacity]) => opacity >= SOLID)) backing = at;
    }
    if (!above && isChanged(style)) pairs = pairs.map((pair) => pair.map((one) => one && changedBy(one, at, style, point)));
    if (pairs.some((pair) => pair.includes(null))) return null;
    above ||= onTop(at);
  }
  const dark = !backing && /dark/.test(getComputedStyle(document.documentElement).colorScheme);
  const onPage = (colour) => over(colour, [255, 255, 255]);
  return dark ? null : { pairs: pairs.map((pair) => pair.map(onPage)), bare: bare.map(onPage), backing };
}

function isChanged({ filter, opacity, mixBlendMode }) { return opacity !== "1" || filter !== "none" || mixBlendMode !== "normal"; }

// A colour of an element as its own style has it drawn; null where this cannot be known.
function changedBy(colour, el, style, point) {
  const passed = filtered(colour, style.filter);
  const faded = passed && [...passed.slice(0, 3), passed[3] * Number(style.opacity)];
  if (!faded || style.mixBlendMode === "normal") return faded;
  const outer = parentOf(el) && drawnAt(parentOf(el), point, []);
  return outer?.bare.length === 1 ? blended(faded, outer.bare[0], style.mixBlendMode) : null;
}

function isApart(one, other, least = SAME) { return one.some((value, at) => Math.abs(value - other[at]) > least); }

// Whether an element is a part of a drawing that may fill what lies behind its texts.
function isShape(el) { return el instanceof SVGGraphicsElement && !/^(svg|g|a|text|tspan|textPath)$/.test(el.localName); }

// The colours that the letters of an element are drawn in, their outlines and shadows too; null: they have those of a picture.
function inksOf(el) {
  const style = getComputedStyle(el);
  if (el instanceof SVGElement) {
    const paints = [[style.fill, style.fillOpacity], [style.stroke, style.strokeOpacity]].filter(([paint]) => paint !== "none");
    return paints.some(([paint]) => paint.startsWith("url(")) ? null : paints.map(([paint, opacity]) => faded(paint, opacity));
  }
  const stroke = parseFloat(style.webkitTextStrokeWidth) > 0 ? [style.webkitTextStrokeColor] : [];
  return [style.webkitTextFillColor, ...stroke, ...(style.textShadow.match(COLOURS) || [])].map((paint) => faded(paint, 1));
}

function faded(paint, opacity) { const [red, green, blue, own] = rgba(paint); return [red, green, blue, own * Number(opacity)]; }

// What is left of an element by its own opacity and that of all it is in.
function opacityOf(el) {
  let opacity = 1;
  for (let at = el; at; at = onTop(at) ? null : parentOf(at)) {
    const style = getComputedStyle(at);
    opacity *= Number(style.opacity) * filterLeaves(style.filter);
  }
  return opacity;
}

// Whether something else that has a colour or a picture of its own lies at a point, between an element and what is known
// to be behind it; where the browser cannot be asked for that, anywhere.
function otherPaint(el, point, { bare, backing }) {
  const paintsApart = (one) => {
    const style = getComputedStyle(one);
    return one.matches(PICTURES) || isShape(one) || style.backgroundImage !== "none" || bare.some((colour) => isApart(over(rgba(style.backgroundColor), colour), colour));
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
  const colours = /^[a-z-]*gradient\(/.test(backgroundImage) && !backgroundImage.includes("url(") ? backgroundImage.match(COLOURS) || [] : [];
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
  const point = [box.left + box.width / 2, box.top + box.height / 2];
  const left = leftAt(el, point);
  if (255 * left <= least) return true;
  const inks = inksOf(el);
  const drawn = inks?.length ? drawnAt(el, point, inks) : null;
  if (!drawn || drawn.pairs.some(([letters, bare]) => isApart(letters, bare, least / left))) return false;
  return !otherPaint(el, point, drawn);
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
