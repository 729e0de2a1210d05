// What a person can see, which is less than one can act on: no text that is transparent, cut off or out of reach of any
// scrolling. What has to be scrolled to can be seen. Functions over the DOM without any state.

const FAINT = 0.02; // opacity below which there is nothing to see
const DEFINED = "defs,symbol,clipPath,mask,pattern,marker"; // a picture's parts that are only drawn where they are used
const TOLD = 0.5; // of a text that is cut off: by so much of it a person can tell which it is
const TINY = 7; // px: a text that is less high can hardly be read
const NARROW = 0.12; // times the height of a letter: an "i" or "!" that is a piece of text by itself is wider
const SHOWS_PICTURES = "img,svg,canvas,video,object,embed";
const SLIVER = 1; // px: what is cut down to this is there for screen readers alone

// ---- can be acted on

// Whether the document itself is drawn: a frame that is hidden is full of boxes that nobody sees.
function drawn(plainly = false) {
  for (let at = window; at !== window.top; at = at.parent) {
    if (!at.innerWidth || !at.innerHeight || (plainly && at !== window.top && Math.min(at.innerWidth, at.innerHeight) <= SLIVER)) return false;
    const frame = at.frameElement; // null where the outer document is of another origin
    if (!frame) return true;
    if (!frame.checkVisibility({ visibilityProperty: true })) return false;
    if (plainly && (faint(frame) || !inView(frame.getBoundingClientRect(), frame))) return false;
  }
  return true;
}

function visible(el) {
  if (!drawn()) return false;
  const fields = el.localName === "option" ? fieldsOf(el) : [];
  if (fields.length) return fields.some((field) => visible(standIn(field, "click")));
  if (!el.isConnected || !rendered(el, { visibilityProperty: true })) return false;
  const box = el.getBoundingClientRect();
  if (box.width > 0 && box.height > 0) return true;
  return [...el.children].some((child) => child.localName !== "option" && visible(child)) ||
    (getComputedStyle(el).display === "contents" && plain(flatText(el)) !== "");
}

// Whether an element lies over the whole page, so that nothing it is in changes how it is drawn.
function onTop(el) { return el.matches(":modal,:popover-open,:fullscreen"); }

// ---- faded and cut away

function cutAway(style) {
  const clip = /^rect\(([-\d.]+)px, ([-\d.]+)px, ([-\d.]+)px, ([-\d.]+)px\)$/.exec(style.clip);
  if (clip && /absolute|fixed/.test(style.position)) {
    const [top, right, bottom, left] = clip.slice(1).map(Number);
    if (right - left <= SLIVER || bottom - top <= SLIVER) return true;
  }
  const inset = /^inset\(([^)]*?)(?: round .*)?\)$/.exec(style.clipPath)?.[1].split(" ");
  if (!inset) return /^circle\(0(?:px|%)/.test(style.clipPath);
  const [top, right = top, bottom = top, left = right] = inset.map((one) => (one.endsWith("%") ? parseFloat(one) : 0));
  return top + bottom >= 100 || left + right >= 100;
}

function faint(el) {
  if (opacityOf(el) < FAINT) return true;
  for (let at = el; at; at = parentOf(at)) {
    const style = getComputedStyle(at);
    if (cutAway(style) || maskedOut(style)) return true;
    if (onTop(at)) break;
  }
  return false;
}

// Whether what an element writes has no colour, unless its background or shadow shows through the letters.
function inkless(el, part = null) {
  const style = getComputedStyle(el, part);
  if (part && (parseFloat(style.fontSize) === 0 || Number(style.opacity) < FAINT)) return true;
  if (el instanceof SVGElement) return [style.fill, style.stroke].every((paint) => paint === "none" || TRANSPARENT.test(paint));
  if (!TRANSPARENT.test(style.webkitTextFillColor)) return false;
  if (style.textShadow !== "none" || parseFloat(style.webkitTextStrokeWidth) > 0) return false;
  return !closest(el, (at) => getComputedStyle(at).backgroundClip.includes("text"));
}

// ---- out of reach

// Whether an element is what something with this position is placed in, so that it cuts it off.
function holds(style, position) {
  const changed = [style.transform, style.filter, style.perspective, style.backdropFilter];
  const framed = changed.some((one) => one && one !== "none") || /paint|layout|strict|content/.test(style.contain) ||
    /transform|filter|perspective/.test(style.willChange);
  return framed || (position === "absolute" && style.position !== "static");
}

// One axis of a box, as what contains it leaves it: as it is, cut, or (where one can scroll) as large as the container.
function cut([from, to], [start, end], overflow, scrolled) {
  if (overflow === "visible") return [from, to];
  if (overflow === "hidden" || overflow === "clip") return [Math.max(from, start), Math.min(to, end)];
  return scrolled === null || to - start + scrolled > SLIVER ? [start, end] : [0, 0];
}

function isGone([from, to], [left, right]) {
  return right <= left || (right - left <= SLIVER && to - from > SLIVER);
}

// Whether a box, which is an element's or (with `own`) that of its text, can be brought into view.
function inView(box, el, own = false) { return lossOf(box, el, own) !== null; }

// How many pixels of the width of a box are cut off where no scrolling leads to; null where nothing is left of it.
function lossOf(box, el, own) {
  let [across, down] = [[box.left, box.right], [box.top, box.bottom]];
  let lost = 0;
  let position = own ? "static" : getComputedStyle(el).position;
  let above = !own && onTop(el);
  for (let at = own ? el : parentOf(el); at && at.localName !== "body" && !above; at = parentOf(at)) {
    const style = getComputedStyle(at);
    if (/absolute|fixed/.test(position) && !holds(style, position)) continue;
    position = style.position;
    above = onTop(at);
    const open = style.overflowX === "visible" && style.overflowY === "visible";
    if (open || (/^(inline|contents)$/.test(style.display) && at.localName !== "svg")) continue;
    const frame = at.getBoundingClientRect();
    const [wasAcross, wasDown] = [across, down];
    const x = style.direction === "rtl" ? null : at.scrollLeft;
    across = cut(across, [frame.left, frame.right], style.overflowX, x);
    down = cut(down, [frame.top, frame.bottom], style.overflowY, at.scrollTop);
    if (isGone(wasAcross, across) || isGone(wasDown, down)) return null;
    if (own && /hidden|clip/.test(style.overflowY) && down[1] - down[0] < (wasDown[1] - wasDown[0]) * TOLD) return null;
    if (/hidden|clip/.test(style.overflowX)) lost += wasAcross[1] - wasAcross[0] - (across[1] - across[0]);
  }
  return inWindow(across, down, el.ownerDocument, position === "fixed") ? lost : null;
}

// Scrolls to an element as a person can: what only a script scrolls, as a row of slides of which one is shown, stays as it is.
function bringToView(el, place = "nearest") {
  const held = [];
  for (let at = parentOf(el); at && !/^(html|body)$/.test(at.localName); at = parentOf(at)) {
    const { overflowX, overflowY } = getComputedStyle(at);
    const sides = [...(/hidden|clip/.test(overflowX) ? ["scrollLeft"] : []), ...(/hidden|clip/.test(overflowY) ? ["scrollTop"] : [])];
    held.push(...sides.map((side) => ({ at, side, was: at[side] })));
  }
  el.scrollIntoView?.({ block: place, inline: place, behavior: "instant" });
  for (const { at, side, was } of held) if (at[side] !== was) at.scrollTo({ [side === "scrollLeft" ? "left" : "top"]: was, behavior: "instant" });
}

function inWindow([left, right], [top, bottom], page, fixed) {
  const view = page.defaultView;
  const sheets = [page.documentElement, page.body].filter(Boolean);
  if (fixed) return right > 0 && bottom > 0 && left < view.innerWidth && top < view.innerHeight;
  const own = (side) => (page.body && page.scrollingElement !== page.body ? page.body[side] : 0);
  const rtl = sheets.some((sheet) => getComputedStyle(sheet).direction === "rtl");
  const locked = sheets.some((sheet) => /hidden|clip/.test(getComputedStyle(sheet).overflowX));
  if (!rtl && (right + view.scrollX + own("scrollLeft") <= 0 || (locked && left >= view.innerWidth))) return false;
  return bottom + view.scrollY + own("scrollTop") > 0;
}

// ---- can be seen

function textNodes(el) { return [...runsIn(el)].filter(({ data }) => data.trim()); }

// The boxes of a text that are large enough for letters and can be brought into view.
function placesOfText(at, node) {
  const range = document.createRange();
  range.selectNodeContents(node);
  const size = getComputedStyle(at).writingMode.startsWith("horizontal") ? "height" : "width";
  const large = (box) => box.width > SLIVER && box.height > SLIVER && box[size] >= SMALLEST;
  return [...range.getClientRects()].filter((box) => large(box) && inView(box, at, true));
}

// Whether there is room for a piece of text, whatever can be read there.
function hasPlace({ at, node }) { return Boolean(node) && rendered(at) && placesOfText(at, node).length > 0; }

// Whether a person sees a piece of text (`runsIn`).
function textSeen({ at, node, part }) {
  const field = at?.closest("select,textarea");
  if (field) return seen(field) && !isLabelled(at);
  const closed = at?.localName === "details" && !at.open && node; // its bare text is hidden, though it is not itself
  if (!at || closed || !rendered(at, { visibilityProperty: true }) || at.closest(DEFINED)) return false;
  if (!drawn(true) || faint(at) || inkless(at, part) || illegible(at) || (node && isReversed(at, node.data))) return false;
  if (part) return inView(at.getBoundingClientRect(), at);
  const inReach = placesOfText(at, node);
  return inReach.length > 0 && !camouflaged(at, inReach[0]) && !covered(at, inReach, true);
}

// Whether a label is drawn for an option in place of its text.
function isLabelled(at) {
  const option = at.closest("option[label]");
  return Boolean(option?.getAttribute("label").trim()) && squash(option.label) !== squash(option.textContent);
}

// Whether a piece of text is so small, or so like what is behind it, that it can hardly be read.
function isPale({ at, node, data }) {
  if (!node || at.closest("select,textarea")) return false;
  const range = document.createRange();
  range.selectNodeContents(node);
  const letters = squash(data).length;
  const isSmall = ({ height, width }) => height < TINY || width < Math.min(TINY, NARROW * height * letters);
  if ([...range.getClientRects()].every(isSmall)) return true;
  return camouflaged(at, range.getClientRects()[0] ?? at.getBoundingClientRect(), ALIKE);
}

function cutsOff(el) {
  const style = getComputedStyle(el);
  return (/hidden|clip/.test(style.overflowX) && el.scrollWidth > el.clientWidth + SLIVER) ||
    (/hidden|clip/.test(style.overflowY) && el.scrollHeight > el.clientHeight + SLIVER);
}

// What a person sees of a piece of text of which a part may be cut off, as before an ellipsis: of each word as many letters
// as there is room for.
function legibleIn({ data, at, node }) {
  if (!node || at.closest("select,textarea") || !closest(at, cutsOff)) return data;
  const range = document.createRange();
  return data.replace(/\S+/g, (word, from) => {
    range.setStart(node, from);
    range.setEnd(node, from + word.length);
    const box = range.getBoundingClientRect();
    const lost = box.width > 0 ? lossOf(box, at, true) : null;
    return lost === null || lost <= SLIVER ? (lost === null ? "" : word) : word.slice(0, word.length * (1 - lost / box.width));
  });
}

function isCutOff({ at, node }) { return Boolean(node) && rendered(at, { visibilityProperty: true }) && closest(at, cutsOff) !== null; }

// Whether a person can tell a text from what is left of it: half of it at least, and every number.
function isTold(want, left) {
  let told = want.length;
  while (told > 0 && !left.includes(want.slice(0, told).trim())) told -= 1;
  return told >= want.length * TOLD && !/\d/.test(want.slice(told));
}

function paints(el) {
  return [null, "::before", "::after"].some((part) => {
    const style = getComputedStyle(el, part);
    if (part) return !/^(none|normal)$/.test(style.content);
    const lined = ["Top", "Right", "Bottom", "Left"].some((side) => parseFloat(style[`border${side}Width`]) > 0);
    const filled = style.backgroundImage !== "none" || !TRANSPARENT.test(style.backgroundColor);
    return lined || filled || style.boxShadow !== "none";
  });
}

// Whether an element is drawn without words, as the box or the knob of a toggle is.
function isWordlessShape(el) { return !(el.localName === "input" && faint(el)) && !squash(flatText(el)) && (el.matches(SHOWS_PICTURES) || paints(el)) && visible(el); }

// The only wordless shape beside an unseen toggle, as between words for its two states.
function shapeBeside(el, around) {
  const shapes = [...around.children].filter((one) => one !== el && isWordlessShape(one) && seen(one) && !one.closest("label,a,button"));
  return shapes.length === 1 ? shapes[0] : null;
}

// Whether an element is made of text that nobody can see, and of nothing else.
function blank(el) {
  if (el.matches(PICTURES) || el.querySelector(PICTURES)) return false;
  const nodes = textNodes(el);
  if (!nodes.length || nodes.some(textSeen)) return false;
  return ![el, ...el.querySelectorAll("*")].slice(0, 200).some(paints);
}

// Whether an image did not come: what is drawn in its place is not what it shows.
function isBroken(el) { return el.localName === "img" && el.complete && Boolean(el.currentSrc || el.src) && !el.naturalWidth; }

function seen(el) {
  const by = el.localName === "option" ? el.closest("select") || el : el;
  if (!visible(by) || !drawn(true) || faint(by) || isBroken(by)) return false;
  const box = by.getBoundingClientRect();
  if (box.width > 0 && box.height > 0) return inView(box, by) && !blank(by) && !covered(by, [box]);
  return [...by.children].some(seen) || textNodes(by).some(textSeen);
}

// Whether what a text field draws can hardly be told from what is behind it.
function isPaleField(el) {
  if (!el.value || !isEditable(el) || !seen(el)) return false;
  const { fontSize, textIndent } = getComputedStyle(el);
  const isMovedOut = textIndent.endsWith("px") && Math.abs(parseFloat(textIndent)) >= el.clientWidth;
  return isMovedOut || parseFloat(fontSize) < SMALLEST || camouflaged(el, el.getBoundingClientRect(), ALIKE);
}

// Whether just what an unseen field holds is drawn for it, as for a list whose field only takes the keys: in one text, or each
// of several in a text of its own, and no further one.
function isDrawnFor(field) {
  const held = plain(fieldValue(field));
  const texts = [...runsIn(drawingOf(field))].filter((run) => run.node && squash(run.data) && textSeen(run));
  const told = texts.map(({ data }) => plain(data));
  return held !== "" && (told.includes(held) || (told.length > 1 && told.join(", ") === held));
}

// Whether one can tell what an element, or the field of a label, holds: native lists, toggles and sliders lie unseen
// below what is drawn in their place.
function legible(el) {
  const field = controlOf(el);
  const replaced = field.matches("select,input[type=file]") || TOGGLES.has(roleOf(field));
  if (replaced) return visible(el) || labelsOf(field).some(seen);
  if (field.matches("input[type=range]")) return visible(field) && seen(drawingOf(field));
  return seen(field) || (visible(field) && (field.value ? isDrawnFor(field) : seen(drawingOf(field))));
}

// What an element says, of text alone that can be seen where some of it cannot.
function textAsSeen(el) { return textNodes(el).every(textSeen) ? squash(textOf(el)) : spelled(el); }

// What an element says as the document spells it (before `text-transform`), of text alone that can be seen.
function spelled(el, counts = textSeen, said = ({ data }) => data) {
  return squash(joined([...runsIn(el)].filter((run) => !run.at || counts(run)).map((run) => ({ ...run, data: said(run) }))));
}
