// What may show a text, for all that is known of it.

// ---- texts that scripts write into pictures: where they are by now, nobody knows

const WRITTEN = 2000; // texts of a picture that are kept
const inPictures = new WeakMap(); // canvas → what was written into it

for (const name of ["fillText", "strokeText"]) {
  const write = CanvasRenderingContext2D.prototype[name];
  CanvasRenderingContext2D.prototype[name] = function (text, ...rest) {
    const texts = inPictures.get(this.canvas) || new Set();
    if (texts.size < WRITTEN) texts.add(String(text));
    inPictures.set(this.canvas, texts);
    return write.call(this, text, ...rest);
  };
}

// Whether a text was written into a picture that can be seen.
function isWrittenIn(canvas, want) { return [...(inPictures.get(canvas) || [])].some((text) => hasWhole(plain(text), want)) && seen(canvas); }

// ---- all of it

// `doubtful`: what neither proves nor denies that a text is there; `undrawn`: what only leaves open that it is missing.
function doubtsOf(want, here, fields, more) {
  const canvases = allElements("canvas").filter((el) => here(el) && isWrittenIn(el, want)).map(() => "a picture into which it was written");
  const hinting = fields.map(controlOf).filter((el) => hasWhole(plain(hintIn(el)), want));
  const hints = hinting.map((el) => `the hint in ${roleOf(el)} ${JSON.stringify(labelOf(el))}`);
  const isOfOthers = (el) => closest(el, (at) => isFieldGroup(at) && holdsFields(at) && !fields.some((field) => contains(at, field))) !== null;
  const isLoose = (el) => isRemark(el) && seen(el) && !fieldsOfText(el).length && !isOfOthers(el);
  const loose = fields.length ? allTextHits(want).filter(isLoose).map(() => "a text of which nothing says what field it is about") : [];
  const lists = partlyDrawn(here);
  const told = (some) => some.map(() => "a list that draws only what it is scrolled to");
  const alike = lists.filter((el) => isLikeItems(want, el));
  const rest = more ? ["more that has all of its words than can be looked at"] : [];
  return { doubtful: [...canvases, ...hints, ...loose, ...told(alike), ...rest], undrawn: told(lists) };
}

// ---- parts

// What bears the name of a part that nothing is known to be, and may be it all the same.
function unsureParts(missed) {
  const { relation: { anchor, how, role } = {}, here } = missed || {};
  if (!anchor || !/^(in|of)$/.test(how) || MARKS.has(role)) return [];
  const query = { element: anchor, role, kind: "read", relations: [] };
  const isClear = ({ el, tier, rank: [, hidden] }) => tier === 0 && !hidden && here(el);
  return role ? unsureOf(query, [], false).filter(here) : search(query).all.filter(isClear).map(({ el }) => el);
}

// ---- names that nobody can read

const NAMES_IT = "[aria-label],[aria-labelledby],[title],[alt]";

// Whether what one clicks has no name but the words in it, and these are drawn so that nobody can read them, without a picture
// or shape beside them.
function isBareOfWords(el) {
  const own = isClickable(el) && !el.matches(NAMES_IT) && !el.querySelector(NAMES_IT) ? textNodes(el) : [];
  const draws = (one) => one.matches(PICTURES) || (one !== el && paints(one)) || styledPaint(one) || [getComputedStyle(one)].some((style) => style.backgroundImage !== "none" || style.maskImage !== "none");
  return own.length > 0 && own.every(hasPlace) && !own.some(textSeen) && visible(el) && !signsIn(el) && ![el, ...allIn(el)].some(draws);
}

// Whether something that is found by a text shows no letter of it where it is written, and nothing in its place.
function isUnread(el, query) {
  const want = plain(query.element);
  if (!want || query.kind !== "read" || MARKS.has(query.role)) return false;
  if (isBareOfWords(el)) return true;
  if (namesOf(el).some(([, name]) => compare(name, want) !== null)) return false;
  const runs = allTextHits(want).filter((hit) => contains(el, hit) || contains(hit, el)).flatMap(textNodes);
  if (!runs.length || runs.some((run) => textSeen(run) || !hasPlace(run))) return false;
  const draws = (one) => one.matches(PICTURES) || STYLED.some((part) => !/^(none|normal|"")$/.test(getComputedStyle(one, part).content)) || getComputedStyle(one).backgroundImage !== "none";
  return HOLDING.has(roleOf(el)) || !(signsIn(el) || textNodes(el).some(textSeen) || [el, ...el.querySelectorAll("*")].some(draws));
}
