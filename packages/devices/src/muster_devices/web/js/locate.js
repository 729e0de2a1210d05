// Which element a tester means by a name. Functions over the DOM without any state, used twice: by the selector engine
// (out of the page's reach) and by what reads the page for checks and for the words of an error.

// ---- words

const UNDRAWN = /[\u00ad\u200b\u200e\u200f\u2060\ufeff\u202a-\u202e\u2066-\u2069]/g; // they only say how text is laid out

// Pictures drawn as letters at the ends of a name: "✏ Compose" is called Compose.
const PICTOGRAPHS = /^(?:\p{Extended_Pictographic}\ufe0f?\s*)+|(?:\s*\p{Extended_Pictographic}\ufe0f?)+$/gu;

// Arrows at the ends of a name, which only point where it leads: "Next day ›" is called Next day.
const POINTERS = /^(?:[‹«←]\s*|<\s+)+|(?:\s*[›»→]|\s+>)+$/gu;

function squash(text) {
  return (text || "").replace(UNDRAWN, "").normalize().replace(/[’‘]/g, "'").replace(/[“”]/g, '"').replace(/−/g, "-").replace(/\s+/g, " ").trim();
}
function plain(text) { return squash(text).toLowerCase(); }
function bare(text) {
  const have = plain(text).replace(/\s*(\((required|optional)\)|[:*…▲▼△▽▴▾↑↓↕⇅⬆⬇]|\.\.\.)+$/g, "");
  return have.replace(POINTERS, "").replace(PICTOGRAPHS, "") || have;
}
function spaced(text) { return text.replace(/[-_]+/g, " "); }

// How well a text says what is wanted: 0 the same, 1 begins with it, 2 has it as words, 3 has it as part of a word (but
// never of a number).
function compare(text, want) {
  const have = plain(text);
  if (!want || !have.includes(want)) return have && bare(have) === bare(want) ? 0 : null;
  if (have === want || bare(have) === bare(want)) return 0;
  const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u; // scripts without blanks
  const edge = (char) => char === undefined || !/[\p{L}\p{N}]/u.test(char) || unspaced.test(char);
  for (let at = have.indexOf(want); at >= 0; at = have.indexOf(want, at + 1)) {
    const alone = edge(have[at - 1]) && edge(have[at + want.length]);
    if (alone && wholeAt(have, want, at)) return at === 0 ? 1 : 2;
  }
  return hasWhole(have, want) ? 3 : null;
}

// ---- what an element is called

function labelText(label) {
  const says = ({ data, at }) => (at?.closest("select,textarea") ? "" : data);
  const pictures = [...label.querySelectorAll("img[alt]")].map((img) => img.alt);
  return [...[...runsIn(label)].map(says), ...pictures].join(" ");
}

// Names the element has beside its own text, each with the rank of where it stands.
function namesOf(el) {
  const names = [];
  const put = (source, text) => text && text.trim() && names.push([source, text]);
  const role = roleOf(el);
  if (el.hasAttribute("aria-labelledby") || FIELDS.has(role) || TOGGLES.has(role) || NAMING_CHILD[el.localName]) put(0, nameOf(el));
  for (const part of labelledBy(el)) {
    if (!(FIELDS.has(role) && contains(el, part))) put(0, part.textContent); // what a list shows may be read aloud with its name
  }
  put(0, el.getAttribute("aria-label"));
  for (const label of labelsOf(el)) put(0, labelText(label));
  if (role === "button" && el.localName === "input") put(0, buttonText(el));
  if (el.localName === "table") put(0, titleOf(el)?.textContent);
  put(1, el.getAttribute("placeholder"));
  put(3, el.getAttribute("alt"));
  put(4, el.getAttribute("title"));
  for (const attribute of TEST_IDS) {
    put(5, el.getAttribute(attribute));
    put(5, spaced(el.getAttribute(attribute) || ""));
  }
  return names;
}

// What an element is called: its name; without one what it says, or whatever else it is known by.
function labelOf(el) {
  const name = nameOf(el);
  const role = roleOf(el);
  const text = () => squash(textOf(el) || flatText(el));
  const other = () => (FIELDS.has(role) || TOGGLES.has(role) ? namesOf(el)[0]?.[1] : "") || text() || namesOf(el)[0]?.[1] || signsIn(el);
  return squash(name || other()).slice(0, 80);
}

// ---- looking through the page

// Elements that hold a shadow tree somewhere: what they say is more than their `textContent`.
function holders() {
  const found = new Set();
  for (const root of roots().slice(1)) {
    for (const el of root.querySelectorAll("slot")) for (let at = el; at; at = parentOf(at)) found.add(at);
    for (let at = root.host; at && !found.has(at); at = parentOf(at)) found.add(at);
  }
  return found;
}

// Whether all that an element says of a number stands in a part of it, in brackets that make it a negative one.
function isBracketedIn(el, want, textIn) {
  const times = (one) => plain(textIn(one)).split(want).length - 1;
  const inParts = [...el.children].reduce((sum, part) => sum + times(part), 0);
  return inParts === times(el) && [...el.querySelectorAll("*")].some((part) => isInBrackets(plain(textIn(part)), want));
}

const CODE = [...UNSEEN].join(); // what scripts and titles say, a page does not

// The innermost elements whose text has the words, in the order they are drawn.
function allTextHits(want) {
  if (!want) return [];
  const found = [];
  const deep = holders();
  const all = (el) => (deep.has(el) ? flatText(el) : el.textContent);
  const look = (el) => {
    if (UNSEEN.has(el.localName) || !plain(all(el)).includes(want)) return;
    const before = found.length;
    (deep.has(el) ? childrenOf(el) : [...el.children]).filter((node) => node.nodeType === Node.ELEMENT_NODE).forEach(look);
    if (found.length > before || isBracketedIn(el, want, all)) return;
    const said = el.querySelector(CODE) ? flatText(el) : all(el);
    if (hasWhole(plain(said), want) || hasWhole(plain(textOf(el)), want)) found.push(el);
  };
  look(document.documentElement);
  return [...new Set([...found, ...generatedHits(want, found)])];
}

// The innermost elements that have the words only with what styles put into them.
function generatedHits(want, others) {
  const styled = (el) => !UNSEEN.has(el.localName) && (generated(el, "::before") || generated(el, "::after"));
  const says = (el) => hasWhole(plain(flatText(el)), want) && !others.some((other) => contains(el, other));
  const all = allElements("body, body *, :host *");
  return all.filter((el) => styled(el) && says(el));
}

function gather(query) {
  const want = plain(query.element);
  const found = new Map();
  const hints = query.role === "tooltip" ? new Map(allElements().map((el) => [el, hintOf(el)]).filter(([, hint]) => hint)) : new Map();
  const note = (el, tier, source) => {
    if (hints.has(el) && compare(hints.get(el), want) === null) return;
    const known = found.get(el);
    if (tier !== null && (!known || tier < known.tier || (tier === known.tier && source < known.source))) {
      found.set(el, { el, tier, source });
    }
  };
  if (MARKS.has(query.role)) return marked(query);
  if (!want) return unnamed(query);
  if (query.role === "icon") return iconsCalled(want, query.kind);
  for (const [el, hint] of hints) note(el, compare(hint, want), 0);
  for (const root of roots()) {
    for (const el of root.querySelectorAll(NAMED)) {
      const told = namesOf(el).filter(([source]) => query.kind !== "read" || !isUnsaid(el, source));
      for (const [source, text] of told) {
        const tier = compare(text, want);
        if (tier !== null && isNamedBy(el, source, tier)) lift(el, tier, source, query, note);
      }
    }
  }
  for (const { sign } of runsIn(document.documentElement)) {
    if (sign) lift(parentOf(sign), compare(sign.data.replace(/_/g, " "), plain(query.element.replace(/_/g, " "))), 3, query, note);
  }
  const isDrawn = (el) => rendered(el, { visibilityProperty: true });
  for (const hit of allTextHits(want)) {
    const picture = hit.namespaceURI !== "http://www.w3.org/1999/xhtml";
    for (let at = hit, steps = 0; at && steps < 12; at = parentOf(at), steps += 1) {
      const used = at === hit || (query.role ? roleFit(at, query.role) !== null && isTitle(hit, at, query) : isClickable(at));
      const isListed = at === hit && isShut(at) && !query.role && query.kind === "click";
      if (isListed || (used && at.localName !== "option") || (query.role && roleOf(at) === query.role && !HOLDERS.has(query.role))) {
        const own = textOf(at) || (visible(at) && !picture ? "" : at.textContent);
        const said = picture && (at === hit || !plain(textOf(at))) ? hit.textContent : own;
        const isHeld = at !== hit && isDrawn(at) && !isDrawn(hit); // it is drawn, and what says so in it is not
        const tier = compare(said, want) ?? (isHeld ? null : compare(joined([...runsIn(at)]), want));
        if (query.role === "dialog" && at !== hit && isTitleOf(hit, at)) note(at, compare(textOf(hit), want), 0);
        const isItem = tier && ITEMS.includes(query.role);
        note(at, isItem ? (compare(textOf(hit), want) === 0 ? 1 : Math.max(tier, 2)) : tier, roleOf(at) || isClickable(at) ? 0 : 2);
      }
      if (at.localName === "label" && at.control) note(controlOf(at), labelFit(at, hit, want), 0);
      if (at.shadowRoot && controlOf(at) !== at) note(controlOf(at), compare(textOf(at), want) === 0 ? 0 : null, 0);
      if (isListed || (!query.role && at !== hit && isClickable(at))) break; // no list is called by what it offers
    }
  }
  const isSaid = (el) => (query.role ? roleFit(el, query.role) === 0 : query.kind !== "click" || isClickable(el));
  const whole = [...found.values()].some(({ el, tier }) => tier === 0 && isSaid(el));
  if (!whole) for (const el of allElements()) if (CLICKABLE.has(roleOf(el))) note(el, compare(nameOf(el), want) === 0 ? 0 : null, 0);
  return [...found.values()];
}

// Whether a text names an element. Where the element has a text of its own, its tooltip does so only as a whole: words in it
// may say what the element is not.
function isNamedBy(el, source, tier) { return source !== 4 || tier === 0 || !plain(textOf(el)); }

// Whether a name is one that nobody sees: what is a text is known by what it says, not by its tooltip or by what is read
// aloud in its place.
function isUnsaid(el, source) {
  return (source === 0 || source === 4) && SAYING.has(roleOf(el)) && !isClickable(el) && plain(textOf(el)) !== "";
}

// Whether a text is the title of something without a name: its first heading.
function isTitleOf(hit, at) {
  const isHeading = (el) => (roleOf(el) === "heading" || isDrawnHeading(el)) && squash(textOf(el)) && seen(el);
  const heading = squash(nameOf(at)) ? null : allIn(at).find(isHeading);
  return Boolean(heading) && contains(heading, hit) && squash(textOf(heading)) === squash(textOf(hit));
}

// Whether what a container says can be what it is called: not what its buttons, rows and items say, nor words in the
// middle of it. A dialog is known by its question, too.
function isTitle(hit, holder, { role, element }) {
  if (!HOLDERS.has(role)) return true;
  const held = closest(hit, (at) => at === holder || (HELD.has(roleOf(at)) && !/^(p|summary)$/.test(at.localName)));
  if (held !== holder) return false;
  if (role === "dialog" || closest(hit, (at) => at === holder || /^(heading|caption)$/.test(roleOf(at)) || at.localName === "legend") !== holder) return true;
  return !squash(nameOf(holder)) && (compare(textOf(holder), plain(element)) ?? 9) < 2;
}

// A picture's or icon's name is also that of the button it is in.
function lift(el, tier, source, query, note) {
  if (tier === null) return;
  note(el, tier, source);
  if (isClickable(el) || FIELDS.has(roleOf(el))) return;
  const outer = closest(parentOf(el), (at) => at && (query.role ? roleFit(at, query.role) !== null : isClickable(at)));
  if (outer && (source === 3 || source === 0) && !plain(textOf(outer))) note(outer, tier, source);
}

// What people see as a thing of that name though no text says it: an icon, a picture, a field, a turning wheel.
function bearersOf(want, here) {
  if (!want) return [];
  const bears = (el) => SYMBOLS.has(roleOf(el)) && bare(nameOf(el) || signsIn(el)) === bare(want) && here(el) && seen(el);
  const found = gather({ element: want, role: "", kind: "read" }).map(({ el }) => el).filter(bears);
  return found.slice(0, 12).map((el) => `${roleOf(el)} "${labelOf(el)}"`);
}
