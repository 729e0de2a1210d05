// Whether a text has another in it whose numbers are whole there: "6" is not in "16", "$59" not in "$59.98".
// The twin of `has_whole` in text_match.py: one table tests both.

const DIGIT_FIRST = /^\p{Nd}/u;
const DIGIT_LAST = /\p{Nd}$/u;
const PARTED = /\p{Nd}\.\p{Nd}+$/u; // it has its decimals: a further point makes it a version, or a million
const RUNS_INTO = /\p{Nd}[.,']?$/u;
const RUNS_ON = /^[.,']?\p{Nd}/u;
const PARTED_RUNS_ON = /^(?:[,']?\p{Nd}|\.\p{Nd}{3}(?!\p{Nd}))/u;

function wholeAt(have, want, at) {
  if (DIGIT_FIRST.test(want) && RUNS_INTO.test(have.slice(Math.max(0, at - 3), at))) return false;
  const after = have.slice(at + want.length, at + want.length + 9);
  return !DIGIT_LAST.test(want) || !(PARTED.test(want) ? PARTED_RUNS_ON : RUNS_ON).test(after);
}

function hasWhole(have, want) {
  for (let at = have.indexOf(want); at >= 0; at = have.indexOf(want, at + 1)) if (wholeAt(have, want, at)) return true;
  return false;
}
