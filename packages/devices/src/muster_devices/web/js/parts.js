// The part of a page that a text names: a row, item, card, section, form or dialog. Functions without any state.

const PARTS = new Set(["row", "listitem", "article", "region", "form", "group", "dialog", "alertdialog", "navigation",
  "complementary", "main", "table", "tabpanel", "menu", "option", "treeitem", "banner", "contentinfo", "search"]);
const LABELLED_PARTS = new Set([...PARTS, "list", "listbox", "grid", "treegrid", "tree", "tablist", "toolbar", "radiogroup"]);
const CARD = /(^|[-_])(card|item|row|tile|product|entry|panel|modal)$/i;
const PLACES_FOR_TEXT = "td,th,dd,p,div,span,b,strong,small,output,[role]";
const HEADINGS = "h1,h2,h3,h4,h5,h6";
const LANDMARKS = "nav,header,footer,main,aside,dialog,form,[role]";
const NO_PARTS = new Set(["td", "th", "dt", "dd", "p", "span", "a", "button", "label", "body", "html"]);

function outline(el) {
  return [el.localName, el.className, ...[...el.children].map((child) => child.localName)].join(" ");
}

// One of several that are made alike: a card, though nothing says so.
function isRepeated(el) {
  const others = [...(el.parentElement?.children || [])].filter((other) => other !== el);
  return el.children.length > 1 && others.some((other) => outline(other) === outline(el));
}

function isPart(el, anchor, want) {
  if (NO_PARTS.has(el.localName)) return false;
  const role = roleOf(el);
  const edge = role === "banner" || role === "contentinfo";
  if (edge && el.parentElement?.closest("section,article,form,dialog,li,[role=dialog]")) return false;
  const isMarked = PARTS.has(role) || [...el.classList].some((name) => CARD.test(name));
  if (!isMarked && !isRepeated(el) && !isAlike(el, anchor) && !isPanel(el)) return false;
  const controls = [...el.querySelectorAll("button,input,select,textarea,a[href]")];
  if (el === anchor) return isOneOfMany(el) || (bare(textOf(el)) !== want && (controls.length > 0 || el.children.length > 1));
  if (plain(textOf(el)) !== plain(textOf(anchor))) return true;
  const beside = (other) => !contains(anchor, other) && !contains(other, anchor);
  return controls.some(beside) || isOneOfMany(el) || isSectioning(el) || (isAlike(el, anchor) && !anchor.closest(HEADINGS));
}

// Whether an element is a row or an item beside others. It is a part even where its name is all that it says: what it
// lacks is not to be taken from another one.
function isOneOfMany(el) {
  const role = roleOf(el);
  return ["row", "listitem", "article"].includes(role) && [...el.parentElement.children].some((other) => other !== el && roleOf(other) === role);
}

function isSectioning(el) {
  return el.matches("section,article,fieldset,details,dialog,aside,[role=dialog],[role=group],[role=region]") ||
    [...el.classList].some((name) => CARD.test(name) && name !== "row");
}

// Whether an element is one of several that begin alike, or are made alike, though what follows may be missing.
function isAlike(el, anchor) {
  const begins = (one) => `${one.localName}.${one.className} ${one.firstElementChild?.localName}.${one.firstElementChild?.className}`;
  const others = [...(el.parentElement?.children || [])].filter((other) => other !== el && other.className);
  const fills = [...el.querySelectorAll(PLACES_FOR_TEXT)].some((other) => !contains(anchor, other) && !contains(other, anchor));
  const alike = others.some((other) => begins(other) === begins(el) && Math.max(el.children.length, other.children.length) > 1);
  return alike || (isRepeated(el) && fills);
}

// What belongs to an `h1`: the part or page that it is in; where that has several, what holds no other one, and what follows
// that up to the next.
function underTitle(heading, part) {
  const others = allElements("h1").filter((one) => one !== heading && visible(one) && squash(textOf(one)));
  const isOthers = (el) => others.some((other) => contains(el, other));
  if (!isOthers(part || sheet())) return part ? null : [sheet()];
  let head = heading;
  while (parentOf(head) && !isOthers(parentOf(head))) head = parentOf(head);
  const members = [head];
  for (let at = head.nextElementSibling; at && !isOthers(at); at = at.nextElementSibling) members.push(at);
  return members;
}

// A heading's own section: up to the next heading of its level, where nothing but the page holds them together. The
// page itself is that of its `h1`, but only by the whole of its name.
function sectionOf(anchor, part, tier) {
  const heading = anchor.closest(HEADINGS);
  if (!heading) return null;
  const level = heading.localName;
  if (level === "h1") return tier === 0 ? underTitle(heading, part) : null;
  if ((part || sheet()).querySelectorAll(level).length < 2) return null;
  const members = [];
  const ends = new RegExp(`^h[1-${level[1]}]$`);
  for (let at = heading.nextElementSibling; at && !ends.test(at.localName); at = at.nextElementSibling) {
    members.push(at);
  }
  const heads = [...heading.parentElement.children].filter((other) => other.localName === level).length > 1;
  return members.length ? members : heads ? [heading] : null; // nothing is in it
}

// How well a text names a part: as `compare`, but never by a part of a word ("todo" is not "todos").
function wordsFit(text, want) {
  const tier = compare(text, want);
  return tier === 3 ? null : tier;
}

// Whether the frame that the document is shown in, or one around that, is called so; one of another origin tells no name.
function isFrameCalled(want) {
  for (let at = window; at.frameElement; at = at.parent) {
    if (namesOf(at.frameElement).some(([source, text]) => source < 5 && compare(text, want) === 0)) return true;
  }
  return false;
}

// How well a part is of a kind that is asked for: 0 itself, 1 what stands around its title, 2 another part of that name.
function partFit(el, role) { return role && roleFit(el, role) !== null && role !== "section" ? 0 : 2; }

// The tables in a part that is none itself, where it has any: what else is in the part is in no table.
function tablesIn({ members, kind, tier }) {
  const tables = kind === 2 ? members.flatMap((el) => [...el.querySelectorAll("*")]).filter((el) => roleFit(el, "table") !== null && visible(el)) : [];
  const outer = tables.filter((el) => !tables.some((other) => other !== el && contains(other, el)));
  return outer.length ? outer.map((el) => ({ members: [el], kind, tier })) : [{ members, kind, tier }];
}

// Each container as a list of elements (a section without a wrapper has several); with `whole`, by the whole of its name. Of
// parts of one name those of the kind that is asked for count, where there are any. The label of a list on the page names
// that list, not what is around the two.
function containers(words, here = () => true, role = "", whole = false) {
  const want = plain(words);
  if (isFrameCalled(want)) return [[document.documentElement]].filter(([all]) => here(all));
  const found = [];
  const put = (members, tier, kind = 2) => members && visible(members[0]) && here(members[0]) && found.push({ members, tier, kind });
  for (const root of roots()) {
    for (const el of root.querySelectorAll("[aria-label],[aria-labelledby],fieldset,table,select")) {
      if (!LABELLED_PARTS.has(roleOf(el))) continue;
      for (const [, text] of namesOf(el)) { const tier = wordsFit(text, want); if (tier !== null) put([el], tier, partFit(el, role)); }
    }
  }
  const lists = found.filter(({ members: [el], tier }) => tier === 0 && FIELDS.has(roleOf(el))).map(({ members: [el] }) => el);
  const isLabel = (el) => lists.some((list) => [...labelsOf(list), ...labelledBy(list)].some((label) => contains(label, el)));
  for (const anchor of allTextHits(want).filter((el) => here(el) && visible(el) && !isLabel(el))) {
    const fit = wordsFit(textOf(anchor), want);
    if (fit === null) continue;
    const own = [...anchor.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data).join(" ");
    const tier = Math.min(fit, compare(own, want) ?? 9);
    const isKind = (at) => roleFit(at, role) === 0 || (role === "dialog" && isPanel(at));
    const titled = tableTitledBy(anchor);
    const kind = titled || (role && closest(anchor, isKind));
    const part = kind || closest(anchor, (at) => isPart(at, anchor, want));
    put((!kind && sectionOf(anchor, part, tier)) || (part ? [part] : null), tier, titled ? partFit(titled, role) : !kind ? 2 : HOLDERS.has(role) ? 1 : 0);
  }
  if (!found.length) for (const el of unnamedParts(want)) put([el], 0);
  const best = Math.min(...found.map((one) => (one.tier === 0 ? 0 : 1)));
  const bestNamed = found.filter((one) => (one.tier === 0 ? 0 : 1) === (whole ? 0 : best));
  const kind = Math.min(...bestNamed.map((one) => one.kind));
  const meant = bestNamed.filter((one) => one.kind === kind);
  const named = (role === "table" ? meant.flatMap(tablesIn) : meant).map((one) => one.members);
  const same = (one, other) => one.length === other.length && one.every((el, at) => el === other[at]);
  return named.filter((one, at) => named.findIndex((other) => same(one, other)) === at); // one may have several names
}

// The parts that nothing names, by what they are: a landmark by its role, the numbers that lead to pages, the days of a month.
function unnamedParts(want) {
  if (/^(pagination|pager|paginator)$/.test(want)) return outermost(allElements().filter((el) => isClickable(el) && isNumberedPage(el)).map(pagesAround));
  if (want === "calendar") return monthsDrawn();
  return allElements(LANDMARKS).filter((one) => roleOf(one) === want);
}

function outermost(several) {
  return [...new Set(several)].filter((el) => !several.some((other) => other !== el && contains(other, el)));
}

// The smallest parts that show all days of a month.
function monthsDrawn() {
  const middles = allElements().filter((el) => squash(el.textContent) === "15" && visible(el));
  const months = [...new Set(middles.map((el) => closest(el, isMonth)).filter(Boolean))];
  return months.filter((el) => !months.some((other) => other !== el && contains(el, other)));
}

function inside(container, el) { return container.some((member) => contains(member, el)); }

// Of parts that may all be meant by one name those of which only some have something: which one is meant, nobody can tell.
function differing(parts, has) {
  const [[first] = []] = parts;
  const isOther = ([el, ...rest]) => !rest.length && roleOf(el) === roleOf(first) && !parts.some(([other]) => other !== el && contains(other, el));
  const having = parts.length > 1 && parts.every(isOther) ? parts.filter(has) : [];
  return having.length && having.length < parts.length ? parts.map(([el]) => el) : [];
}
