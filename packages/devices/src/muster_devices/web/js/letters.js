// Letters of which styles do not tell whether a person can read them: on, below or behind pictures, and through filters. Whether
// they are drawn is asked of pictures of the page with and without them. The document itself stays as it is.

const TAMPERS = /brightness|contrast|invert|grayscale|hue-rotate|saturate|sepia|opacity|url\(/;
const MOST_PLACES = 3; // that are pictured; of more, all count as seen
const VEIL = "muster-letters"; // name of the highlight
let untold = []; // the pieces of text of which the last reading could not tell
let veilSheet = null;

function hasPicture(el) {
  return el.matches(SHOWS_PICTURES) || [null, ...STYLED].some((part) => {
    const { backgroundImage, content } = getComputedStyle(el, part);
    return backgroundImage.includes("url(") || (part && /url\(/.test(content));
  });
}

function isTampered(el) {
  const { filter, mixBlendMode, maskImage } = getComputedStyle(el);
  return TAMPERS.test(filter) || mixBlendMode !== "normal" || maskImage.includes("url(");
}

// Whether the colours of a gradient, of which the colour of the letters may be one, lie behind an element.
function fadesInto(el, letters) {
  const { backgroundImage, backgroundClip } = getComputedStyle(el);
  const colours = /gradient\(/.test(backgroundImage) && !backgroundClip.includes("text") ? backgroundImage.match(COLOURS) || [] : [];
  return colours.some((colour) => !isApart(rgba(colour).slice(0, 3), letters.slice(0, 3), ALIKE));
}

function isUntold({ at, node }) {
  const box = node && at instanceof HTMLElement ? placesOfText(at, node)[0] : null;
  const isCutOut = (one) => getComputedStyle(one).backgroundClip.includes("text");
  if (!box || closest(at, isCutOut) || TRANSPARENT.test(getComputedStyle(at).webkitTextFillColor)) return false; // a highlight leaves shadows
  const point = [box.left + box.width / 2, box.top + box.height / 2];
  if (!isReached(at, point)) return false;
  const letters = ink(at);
  if (!letters || closest(at, isTampered)) return true; // they have an outline or a shadow, too
  const stack = asIfTouched(at, [{ point }], () => at.getRootNode().elementsFromPoint(...point));
  const backing = stack.findIndex((one, i) => i >= stack.indexOf(at) && isSolidColour(getComputedStyle(one).backgroundColor) && !hasPicture(one));
  const drawn = backing < 0 ? stack : stack.slice(0, backing + 1);
  return drawn.some((one) => !(one !== at && contains(at, one)) && (hasPicture(one) || fadesInto(one, letters)));
}

// Where the elements are that show a text, if nobody can tell of any of them whether its letters are drawn; else nothing.
function untoldPlaces(hits) {
  untold = [];
  if (window.top !== window || typeof Highlight === "undefined" || hits.length > MOST_PLACES) return [];
  const runs = [];
  const isInDoubt = (el) => {
    const own = textNodes(el).filter((run) => run.node && textSeen(run));
    runs.push(...own);
    return own.length > 0 && own.every(isUntold);
  };
  if (!hits.every(isInDoubt)) return [];
  untold = runs;
  return hits.map((el, number) => {
    const { x, y, width, height } = el.getBoundingClientRect();
    return { number, box: { x: x + scrollX, y: y + scrollY, width, height } };
  });
}

// Draws the page without the letters that are in doubt, or as it is.
function veil({ on }) {
  const sheets = [...new Set(untold.map(({ at }) => at.getRootNode()))];
  for (const root of sheets) root.adoptedStyleSheets = [...root.adoptedStyleSheets].filter((one) => one !== veilSheet);
  CSS.highlights.delete(VEIL);
  if (!on) return false;
  veilSheet = new CSSStyleSheet();
  veilSheet.replaceSync(`::highlight(${VEIL}) { color: transparent; -webkit-text-fill-color: transparent; -webkit-text-stroke-color: transparent; text-shadow: none }`);
  for (const root of sheets) root.adoptedStyleSheets = [...root.adoptedStyleSheets, veilSheet];
  CSS.highlights.set(VEIL, new Highlight(...untold.map(({ node }) => { const range = new Range(); range.selectNodeContents(node); return range; })));
  return true;
}
