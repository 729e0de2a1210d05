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

// ---- texts that are drawn without being written so

const LATIN = new Map([..."АВЕКМНОРСТУХаеорсухіјѕԁһΑΒΕΖΗΙΚΜΝΟΡΤΥΧο"].map((letter, at) => [letter, "ABEKMHOPCTYXaeopcyxijsdhABEZHIKMNOPTYXo"[at]]));
const ITEM_MARK = /^(\d+|[a-z]|[ivxlc]+)[.)]\s+/;

// A text with each letter as the Latin one that looks like it.
function asLatin(text) { return plain([...text.normalize("NFKC")].map((letter) => LATIN.get(letter) || letter).join("")); }

// The pieces of text that a person would read as another: of letters that look alike, or drawn backwards.
function lookalikes(want, here) {
  const isLike = ({ at, data }) => {
    const told = isReversed(at, data) ? [...data].reverse().join("") : data;
    return told.length >= want.length && asLatin(told) !== plain(data) && hasWhole(asLatin(told), asLatin(want));
  };
  const isDrawn = (run) => rendered(run.at, { visibilityProperty: true }) && placesOfText(run.at, run.node).length > 0;
  return [...runsIn(sheet())].filter((run) => run.node && isLike(run) && here(run.at) && isDrawn(run));
}

// The strings that a style draws.
function stringsIn(content) { return (content.match(/"(?:[^"\\]|\\.)*"/g) || []).map((one) => plain(one.slice(1, -1))).filter(Boolean); }

// What styles draw before, after or beside what an element holds, where no text of it is known: marks of lists, and numbers.
function drawnMarks(want, here) {
  const item = want.replace(ITEM_MARK, "");
  const marksItem = (el) => {
    const [{ listStyleType, display }, { content }] = [getComputedStyle(el), getComputedStyle(el, "::marker")];
    if (!display.includes("list-item")) return false;
    const told = stringsIn(`${listStyleType} ${content}`);
    return told.some((one) => hasWhole(one, want)) || (item !== want && listStyleType !== "none" && plain(textOf(el)).startsWith(item));
  };
  const isDrawn = (el) => marksItem(el) || STYLED.some((part) => isCounted(el, part, want));
  return allElements().filter((el) => isDrawn(el) && here(el) && visible(el));
}

// Whether a text may be what a style draws with a number that it counts, and what the element says behind it.
function isCounted(el, part, want) {
  const { content } = getComputedStyle(el, part);
  if (!/counters?\(/.test(content)) return false;
  const pieces = content.match(/"(?:[^"\\]|\\.)*"|counters?\([^)]*\)/g).map((one) => (one.startsWith('"') ? escaped(plain(one.slice(1, -1))) : "[\\p{L}\\p{N}.]+"));
  const drawn = new RegExp(`^${pieces.join("\\s*")}\\s*`, "u").exec(want);
  const rest = drawn && want.slice(drawn[0].length);
  return rest === "" || (Boolean(rest) && part === "::before" && plain(el.textContent).startsWith(rest));
}

// The names of pictures that did not come, which the browser draws in their place.
function drawnNames(want, here) { return allElements("img[alt]").filter((el) => isBroken(el) && hasWhole(plain(el.alt), want) && here(el) && visible(el)); }

// ---- all of it

// `doubtful`: what neither proves nor denies that a text is there; `undrawn`: what only leaves open that it is missing.
function doubtsOf(want, here, fields, more, merged) {
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
  const drawnSo = [
    ...lookalikes(want, here).map(() => "a text of letters that look like it"), ...drawnMarks(want, here).map(() => "a mark or number that a style draws"),
    ...drawnNames(want, here).map(() => "the name of a picture that did not come"),
  ];
  return { doubtful: [...merged, ...canvases, ...hints, ...loose, ...told(alike), ...rest, ...drawnSo], undrawn: told(lists) };
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

// Whether a person reads something else on an element than the name by which it was found, which is only read aloud: "Delete"
// on what its markup calls "Save". A sign, an initial or a shorter word stands for the name.
function isReadOtherwise(el, { element, role, kind }) {
  const [want, control] = [plain(element), controlOf(el)];
  if (!want || MARKS.has(role) || /^(icon|tooltip)$/.test(role)) return false;
  const isNamed = kind === "read" && CALLED.has(roleOf(el)) && !isControl(control) && !opensList(el); // else its text is what it holds
  const read = (isControl(control) ? labelsOf(control) : isNamed ? [el] : []).flatMap(phrasesIn);
  const name = nameOf(control);
  if (compare(name, want) === null || read.some((text) => compare(text, want) !== null)) return false;
  return read.length > 0 && !read.some((text) => standsFor(plain(text), plain(name)));
}

// Whether a text can be read as a name, or as a part or an abbreviation of it.
function standsFor(text, name) {
  const [said, called] = [text, name].map((all) => all.match(/\p{L}+/gu) || []);
  const [number] = text.match(/\d+/) || [];
  if (!said.length) return !number || name.includes(number) || !/\d/.test(name);
  const letters = said.join("");
  const isShort = letters.length < 2 || (letters.length < 4 && new RegExp([...letters].join(".*"), "u").test(name));
  return isShort || said.every((word) => called.some((one) => one.startsWith(word)));
}
