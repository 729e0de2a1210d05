// Whether a text has another in it whose numbers are whole there: "6" is not in "16", "$59" not in "$59.98", "5" not in "-5".
// The twin of `has_whole` in text_match.py: one table tests both.

const DIGIT_FIRST = /^\p{Nd}/u;
const DIGIT_LAST = /\p{Nd}$/u;
const PARTED = /\p{Nd}\.\p{Nd}+$/u; // it has its decimals: a further point makes it a version, or a million
const RUNS_INTO = /\p{Nd}[.,']?$/u;
// Thousands, millions, a power of ten, a fraction: what makes another number of the digits before it.
const MORE = "[kKMB](?![\\p{L}\\p{M}])|[eE][-+]?\\p{Nd}|[\\u00bc-\\u00be\\u2150-\\u215e]";
const RUNS_ON = new RegExp(`^(?:[.,']?\\p{Nd}|${MORE})`, "u");
const PARTED_RUNS_ON = new RegExp(`^(?:[,']?\\p{Nd}|\\.\\p{Nd}{3}(?!\\p{Nd})|${MORE})`, "u");
const CURRENCY = "[$¢£¤¥\\u20a0-\\u20cf]";
const AMOUNT = new RegExp(`^(?:${CURRENCY}\\s?)?\\p{Nd}`, "u");
// A sign right before a number; no dash between two things.
const SIGNED = new RegExp(`(?<![\\p{L}\\p{N}\\p{M}])(?<![)\\].,%°"'/])(?<!\\p{Nd}${CURRENCY})[-–](?:${CURRENCY}\\s?)?$`, "u");
// Brackets around an amount of money that stands alone: so books write that it is negative.
const OPENS = new RegExp(`(?:^|[:=|]\\s?)\\((?:${CURRENCY}\\s?)?$`, "u");
const CLOSES = new RegExp(`^(?:\\s?${CURRENCY})?\\)`, "u");
const MONEY_IN = new RegExp(`${CURRENCY}|[.,]\\p{Nd}\\p{Nd}\\)`, "u");

function isBracketed(have, want, at) {
  const before = have.slice(Math.max(0, at - 6), at);
  const [opens, closes] = [OPENS.exec(at > 6 ? `x${before}` : before), CLOSES.exec(have.slice(at + want.length, at + want.length + 4))];
  return Boolean(opens && closes) && MONEY_IN.test(opens[0] + want + closes[0]);
}

function wholeAt(have, want, at) {
  if (DIGIT_FIRST.test(want) && RUNS_INTO.test(have.slice(Math.max(0, at - 3), at))) return false;
  if (AMOUNT.test(want) && (SIGNED.test(have.slice(Math.max(0, at - 6), at)) || isBracketed(have, want, at))) return false;
  const after = have.slice(at + want.length, at + want.length + 9);
  return !DIGIT_LAST.test(want) || !(PARTED.test(want) ? PARTED_RUNS_ON : RUNS_ON).test(after);
}

function isInBrackets(have, want) { const at = have.indexOf(want); return at >= 0 && AMOUNT.test(want) && isBracketed(have, want, at); }

function hasWhole(have, want) {
  for (let at = have.indexOf(want); at >= 0; at = have.indexOf(want, at + 1)) if (wholeAt(have, want, at)) return true;
  return false;
}
