// What is at a point of the window. Functions over the DOM; only `aimAt` notes that something is about to be done there.

const DRAWS = /^(canvas|img|svg|video|object|embed)$/; // elements that show a picture

// What one would use at a point: the control there, or a picture that has a name. Else what draws a picture there, of which
// no element is known. Nobody knows what is drawn on a canvas, so only a button or link around it counts.
function usedAt(point) {
  const top = topAt(point);
  const picture = top && closest(top, (at) => at.localName && DRAWS.test(at.localName));
  const isPage = (at) => /^(html|body)$/.test(at.localName);
  const canvas = picture?.localName === "canvas";
  const isUsed = (at) => at.localName && !isPage(at) && (canvas ? at !== picture && CLICKABLE.has(roleOf(at)) : isClickable(at) || isControl(at));
  const control = top && closest(top, isUsed);
  if (control) return { el: control, drawn: null };
  if (picture && !canvas && nameOf(picture)) return { el: picture, drawn: null };
  return { el: null, drawn: picture || null };
}

async function point({ x, y, since, wait, timeout, patient }) {
  if (timeout) await settle({ timeout, patient, fresh: true });
  await changed({ since, wait });
  const { el, drawn } = usedAt([x, y]);
  return { version, place: place(), element: el && facts(el), drawn: drawn && boxOf(drawn) };
}

// Whether an element is what one would use at a point.
function isUsedAt(el, point) { return usedAt(point).el === el; }

// Notes what is at a point as what is acted on, and returns it as people would describe it; null: nothing to point at.
function aimAt(point) {
  const { el, drawn } = usedAt(point);
  if (el || drawn) begin(el || drawn);
  return el ? facts(el) : drawn && { role: "", native: drawn.localName, name: "", box: boxOf(drawn) };
}

// ---- where nothing is

const SPOTS = [0.02, 0.98, 0.25, 0.75, 0.5]; // of an area, where an empty place in it is looked for: at its edges first

// Whether an element is the ground of the page, or a layer over all of it.
function isGround(el) {
  const { left, top, right, bottom } = el.getBoundingClientRect();
  const isWhole = left <= 0 && top <= 0 && right >= innerWidth && bottom >= innerHeight;
  return /^(html|body)$/.test(el.localName) || (isWhole && !el.matches(PICTURES) && !el.closest("a,button,label"));
}

// How much is at a point for one who wants to click outside of an element: 0: nothing, 2: a text; null: what may not be clicked,
// as it is part of the element, is used, or lies `beyond` the part of the page that is to stay open.
function fullness(el, beyond, point) {
  const top = topAt(point);
  const isBackdrop = (at) => at === top && (isGround(at) || !holdsPoint(at, point));
  if (!top || (el && contains(el, top) && !isBackdrop(el))) return null;
  if (beyond && (!contains(beyond, top) || isBackdrop(beyond))) return null;
  if (!beyond && isGround(top)) return 0;
  const isUsed = (at) => at.localName && !isGround(at) && (isClickable(at) || isControl(at) || isEditable(at) || at.matches("label,summary," + PICTURES));
  return closest(top, isUsed) ? null : squash(textOf(top)) ? 2 : 1;
}

// The areas around an element, up to the one that it must not be clicked beyond.
function areasAround(el, beyond) {
  const around = [];
  for (let at = parentOf(el); at && contains(beyond, at); at = parentOf(at)) if (at.localName && !isGround(at)) around.push(at.getBoundingClientRect());
  return around;
}

// A point at which nothing is, outside of an element; without one, outside of what is open or has the focus.
function freePoint(el) {
  const isLayer = (at) => at.localName && isGround(at) && /absolute|fixed/.test(getComputedStyle(at).position);
  const front = modalNow() || veiledNow() || (el && closest(parentOf(el), isLayer));
  const leaving = el || front || (document.activeElement === document.body ? null : document.activeElement);
  const beyond = front && leaving && !contains(leaving, front) ? front : null; // a click outside of it would close it
  const areas = beyond ? areasAround(leaving, beyond) : [{ left: 0, top: 0, width: innerWidth, height: innerHeight }];
  const points = areas.flatMap((area) => SPOTS.flatMap((down) => SPOTS.map((across) => [area.left + area.width * across, area.top + area.height * down])));
  const free = points.map((at) => ({ at, full: fullness(leaving, beyond, at) })).filter(({ full }) => full !== null);
  return free.sort((one, other) => one.full - other.full)[0]?.at ?? null;
}
