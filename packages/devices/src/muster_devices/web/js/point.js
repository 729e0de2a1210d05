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
