// Which value a label names: a field, a definition, a table cell, the text beside or after it. Never a guess: all that
// it may mean are returned, and the first way that finds any is the one that counts.

const PRICES = new Set(["price", "cost", "preis"]);
const MONEY = /^(?:\p{Sc}\s?-?\d[\d.,'\s]*|-?\d[\d.,'\s]*\s?(?:\p{Sc}|[A-Z]{3}))$/u;

// A number as a dashboard draws it large: with its sign, its currency or a short unit.
const FIGURE = /^[-+(]?\s?(?:\p{Sc}\s?)?[-+]?\d[\d.,'\s]*\)?\s?(?:%|°?\p{L}{1,3}|\p{Sc})?\)?$/u;

const MARK = /^[*:]+$/; // what only tells that a field is required

// Whether a text is only what a field shows, and no name of it.
function isOwnValue(el, text) {
  return plain(fieldValue(el)) === plain(text) && !namesOf(el).some(([, name]) => compare(name, plain(text)) === 0);
}

function fieldsNamed(element) {
  const found = search({ element, kind: "value" }).all
    .filter((one) => one.tier === 0 && legible(one.el) && fieldValue(one.el) !== null && !isOwnValue(one.el, element))
    .filter(({ el }, _, all) => !all.some((other) => isShownBy(other.el, el) || listBehind(el) === other.el || opensListOf(el, other.el)))
    .map(({ el }) => el);
  const whole = inOnePlace(found);
  return whole ? [{ el: whole, value: spelled(whole), how: "field" }] : found.map((el) => ({ el, value: fieldValue(el), how: "field" }));
}

// What holds the parts of a field, as those of a date, which share its label: nothing else that one uses is in it.
function inOnePlace(parts) {
  if (parts.length < 2 || !parts.every((el) => roleOf(el) === "spinbutton" && el.localName !== "input")) return null;
  const around = closest(parts[0], (at) => parts.every((el) => contains(at, el)));
  const isOther = (el) => (isControl(el) || isClickable(el)) && visible(el) && !parts.includes(el);
  return around && !allIn(around).some(isOther) ? around : null;
}

// The elements of that name. One that holds the value of that label, but is not named by it, only happens to be called so.
function elementsNamed(want, here, inPart) {
  const found = [];
  for (const root of roots()) {
    for (const el of root.querySelectorAll(NAMED)) {
      const named = namesOf(el).some(([source, text]) => [0, 4, 5].includes(source) && compare(text, want) === 0);
      if (named && fieldValue(el) === null && visible(el)) found.push(elementNamed(el, want));
    }
  }
  const isLabelOf = (el, other) => labelledBy(other).includes(el) && contains(other, el);
  const values = !inPart && found.some(({ label }) => !label) ? labelled(want, here) : [];
  return found.filter(({ el }) => !found.some((other) => isLabelOf(el, other.el))).filter(({ el, label }) => label || !values.some((one) => one.el !== el && contains(el, one.el)));
}

// An element with its value, to which the label that names it from within does not belong, as the heading of a section.
function elementNamed(el, want) {
  const names = (at) => contains(el, at) && compare(textOf(at), want) === 0;
  const label = [...labelledBy(el), namingChild(el)].find((at) => at && names(at));
  const fields = label && roleOf(el) === "group" ? allIn(el).filter((at) => isControl(at) && visible(at)) : [];
  if (fields.length === 1 && FIELDS.has(roleOf(fields[0]))) return { el: fields[0], value: fieldValue(fields[0]), how: "field" };
  const [code] = codeIn(el);
  const held = code || (label && chosenOf(onlyToggles(el)));
  if (held) return held;
  return { el, label, value: label ? spelled(el, runsOutside(label)) : valueIn(el), how: "element" };
}

// What is entered in the boxes of a code, as one value.
function codeIn(el) {
  const boxes = codeBoxesIn(el);
  return boxes.slice(0, 1).map((first) => ({ el: first, value: boxes.map(({ value }) => value).join(""), how: "field" }));
}

function runsOutside(label) { return ({ at }) => !label || !contains(label, at); }

// What an element holds: its field's value, if a field is all there is to it, else its text.
function valueIn(el) {
  if (el.querySelectorAll("[role=spinbutton]").length > 1) return spelled(el); // a date in parts, which lines would tear apart
  const chosen = squash(textOf(el)) ? chosenOf(onlyToggles(el)) : null;
  if (chosen) return chosen.value;
  const inner = [el, ...el.querySelectorAll("input,select,textarea")];
  const fields = inner.filter((one) => fieldValue(one) !== null && visible(one));
  const rest = squash(chosenOnly(textOf(el), el)); // of a list, what is chosen
  const isField = fields.length === 1 && (fields[0] === el || !rest || rest === squash(fieldValue(fields[0])));
  return isField ? fieldValue(fields[0]) : textOf(el);
}

// ---- radio buttons and boxes to tick: what stands beside one is its name, and a value only while it is chosen

function isToggle(el) { return TOGGLES.has(roleOf(el)); }

// The toggles in an element, or that it is the label of.
function togglesIn(el) {
  const own = el.localName === "label" && el.control ? [el.control] : [];
  return [...new Set([el, ...allIn(el), ...own])].filter(isToggle);
}

// What is written for a toggle alone, where no markup ties its label to it.
function wordsOf(toggle) {
  const isOwn = (at) => !parentOf(at) || togglesIn(parentOf(at)).length > 1;
  return labelOf(toggle) || wordsBeside(toggle) || squash(textOf(closest(toggle, isOwn)));
}

// The toggles in an element that nothing else is filled in; in a cell they are several, as one may be there to choose its row by.
function onlyToggles(el) {
  const toggles = togglesIn(el);
  return allIn(el).some((at) => FIELDS.has(roleOf(at)) && visible(at)) || (toggles.length < 2 && el.matches(CELLS)) ? [] : toggles;
}

// The toggles that stand behind a label with their names, with nothing else to fill in among them.
function togglesBehind(hit) {
  const parts = [];
  const isAlike = (at) => !parts.length || at.localName === parts[0].localName || at.matches("input,label");
  const isGroup = (at) => togglesIn(at).length > 1 && !plain(textOf(at)).startsWith(plain(wordsOf(togglesIn(at)[0]))); // with a label of its own
  const isPart = (at) => (togglesIn(at).length > 0 && isAlike(at) && !(parts.length && isGroup(at))) || (parts.length > 0 && !squash(textOf(at)));
  for (let at = nextDrawn(hit); at && isPart(at); at = nextDrawn(at)) parts.push(at);
  const isField = (el) => FIELDS.has(roleOf(el)) && visible(el);
  const said = parts.some((at) => squash(textOf(at))) && !parts.some((at) => [at, ...allIn(at)].some(isField));
  return said ? [...new Set(parts.flatMap(togglesIn))] : [];
}

// What is chosen of toggles, as the value of their label; null where there is none of them, or nobody can tell.
function chosenOf(toggles) {
  const peers = toggles.filter((el) => el.type === "radio").flatMap(radioGroup);
  const isWhole = toggles.length > 0 && peers.every((one) => toggles.includes(one));
  const known = isWhole && toggles.every((el) => checkedState(el) !== null);
  return known ? { el: toggles[0], value: toggles.filter(checkedState).map(wordsOf).join(", "), how: "field" } : null;
}

function holdsSomething(el) { return visible(el) && (squash(valueIn(el)) || el.matches("input,select,textarea")); }

function definition(term) {
  const found = [];
  for (let at = term.nextElementSibling; at && at.localName === "dd"; at = at.nextElementSibling) {
    found.push({ el: at, value: valueIn(at), how: "definition" });
  }
  return found;
}

// The cells that a head of a row, or the first cell of one, may be about: those up to the next head.
function headedBy(cell, across) {
  const at = across.indexOf(cell);
  if (at && roleOf(cell) !== "rowheader") return [];
  const after = across.slice(at + 1);
  const next = after.findIndex((one) => roleOf(one) === "rowheader");
  return next < 0 ? after : after.slice(0, next);
}

// A cell that heads a row has its value beside it, one that heads a column has values below it.
function cells(cell) {
  const across = rowOf(cell) ? cellsOf(rowOf(cell)) : [];
  const alone = across.length === 1 && below(cell, true).every((one) => cellsOf(rowOf(one)).length === 1); // the table has one column
  const heads = roleOf(cell) === "columnheader" && (across.length > 1 || alone) && isHeaderRow(rowOf(cell));
  const values = heads || !across.length ? [] : valueCells(across).filter((one) => one !== cell);
  const beside = heads || values.length ? values : headedBy(cell, across);
  return [...(heads ? below(cell, true) : []), ...beside].map((el) => ({ el, value: valueIn(el), how: "cell", sum: heads && inFoot(el) }));
}

// What stands beside a label: the next element, or the one behind what is drawn between them to be used, as stars or a stepper.
function nextTo(hit) {
  const isUsed = (el) => !fieldBeside(el, isControl) && el.querySelector("button,[role=button],[role=radio]") !== null;
  let first = hit.nextElementSibling;
  while (first && MARK.test(squash(textOf(first)))) first = first.nextElementSibling;
  let next = first;
  while (next && isUsed(next)) next = next.nextElementSibling;
  return next && squash(textOf(next)) ? next : first;
}

// The figure that a label stands below or behind, where its part says nothing but figures, each before its label.
function figureBefore(hit) {
  const parts = shownChildren(hit.parentElement || hit).filter((el) => squash(textOf(el)));
  const isFigure = (el) => FIGURE.test(squash(textOf(el)));
  const isLed = parts.length % 2 === 0 && parts.every((el, i) => isFigure(el) === (i % 2 === 0));
  const figure = isLed ? parts[parts.indexOf(hit) - 1] : null;
  const size = (el) => Math.max(...[...runsIn(el)].filter(({ at }) => at).map(({ at }) => parseFloat(getComputedStyle(at).fontSize)));
  const isAll = figure && squash(textOf(hit.parentElement)) === squash(parts.map(textOf).join(" "));
  return isAll && size(figure) >= size(hit) ? [{ el: figure, value: valueIn(figure), how: "before it" }] : [];
}

function beside(hit, want) {
  const led = figureBefore(hit);
  if (led.length || isDrawnBehind(hit)) return led;
  const toggles = isToggle(bearerOf(hit)) ? [] : togglesBehind(hit);
  if (toggles.length) return [chosenOf(toggles)].filter(Boolean);
  const next = nextTo(hit);
  const parent = hit.parentElement;
  const around = parent ? squash(textOf(parent)) : "";
  const rest = squash(around.slice(squash(textOf(hit)).length)).replace(/^[:=–-]\s*/, "");
  const leads = plain(around).startsWith(plain(textOf(hit)));
  const code = next ? codeIn(next) : [];
  if (code.length) return code;
  const field = next && fieldBeside(next, (el) => contains(next, el) && isControl(el) && visible(el) && !labelsOf(el).length);
  const isDecor = ({ at }) => Boolean(at?.closest("[aria-hidden=true],button,[role=button]")); // as the numbers of the lines of an editor
  const said = next ? [chosenOnly(textOf(next), next), spelled(next, (run) => !isDecor(run))].map(squash) : [];
  if (field && said.some((text) => ["", squash(fieldValue(field) || "")].includes(text))) return [{ el: field, value: fieldValue(field), how: "field" }];
  if (next && isNameOfOther(next)) return [];
  const usable = next && holdsSomething(next) && !["button", "link"].includes(roleOf(next));
  if (usable) return [{ el: next, value: valueIn(next), how: "next to it" }];
  const { width, height } = next?.getBoundingClientRect() || {};
  if (next?.matches(PLACES_FOR_TEXT) && !squash(textOf(next)) && !(width && height)) return []; // the place of the value is empty
  // a text node after the label: `<b>Total</b> 12.00`
  const oneLine = parent && parent.children.length === 1 && !textOf(parent).trim().includes("\n");
  if (leads && rest && oneLine) return [{ el: parent, value: rest, how: "after it" }];
  return compare(parent?.textContent, want) === 0 && !(next && isDrawnValue(next, hit)) ? beside(parent, want) : [];
}

// Whether all that an element says is what a field is called: that is no value of what stands before it.
function isNameOfOther(el) {
  const labels = [el, ...allIn(el)].filter((at) => at.localName === "label" && at.control);
  return labels.length > 0 && squash(textOf(el)) === squash(labels.map(labelText).join(" "));
}

// The value that is set apart behind a label in the same element: `<p>Total <b>12.00</b></p>`.
function setApart(el, want) {
  const isValid = (node) => node.nodeType !== Node.ELEMENT_NODE || !strikes(node);
  const [label, value, ...others] = childrenOf(el).filter((node) => squash(node.textContent) && isValid(node));
  const parts = [value, ...others];
  const areToggles = label?.nodeType === Node.TEXT_NODE && bare(label.data) === want && parts.every((node) => node?.nodeType === Node.ELEMENT_NODE && togglesIn(node).length);
  if (areToggles) return [chosenOf(parts.flatMap(togglesIn))].filter(Boolean);
  const isLed = label?.nodeType === Node.TEXT_NODE && value?.nodeType === Node.ELEMENT_NODE && !others.length && bare(label.data) === want;
  return isLed && !isClickable(value) ? [{ el: value, value: valueIn(value), how: "after it" }] : [];
}

// The only field, without a label, in the cell after the one in which a text stands among others: it may be what the text names.
function fieldInNextCell(hit) {
  const next = hit.closest("td,th")?.nextElementSibling;
  const fields = next ? allIn(next).filter((one) => isControl(one) && visible(one) && !labelsOf(one).length) : [];
  return fields.length === 1 ? [{ el: fields[0], value: fieldValue(fields[0]), how: "field" }] : [];
}

function labelled(want, here, everyWay = false) {
  const all = allTextHits(want).filter(visible);
  const isOf = (el, field) => contains(el, field) || (el.closest("td,th") && isLayout(el.closest("td,th")) && !labelsOf(field).length);
  const around = all.map((el) => (compare(labelText(el), want) === 0 ? fieldBeside(el, (one) => isControl(one) && isOf(el, one) && visible(one)) : null));
  const behind = fieldsBehind(all, want, (one) => isControl(one) && visible(one) && !labelsOf(one).length);
  const fields = [...around.filter(Boolean), ...behind].map((el) => ({ el, value: fieldValue(el), how: "field" })).filter(here);
  if (fields.length && !everyWay) return fields;
  const hits = all.filter((el) => compare(textOf(el), want) === 0);
  const heads = (el) => closest(el, (at) => roleOf(at) === "columnheader"); // one that sorts has a button in it
  const isUsed = (el) => !heads(el) && closest(el, (at) => ["button", "link", "tab"].includes(roleOf(at)));
  const apart = all.filter((el) => !isUsed(el)).flatMap((el) => setApart(el, want));
  const others = hits.filter((el) => !isUsed(el)).flatMap((hit) => {
    const term = hit.closest("dt");
    const cell = closest(hit, (at) => at.matches(CELLS));
    if (term) return definition(term);
    if (cell && compare(textOf(cell), want) === 0) return cells(cell);
    const under = drawnBelow(hit).map((el) => ({ el, value: valueIn(el), how: "cell" }));
    return under.length ? under : [...beside(hit, want), ...fieldInNextCell(hit)];
  });
  return [...fields, ...apart, ...others];
}

function isUnseen(line) {
  const { sources, unseen } = sightings(plain(line), () => true);
  return unseen.length > 0 && sources.length === 0;
}

// What is written in a line behind a label, without the buttons that stand at its end.
function withoutButtons(said, want, members) {
  const isIn = (el) => inside(members, el) && visible(el) && textNodes(blockOf(parentOf(el))).some(({ node, data }) => node && plain(data).includes(want) && isInLine(node, el));
  const names = allElements("button,[role=button]").map((el) => [squash(textOf(el)), el]).filter(([name, el]) => name && said.endsWith(` ${name}`) && isIn(el));
  return names.length ? withoutButtons(squash(said.slice(0, -names[0][0].length)), want, members) : said;
}

function isInLine(node, el) {
  const range = document.createRange();
  range.selectNodeContents(node);
  const { top, bottom } = el.getBoundingClientRect();
  return [...range.getClientRects()].some((line) => overlap(line.top, line.bottom, top, bottom) > 0);
}

// What lines say behind a label: those that it begins, before those in which it ends a longer one ("Item total: 5").
function written(want, parts, everyWay) {
  const words = escaped(want).replace(/ /g, "\\s+");
  const after = new RegExp(`(?:^|[^\\p{L}\\p{N}])${words}\\s*(?:[:=#–]|\\bis\\b:?)\\s*(\\S.*)$`, "iu");
  const found = [];
  for (const members of parts) {
    for (const line of lines(members)) {
      const match = after.exec(line);
      if (match && !isUnseen(line)) found.push({ el: members[0], value: withoutButtons(match[1], want, members).replace(/[.;,]$/, ""), how: "text", begins: match.index === 0 });
    }
  }
  const begun = everyWay ? [] : found.filter(({ begins }) => begins);
  return begun.length ? begun : found;
}

// Amounts of money that stand by themselves in a part: the price of a card hardly ever has a label, and needs none.
function prices(want, parts) {
  if (!PRICES.has(want)) return [];
  const isMoney = (el) => MONEY.test(squash(textOf(el))) && !strikes(el);
  const all = parts.flat().flatMap((member) => [member, ...member.querySelectorAll("*")]).filter((el) => visible(el) && isMoney(el));
  const outer = all.filter((el) => !all.some((other) => other !== el && contains(other, el)));
  return outer.map((el) => ({ el, value: textOf(el), how: "element" }));
}

function strikes(el) { return /line-through/.test(getComputedStyle(el).textDecorationLine); }
function isStruck({ at }, el) { return closest(at, (one) => one === el || strikes(one)) !== el; }

// A value as a person sees it: without what nobody can see of it, be it in a cell that is drawn, and without what is struck
// out, where something else stands there.
function asSeen(one) {
  const runs = /^(field|text)$/.test(one.how) ? [] : textNodes(one.el).filter(runsOutside(one.label));
  const valid = runs.filter((run) => !isStruck(run, one.el));
  const isPart = valid.length > 0 && valid.length < runs.length;
  if (!isPart && runs.every(textSeen)) return one;
  const [shown, value] = [spelled(one.el, (run) => runsOutside(one.label)(run) && textSeen(run) && !(isPart && isStruck(run, one.el))), squash(one.value)];
  return { ...one, value: hasWhole(plain(shown), plain(value)) ? value : one.how === "after it" ? "" : shown };
}

// A value as the document spells it, where a style draws it in other capitals; empty where it does not.
function spelledOf(el, value) {
  if (asCased(el, value) !== value) return value;
  const said = isControl(el) ? "" : spelled(el);
  return said !== value && said.toLowerCase() === value.toLowerCase() ? said : "";
}

function inReadingOrder(found) {
  const all = found.map(({ el }) => el);
  return areStacked(all) ? inOrder(all).map((el) => found[all.indexOf(el)]) : found;
}

async function valuesOf({ element, within, column, in_part: inPart, every_way: everyWay, since, wait, timeout, patient }) {
  if (timeout) await settle({ timeout, patient, fresh: true });
  await changed({ since, wait });
  const want = bare(element);
  const scope = scopeOf(within);
  const parts = within?.length ? scope.parts : [[sheet()]];
  const isTold = ({ el, value, how }) => (how === "field" ? legible(el) : squash(value) && (how === "text" || seen(el)));
  const here = (one) => isTold(one) && isIn(scope, one.el) && (!one.sum || parts.some((part) => part.some(inFoot))); // a sum counts where its row is named
  const byName = [() => fieldsNamed(element), () => elementsNamed(want, here, inPart || everyWay)];
  const unnamed = () => (within?.length ? prices(want, parts) : []);
  const ways = column ? [() => labelled(want, here)] : [...byName, () => labelled(want, here, everyWay), () => written(want, parts, everyWay), unnamed];
  const isBlank = ({ el, value, how }) => /^(cell|definition)$/.test(how) && !squash(value) && isIn(scope, el) && (how === "definition" || seen(el));
  const blank = () => { const cells = labelled(want, here).map(asSeen).filter(isBlank); return cells.length === 1 ? cells : []; };
  const told = ways.reduce((values, way) => (values.length && !everyWay ? values : [...values, ...way().map(asSeen).filter(here)]), []);
  const found = told.length ? told : blank();
  const shape = ({ el, value, how }) => ({ value: asCased(el, squash(value)), spelled: spelledOf(el, squash(value)), how, secret: isMasked(el), pale: isPaleField(el), unchosen: unchosenIn(controlOf(el)), box: boxOf(el) });
  return {
    version, place: place(), unknown_part: scope.unknown, unsure_part: unsureParts(scope.missed).slice(0, 3).map(facts), unclear_part: scope.unnamed.slice(0, 12).map(facts),
    near: found.length ? [] : nearNames(),
    values: inReadingOrder(found).slice(0, 500).map(shape),
  };
}
