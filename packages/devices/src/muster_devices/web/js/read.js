// Reads the page: for checks, for what an action changed and for the words of an error. Runs in the page's own world.

const LINES = 400;

// What a field shows: what it holds, or the hint that is drawn in an empty one.
function fieldLine(el) {
  const hidden = /^(password|hidden|checkbox|radio|file)$/;
  const text = (!hidden.test(el.type) && !isMasked(el) && el.value ? fieldValue(el) : "") || hintIn(el);
  return text && seen(el) && !isPaleField(el) ? text : "";
}

function fieldLines(members) {
  const fields = allElements("input,textarea").filter((el) => inside(members, el));
  return fields.map(fieldLine).filter(Boolean);
}

function hintIn(el) {
  if (!el.placeholder || !el.matches(":placeholder-shown")) return "";
  const style = getComputedStyle(el, "::placeholder");
  const hidden = Number(style.opacity) < FAINT || TRANSPARENT.test(style.webkitTextFillColor) || style.visibility !== "visible";
  return hidden ? "" : el.placeholder;
}

// What a run has typed shows nothing of the product once that was handed over: by Enter, a button, a link. Until then it
// is what a person would see in the field, and so would say.
const typed = new WeakMap(); // field → what was typed into it, and how often anything had been handed over before
const HANDS_OVER = new Set(["button", "link", "menuitem", "option", "tab"]);
let handedOver = 0;

document.addEventListener("input", (event) => {
  const [field] = event.composedPath();
  if (isEditable(field)) typed.set(field, { held: heldIn(field), handedOver });
}, true);
for (const [kind, hands] of [
  ["keydown", (event) => event.key === "Enter"],
  ["click", (event) => event.composedPath().some((at) => at.localName && HANDS_OVER.has(roleOf(at)))],
]) window.addEventListener(kind, (event) => { if (hands(event)) handedOver += 1; }, true);

// The field around an element that still holds what the run has typed into it and handed over since.
function ownField(el) {
  const by = closest(el, (at) => typed.has(at));
  const entry = by && typed.get(by);
  return entry && entry.handedOver < handedOver && entry.held === heldIn(by) ? by : null;
}

// Of a list only what is chosen is to be seen.
function chosenOnly(text, el) {
  let from = 0;
  for (const select of el.querySelectorAll("select")) {
    const at = select.multiple || select.size > 1 ? -1 : text.indexOf(select.innerText, from);
    if (at < 0) continue;
    const chosen = fieldValue(select);
    text = text.slice(0, at) + chosen + text.slice(at + select.innerText.length);
    from = at + chosen.length;
  }
  return text;
}

function refusalLines(isMeant) {
  const told = refusalNow();
  return told && isMeant(told.field) ? [told.text] : [];
}

function lines(members = [sheet()]) {
  if (!drawn(true)) return [];
  const parts = members.filter(Boolean).map((el) => chosenOnly(ownTextOf(el), el));
  for (const root of roots().slice(1).filter(({ host }) => inside(members, host))) {
    if (rendered(root.host)) parts.push(...shadowTexts(root, ownTextOf)); // trees in it have their own turn: a text counts once
  }
  parts.push(...fieldLines(members), ...refusalLines((field) => inside(members, field)));
  return parts.join("\n").split(/[\n\t]+/).map(squash).filter(Boolean);
}

function texts(selector) {
  const all = [...document.querySelectorAll(selector)].filter(visible);
  return all.map((el) => squash(textOf(el)).slice(0, 200)).filter(Boolean);
}

const NAMEABLE = "a,button,input,select,textarea,summary,label,h1,h2,h3,h4,[role],[aria-label],[data-testid],[onclick]";

function nearNames() {
  const names = new Set();
  for (const el of allElements(NAMEABLE)) {
    if (names.size < 300 && visible(el)) names.add(`${roleOf(el)}\n${labelOf(el)}`);
  }
  return [...names].map((name) => name.split("\n")).filter(([, name]) => name);
}

// Where the page is, and how its document came about; a status of 0: no server has answered with it.
function place() {
  const status = performance.getEntriesByType("navigation")[0]?.responseStatus || 0;
  const empty = !document.body?.children.length && !squash(document.body?.textContent);
  return { address: location.href, title: document.title, status, empty, unanswered: unanswered().slice(0, 2), unleft: unleftField() };
}

// Where the page is, once something changed.
async function glance({ since, wait, timeout, patient }) {
  if (timeout) await settle({ timeout, patient, fresh: true });
  await changed({ since, wait });
  return { version, place: place() };
}

// Whether a list says that it has more of its elements than the document holds now.
function hasMore([el]) {
  const role = el ? roleOf(el) : "";
  if (el && closest(el, isPartlyDrawn)) return true;
  const list = role === "row" ? closest(el, (at) => GRIDS.has(roleOf(at))) : parentOf(el || sheet());
  const told = Number(role === "row" ? list?.getAttribute("aria-rowcount") : el?.getAttribute("aria-setsize"));
  return told < 0 || (told > 0 && told > allIn(list).filter((one) => roleOf(one) === role).length);
}

// Whether a row or item that is not there may still be drawn by a list; where one has to be told why something is not there,
// also what is called like the items of a list, or stands beside such an item.
function hasUndrawn({ element, role, relations }, explain) {
  if (!LISTED.has(role) && !explain) return false;
  const scope = scopeOf(relations);
  const names = scope.unknown ? relations.map(({ anchor }) => plain(anchor)) : [plain(element)];
  const isAlike = (list) => names.some((name) => isLikeItems(name, list));
  return partlyDrawn((el) => scope.unknown || isIn(scope, el)).some((list) => (LISTED.has(role) && !scope.unknown) || isAlike(list));
}

// An attribute of an element, addresses in full; null where it has none.
function attributeOf(el, name) {
  if (name === "placeholder" && !el.hasAttribute(name)) return invitationIn(controlOf(el)) || null;
  if (!name || !el.hasAttribute(name)) return null;
  return /^(href|src|action)$/.test(name) && typeof el[name] === "string" ? el[name] : el.getAttribute(name);
}

async function survey({ query, since, wait, timeout, patient, explain, attribute, most }) {
  if (timeout) await settle({ timeout, patient, fresh: true });
  await changed({ since, wait });
  const { best, rank, unknownPart, missed, unnamed, looks, parts } = search(query);
  const isFaded = (el) => query.kind === "read" && visible(el) && isVeiled(faceOfField(el));
  const shown = (best.length > 1 && areStacked(best) ? inOrder(best) : best).slice(0, most);
  const isUnshown = shown.map((el) => bearerOf(controlOf(el))).some(isLookStale);
  if (isUnshown) await moved();
  const isBefore = (el) => query.kind === "value" && compare(textOf(el), plain(query.element)) === 0 && isDrawnBehind(el); // its value
  const read = { ...query, kind: "read" };
  const otherUse = query.kind !== "read" && explain && !best.length ? search(read).best : [];
  const anyKind = otherUse.length || (query.kind !== "read" && !explain) ? otherUse : unsureOf(read, best, unknownPart);
  return {
    version, place: place(), rank, total: best.length, more: best.length ? hasMore(best) : hasUndrawn(query, explain), unknown_part: unknownPart,
    unsure_part: unsureParts(missed).slice(0, 3).map(facts), unclear_part: [...unnamed, ...(query.kind === "read" ? differing(parts, (part) => best.some((el) => inside(part, el))) : [])].slice(0, 12).map(facts),
    matches: shown.map((el) => ({ ...(isUnshown ? factsAsDrawn : facts)(el), ...(isFaded(el) && { pale: true }), ...(isBefore(el) && { unchosen: "otherwise" }), came: hasCome(el), hidden: hides(el, query.kind), unread: isUnread(el, query), ...(query.kind === "value" && { text: squash(textAsSeen(controlOf(el))).slice(0, 2000) }), partly: isCalledMore(el, query) || isReadOtherwise(el, query), attribute: attributeOf(el, attribute) })),
    cover: explain && shown.length === 1 && visible(shown[0]) ? coverOf(shown[0]) : null,
    near: explain ? nearNames() : [],
    any_kind: anyKind.slice(0, 3).map(facts), looks, blank: COUNTED.has(query.role) ? best.filter(showsNothing).length : 0,
  };
}

// Where a text stands: what says it, as the document spells it; what says it and is drawn, but not to be seen; and what
// says it, but is cut off before its end, or hardly told from what is behind it; `bare`: the elements of the first of these, and
// `merged`: where its letters stand flush with others, so that it may be read as a part of a longer word.
// `told`: what the browser says itself.
function sightings(want, here, told = []) {
  const whole = drawn(true) ? allTextHits(want).filter(here) : [];
  const parted = whole.length ? { hits: whole, more: false } : partedHits(want);
  const hits = parted.hits.filter(here);
  const asDrawn = (el) => hasWhole(plain(textOf(el)), want); // where a line break keeps numbers and signs apart
  const isClear = (el, said) => (hasWhole(plain(said), want) && (!/\d/.test(want) || asDrawn(el))) || (said === squash(el.textContent) && asDrawn(el));
  const fields = allElements("input,textarea,[contenteditable]");
  const own = fields.filter((el) => ownField(el) === el && here(el) && seen(el));
  const pale = fields.filter((el) => isPaleField(el) && here(el) && seen(el)).map((el) => squash(fieldValue(el)).slice(0, 2000));
  const found = { sources: told.filter((text) => hasWhole(plain(text), want)), unseen: [], curtailed: pale.filter((text) => hasWhole(plain(text), want)), typed: own.map((el) => squash(heldIn(el)).slice(0, 2000)) };
  const bare = [], merged = [];
  for (const el of hits) {
    if (found.sources.length >= 50 || found.unseen.length >= 500) break;
    if (ownField(el) || (!plain(flatText(el)) && signsIn(el))) continue;
    const said = spelled(el);
    const clear = isClear(el, said);
    const pale = clear && !isClear(el, spelled(el, (run) => textSeen(run) && !isPale(run)));
    const part = clear ? pale || !isTold(want, plain(spelled(el, textSeen, legibleIn)))
      : said !== "" && isClear(el, spelled(el, (run) => textSeen(run) || isCutOff(run)));
    if (part) found.curtailed.push(squash(textOf(el)).slice(0, 2000));
    else if (clear) {
      const whole = spelled(wholeWords(el));
      if (hasWords(plain(said), want) && !hasWords(plain(whole), want) && meetsOther(el)) merged.push(`${JSON.stringify(around(want, whole).slice(0, 100))}, where it runs into other letters`);
      else { found.sources.push(around(want, whole)); bare.push(el); }
    }
    else if ((el.closest("select") || el).checkVisibility()) found.unseen.push(squash(textOf(el)).slice(0, 2000));
  }
  for (const runs of want && drawn(true) && !found.sources.length ? flushPieces(want, here) : []) {
    (areOne(runs) ? found.sources : found.curtailed).push(together(runs));
    if (areOne(runs)) bare.push(closest(runs[0].at, (at) => contains(at, runs.at(-1).at)));
  }
  return { ...found, hits, bare, merged, more: parted.more };
}

// The fields that show just this text.
function fieldsHolding(want, here) {
  const all = allElements("input,textarea");
  return all.filter((el) => here(el) && !ownField(el) && plain(fieldLine(el)) === want);
}

// Where a text is drawn in the window; nowhere in frames and where one reads from right to left, of which no order is known.
function placesOf(want, here) {
  if (window.top !== window || getComputedStyle(sheet()).direction === "rtl") return [];
  const says = (el) => here(el) && !ownField(el) && hasWhole(plain(spelled(el)), want);
  const all = allElements("input,textarea");
  const fields = all.filter((el) => here(el) && !ownField(el) && hasWhole(plain(fieldLine(el)), want));
  const found = [...allTextHits(want).filter(says).map((el) => [el, wordsBox(el, want)]), ...fields.map((el) => [el, el.getBoundingClientRect()])];
  return found.map(([el, { x, y, width, height }]) => ({ el, box: { x, y, width, height } }));
}

// The box of words in an element; that of the element where they go across others in it.
function wordsBox(el, want) {
  const range = document.createRange();
  for (const { node } of runsIn(el)) {
    const at = node ? node.data.toLowerCase().indexOf(want) : -1;
    if (at < 0) continue;
    range.setStart(node, at);
    range.setEnd(node, at + want.length);
    return range.getBoundingClientRect();
  }
  return el.getBoundingClientRect();
}

// Everything drawn as lines; within a named part only, if one is given; and where `text` stands among it.
async function read({ text, within, called, placed, since, wait, timeout, patient }) {
  if (timeout) await settle({ timeout, patient, fresh: true });
  await changed({ since, wait });
  const scope = scopeOf(within);
  const parts = within?.length ? scope.parts : [[sheet()]];
  const here = (el) => isIn(scope, el) && (el.localName !== "option" || el.selected);
  const isOne = (el) => isIn(scope, el) && !holdsFields(el); // what is written about a field is not what stands beside another
  const outermost = (el) => isOne(el) && !(parentOf(el) && isOne(parentOf(el)));
  const members = scope.steps.length ? [allElements().filter(outermost)] : parts;
  const isMeant = (field) => here(field) || scope.fields.includes(field);
  const { hits, bare, merged, more, ...found } = sightings(plain(text), here, refusalLines(isMeant));
  const untold = bare.length === found.sources.length ? untoldPlaces(bare) : [];
  const doubts = text && !found.sources.length ? doubtsOf(plain(text), here, scope.fields, more, merged) : {};
  const said = members.map((some) => lines(some));
  const places = placed.map((one) => placesOf(plain(one), here));
  const unclear = text && members === parts ? differing(parts, (part) => said[parts.indexOf(part)].some((line) => hasWhole(plain(line), plain(text)))) : [];
  const all = asWritten([...said.flat(), ...refusalLines((field) => scope.fields.includes(field))], plain(text), hits);
  return {
    version, place: place(), unknown_part: scope.unknown, unsure_part: unsureParts(scope.missed).slice(0, 3).map(facts), unclear_part: [...scope.unnamed, ...unclear].slice(0, 12).map(facts),
    lines: all.slice(0, 5000), cut: all.length > 5000, ...found, untold, ...doubts,
    bearers: called ? bearersOf(plain(text), here) : [], near: scope.unknown ? nearNames() : [],
    passing: within?.length ? [] : [...passing.keys()], sorts: sortsOfAll(plain(text), bare, within), places: places.flatMap((some, number) => some.map(({ box }) => ({ number, box }))),
    aside: [...places.keys()].filter((number) => areAside(places[number], places[number + 1] || [])),
  };
}
