// Colours as they are drawn: one over another, through filters, blended. Functions of computed styles without any state.

const COLOURS = /(?:rgba?|hsla?|lab|lch|oklab|oklch|color)\([^)]*\)/g;
const FILTERS = /([a-z-]+)\(((?:[^()]|\([^()]*\))*)\)/g;
const MOST_COLOURS = 32; // that a point may have, where gradients lie over each other
const LIGHT = [0.213, 0.715, 0.072]; // of red, green and blue in what is grey
const SEPIA = [[0.393, 0.769, 0.189], [0.349, 0.686, 0.168], [0.272, 0.534, 0.131]];
const TURNED = [[-0.213, -0.715, 0.928], [0.143, 0.14, -0.283], [-0.787, 0.715, 0.072]]; // what a sine of the hue adds

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

// The same where what is below may be seen through, too.
function layered(above, below) {
  const opacity = above[3] + below[3] * (1 - above[3]);
  if (!opacity) return [0, 0, 0, 0];
  return [...above.slice(0, 3).map((value, at) => (value * above[3] + below[at] * below[3] * (1 - above[3])) / opacity), opacity];
}

// ---- filters

const mixed = (colour, rows) => [...rows.map((row) => row.reduce((sum, share, at) => sum + share * colour[at], 0)), colour[3]];
const each = (colour, change) => [...colour.slice(0, 3).map(change), colour[3]];
const saturated = (colour, share) => mixed(colour, LIGHT.map((_, row) => LIGHT.map((light, at) => light * (1 - share) + (row === at ? share : 0))));
const KINDS = {
  brightness: (colour, share) => each(colour, (value) => value * share),
  contrast: (colour, share) => each(colour, (value) => (value - 127.5) * share + 127.5),
  invert: (colour, share) => each(colour, (value) => value * (1 - 2 * share) + 255 * share),
  opacity: (colour, share) => [...colour.slice(0, 3), colour[3] * share],
  saturate: saturated,
  grayscale: (colour, share) => saturated(colour, 1 - Math.min(1, share)),
  sepia: (colour, share) => mixed(colour, SEPIA.map((row, at) => row.map((part, column) => part * share + (at === column ? 1 - share : 0)))),
  "hue-rotate": (colour, angle) => mixed(colour, LIGHT.map((_, row) => LIGHT.map((light, at) =>
    light + Math.cos(angle) * ((row === at ? 1 : 0) - light) + Math.sin(angle) * TURNED[row][at]))),
  blur: (colour) => colour, // of its own (`illegible`)
};

function amountIn(words) {
  const number = parseFloat(words) || 0;
  return /%$/.test(words) ? number / 100 : /deg$/.test(words) ? (number * Math.PI) / 180 : number;
}

// A colour as a computed filter leaves it; null where nobody can tell, as for one that is drawn elsewhere or adds a shadow.
function filtered(colour, filter) {
  for (const [, kind, words] of filter === "none" ? [] : filter.matchAll(FILTERS)) {
    if (!(kind in KINDS)) return null;
    const changed = KINDS[kind](colour, amountIn(words));
    colour = [...changed.slice(0, 3).map((value) => Math.min(255, Math.max(0, value))), changed[3]];
  }
  return colour;
}

// What the filter of an element itself leaves of it, from 0 to 1.
function filterLeaves(filter) {
  if (!filter?.includes("opacity(")) return 1;
  return [...filter.matchAll(FILTERS)].reduce((left, [, kind, words]) => (kind === "opacity" ? left * Math.min(1, amountIn(words)) : left), 1);
}

// ---- blending

const BLENDS = {
  normal: (above) => above,
  multiply: (above, below) => (above * below) / 255,
  screen: (above, below) => above + below - (above * below) / 255,
  darken: Math.min,
  lighten: Math.max,
  difference: (above, below) => Math.abs(above - below),
  exclusion: (above, below) => above + below - (2 * above * below) / 255,
};
BLENDS["hard-light"] = (above, below) => (above <= 127.5 ? BLENDS.multiply(2 * above, below) : BLENDS.screen(2 * above - 255, below));
BLENDS.overlay = (above, below) => BLENDS["hard-light"](below, above);

// A colour as it is drawn by a mode over another one that nothing shows through; null for a mode that is not known.
function blended(above, below, mode) {
  const blend = BLENDS[mode];
  return blend ? [...over([...[0, 1, 2].map((at) => blend(above[at], below[at])), above[3]], below), 1] : null;
}

// ---- backgrounds

// The colours that a background has at a point or may have there, as between the ends of a gradient; null: it has a picture,
// several layers, or the shape of the letters.
function backgroundColours({ backgroundColor, backgroundImage, backgroundSize, backgroundBlendMode, backgroundClip }) {
  const plainly = rgba(backgroundColor);
  if (backgroundClip.includes("text")) return null;
  if (backgroundImage === "none") return [plainly];
  const isGradient = /^[a-z-]*gradient\(/.test(backgroundImage) && backgroundImage.match(/url\(|gradient\(|image-set\(/g).length === 1;
  if (!isGradient || backgroundBlendMode !== "normal") return null;
  const stops = (backgroundImage.match(COLOURS) || []).map((colour) => layered(rgba(colour), plainly));
  return stops.length && stops.length <= MOST_COLOURS ? [...stops, ...(backgroundSize === "auto" ? [] : [plainly])] : null;
}
