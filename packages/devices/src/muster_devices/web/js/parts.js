// The part of a page that a text names: a row, item, card, section, form or dialog. Functions without any state.

const PARTS = new Set(["row", "listitem", "article", "region", "form", "group", "dialog", "alertdialog", "navigation",
  "complementary", "main", "table", "tabpanel", "menu", "option", "treeitem", "banner", "contentinfo", "search"]);
const LABELLED_PARTS = new Set([...PARTS, "list", "listbox", "grid", "treegrid", "tree", "tablist", "toolbar", "radiogroup"]);
const CARD = /(^|[-_])(card|item|row|tile|product|entry|panel|modal)$/i;
const PLACES_FOR_TEXT = "td,th,dd,p,div,span,b,strong,small,output,[role]";
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
  if (!PARTS.has(role) && ![...el.classList].some((name) => CARD.test(name)) && !isRepeated(el)) return false;
  const controls = [...el.querySelectorAll("button,input,select,textarea,a[href]")];
  if (el === anchor) return bare(textOf(el)) !== want && (controls.length > 0 || el.children.length > 1);
  if (plain(textOf(el)) !== plain(textOf(anchor))) return true;
  const beside = (other) => !contains(anchor, other) && !contains(other, anchor);
  return controls.some(beside) || (isOneOfMany(el) && [...el.querySelectorAll(PLACES_FOR_TEXT)].some(beside));
}

// Whether an element is a row, an item or a card even where all it says is its name: what it lacks is not that of another.
function isOneOfMany(el) {
  const isCard = [...el.classList].some((name) => CARD.test(name) && name !== "row");
  return ["row", "listitem", "article"].includes(roleOf(el)) || isCard || isRepeated(el);
}

// A heading's own section: up to the next heading of its level, where nothing but the page holds them together. The
// page itself is that of its `h1`, but only by the whole of its name.
function sectionOf(anchor, part, tier) {
  const heading = anchor.closest("h1,h2,h3,h4,h5,h6");
  if (!heading) return null;
  const level = heading.localName;
  if (level === "h1") return part || tier !== 0 ? null : [document.body];
  if ((part || document.body).querySelectorAll(level).length < 2) return null;
  const members = [];
  const ends = new RegExp(`^h[1-${level[1]}]$`);
  for (let at = heading.nextElementSibling; at && !ends.test(at.localName); at = at.nextElementSibling) {
    members.push(at);
  }
  return members.length ? members : null;
}

// How well a text names a part: as `compare`, but never by a part of a word ("todo" is not "todos").
function wordsFit(text, want) {
  const tier = compare(text, want);
  return tier === 3 ? null : tier;
}

// Each container as a list of elements (a section without a wrapper has several).
function containers(words, here = () => true, role = "") {
  const want = plain(words);
  const found = [];
  const put = (members, tier) => members && visible(members[0]) && here(members[0]) && found.push({ members, tier });
  for (const root of roots()) {
    for (const el of root.querySelectorAll("[aria-label],[aria-labelledby],fieldset,table")) {
      if (!LABELLED_PARTS.has(roleOf(el))) continue;
      for (const [, text] of namesOf(el)) { const tier = wordsFit(text, want); if (tier !== null) put([el], tier); }
    }
  }
  for (const anchor of allTextHits(want).filter((el) => here(el) && visible(el))) {
    const whole = wordsFit(textOf(anchor), want);
    if (whole === null) continue;
    const own = [...anchor.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data).join(" ");
    const tier = Math.min(whole, compare(own, want) ?? 9);
    const kind = role && closest(anchor, (at) => roleFit(at, role) === 0);
    const part = kind || closest(anchor, (at) => isPart(at, anchor, want));
    put((!kind && sectionOf(anchor, part, tier)) || (part ? [part] : null), tier);
  }
  const landmarks = found.length ? [] : roots().flatMap((root) => [...root.querySelectorAll(LANDMARKS)]);
  for (const el of landmarks.filter((one) => roleOf(one) === want)) put([el], 0);
  const best = Math.min(...found.map((one) => (one.tier === 0 ? 0 : 1)));
  const named = found.filter((one) => (one.tier === 0 ? 0 : 1) === best).map((one) => one.members);
  const same = (one, other) => one.length === other.length && one.every((el, at) => el === other[at]);
  return named.filter((one, at) => named.findIndex((other) => same(one, other)) === at); // one may have several names
}

function inside(container, el) { return container.some((member) => contains(member, el)); }
