// Elements as people would describe them: role, names, states, place, and what lies over them. Runs in the page's own world.

const INVALID = /^(true|grammar|spelling)$/; // values of aria-invalid that say so
const REQUIRED = /^\*|[*]\s*:?$|\((?:required|mandatory|pflichtfeld|erforderlich)\)\s*:?$/i;

// Whether the browser itself draws a box, and so draws the state that it knows.
function drawsItself(el) { return el.localName === "input" && getComputedStyle(el).appearance !== "none" && seen(el); }

// The state that the custom element around a control, its only one, tells of itself, by which it is drawn; null: none.
function hostState(el) {
  const host = el.getRootNode().host;
  return host && controlOf(host) === el ? [host.checked, host.selected].find((one) => typeof one === "boolean") ?? null : null;
}

// Whether an element says if it is checked; null where it does not, or says that it is neither.
function checkedState(el) {
  const told = el.getAttribute("aria-checked") ?? el.getAttribute("aria-pressed");
  const tells = typeof el.checked === "boolean" && !(el.localName === "input" && !/^(checkbox|radio)$/.test(el.type));
  const said = tells ? String(el.checked) : told; // many custom elements tell it as a property
  const differs = (told !== null && told !== said && !drawsItself(el)) || (tells && (hostState(el) ?? el.checked) !== el.checked);
  if (el.indeterminate === true || differs) return null;
  return said === "true" ? true : said === "false" ? false : null;
}

// The native radio buttons with the name of a radio button, of which one is chosen.
function radioGroup(el) { return el.name ? allElements("input[type=radio]").filter((one) => one.name === el.name && one.form === el.form) : []; }

// Whether an option, tab, row or button is selected; null where neither it nor another one of its list says so.
function selectedState(el) {
  const told = el.getAttribute("aria-selected") ?? el.getAttribute("aria-current");
  if (el.localName === "option") return el.selected;
  if (/^(radio|checkbox|menuitemradio|menuitemcheckbox)$/.test(roleOf(el))) return checkedState(el);
  if (told !== null) {
    const isChosen = /^(true|page|step|date|time|location)$/.test(told);
    return /^(tab|link)$/.test(roleOf(el)) && isOutdrawn(el, isChosen) ? null : isChosen;
  }
  if (roleOf(el) === "button" && el.hasAttribute("aria-pressed")) return checkedState(el);
  const box = roleOf(el) === "row" ? leadingBox(el) : null;
  if (box) return checkedState(box);
  const list = closest(parentOf(el), (at) => /^(tablist|listbox|grid|tree|treegrid|radiogroup)$/.test(roleOf(at)));
  return list?.querySelector("[aria-selected]") && /^(option|tab)$/.test(roleOf(el)) ? false : chosenState(el);
}

// Whether clicks pass through an element and through all that is drawn for it.
function ignoresClicks(el) { return [el, ...labelsOf(el)].every((one) => getComputedStyle(one).pointerEvents === "none"); }

// Whether an element is called disabled by a class, or the pointer over it says that it cannot be used.
function isCalledOff(el) { return [...el.classList].some((name) => saysState(name, /^disabled$/)) || getComputedStyle(el).cursor === "not-allowed"; }

// Whether the browser, or what is written about a field, finds fault with it, while its markup says that it is right, or
// says nothing yet.
function isDoubtful(el) {
  const told = el.getAttribute("aria-invalid");
  if (INVALID.test(told || "") || (told === null && el.matches(":user-invalid"))) return false;
  return el.validity?.valid === false || isComplainedOf(controlOf(el));
}

// Whether an element is a label by its name alone: it stands for nothing, and nothing shows that it is used itself.
function isBareLabel(el) { return el.localName === "label" && !el.control && !el.matches("[onclick],[tabindex],[role]") && getComputedStyle(el).cursor !== "pointer"; }

// Names of the states that an element has at all: one that has none of a kind is in no state of that kind.
function knownStates(el, disabled, checked, selected) {
  const role = roleOf(el);
  const marked = (...names) => names.some((name) => el.hasAttribute(`aria-${name}`));
  const field = isEditable(el) || FIELDS.has(role);
  const usable = field || (isClickable(el) && !isBareLabel(el)) || el.matches("fieldset,optgroup,option") || marked("disabled");
  const fillable = field || TOGGLES.has(role) || el.localName === "select";
  const known = {
    enabled: usable && (disabled || !(isOutOfReach(el) || ignoresClicks(el) || isCalledOff(el))), checked: checked !== null, selected: selected !== null,
    expanded: el.matches("details,details > summary") || (foldedBy(el).hasAttribute("aria-expanded") && !isOpenUnseen(foldedBy(el))),
    editable: field, readonly: field || marked("readonly"), focused: true,
    invalid: (fillable || marked("invalid")) && !isDoubtful(el),
    required: fillable || marked("required"),
  };
  return Object.keys(known).filter((name) => known[name]);
}

// Whether the drawn label of a field says that it has to be filled: by an asterisk at one of its ends, or in words.
function isStarred(el) { return labelsOf(el).some((label) => REQUIRED.test(squash(flatText(label))) && seen(label) && REQUIRED.test(spelled(label))); }

// Whether an element says that it is expanded, and nobody sees what it says that it opens.
function isOpenUnseen(el) {
  const opened = el.getAttribute("aria-expanded") === "true" ? (el.getAttribute("aria-controls") || "").split(/\s+/).filter(Boolean) : [];
  const parts = opened.map((id) => el.getRootNode().querySelector(`#${CSS.escape(id)}`)).filter((part) => part && !contains(part, el) && squash(flatText(part)));
  return parts.length > 0 && !parts.some(seen);
}

// What tells whether an element is expanded: of a row that does not, what opens and closes it.
function foldedBy(el) { return (roleOf(el) === "row" && !el.hasAttribute("aria-expanded") && foldOf(el)) || el; }

function states(el) {
  const aria = (name) => el.getAttribute(`aria-${name}`);
  const disabled = el.matches(":disabled, select:disabled *") || Boolean(closest(el, (at) => at.getAttribute("aria-disabled") === "true"));
  const readonly = Boolean(el.readOnly) || aria("readonly") === "true";
  const folds = el.matches("details,details > summary") ? String(el.closest("details").open) : null;
  const expanded = foldedBy(el).getAttribute("aria-expanded") ?? folds;
  const [checked, selected] = [checkedState(el), selectedState(el)];
  return {
    enabled: !disabled, readonly, editable: isEditable(el) && !disabled && !readonly,
    checked: checked === true, selected: selected === true,
    invalid: INVALID.test(aria("invalid") || "") || el.matches(":user-invalid"),
    focused: el.getRootNode().activeElement === el, required: Boolean(el.required) || (aria("required") ?? String(isStarred(el))) === "true",
    expanded: expanded === "true", collapsed: expanded === "false", known: knownStates(el, disabled, checked, selected),
  };
}

// What is known by a name of its own: with more words in it, it is another one ("Save" and "Save as draft").
const CALLED = new Set([...CLICKABLE, "heading"]);
const EXPLAINED = /\s*\([^()]*\)[\s:*]*$/; // behind the name of a field

// What an element says between the others in it, such as a button in a label.
function wordsIn(el) { return [...el.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map(({ data }) => data).join(" "); }

// What an item that holds others of its kind says without them; nothing where it holds none.
function saidOutsideItems(el) {
  const inner = /^(treeitem|listitem|menuitem)$/.test(roleOf(el)) ? allIn(el).filter((one) => roleOf(one) === roleOf(el)) : [];
  return inner.length ? squash([...runsIn(el)].filter(({ at }) => !inner.some((one) => contains(one, at))).map(({ data }) => data).join("")) : "";
}

// Whether an element has more words in its name than those by which it was found, and shows them nowhere by themselves. Numbers
// and signs count nothing: "Cart (2)" is the cart.
function isCalledMore(el, { element, role }) {
  const want = plain(element);
  if (!want || MARKS.has(role) || /^(icon|tooltip)$/.test(role) || !(CALLED.has(roleOf(el)) || CALLED.has(role))) return false;
  const letters = (text) => plain(text).replace(/[^\p{L}]+/gu, " ").trim();
  const short = (text) => (isControl(el) ? squash(text).replace(EXPLAINED, "") : text);
  const isSame = (text) => compare(text, want) === 0 || (letters(want) !== "" && letters(short(text)) === letters(want));
  const names = [labelOf(el), saidOutsideItems(el), ...namesOf(el).map(([, name]) => name)];
  if (names.some(isSame)) return false;
  const texts = [...names, ...phrasesIn(el), ...labelsOf(el).flatMap((label) => [...phrasesIn(label), wordsIn(label)])];
  if (![...texts, textOf(el)].some((text) => compare(text, want) !== null)) return false; // it was known by what stands beside it
  return !texts.some(isSame);
}

const PLACES = ["row", "listitem", "article", "dialog", "form", "group", "region"];
const FRAMES = ["form", "group"];

// The row, card or section an element is in, and what names it. A form or group without a name is known by what it is in:
// its fields have names of their own, and name nothing else.
function namedPartOf(el) {
  const isPlace = (at) => PLACES.includes(roleOf(at)) || [...at.classList].some((name) => CARD.test(name));
  const isPart = (at) => isPlace(at) || at.matches("section,aside");
  for (let place = closest(parentOf(el), isPlace); place; place = closest(parentOf(place), isPart)) {
    const named = namesOf(place).find(([source]) => source === 0)?.[1];
    const name = named || place.querySelector("h1,h2,h3,h4,h5,h6,legend,th")?.textContent;
    if (name) return [place, squash(name).slice(0, 60)];
    if (isPlace(place) && !FRAMES.includes(roleOf(place)))
      return [place, squash(lines([place]).find((line) => line !== labelOf(el))).slice(0, 60)];
  }
  return [null, ""];
}

// Where an element is in the window; what is in a frame would need the place of that, too.
function boxOf(el) {
  const box = el.getBoundingClientRect();
  const [x, y, width, height] = [box.x, box.y, box.width, box.height].map(Math.round);
  const isSomewhere = box.width && box.height && [x, y, width, height].every(Number.isFinite); // a page can make up anything
  return window.top === window && isSomewhere ? { x, y, width, height } : null;
}

const NEIGHBOURS = "a[href],button,input:not([type=hidden]),select,textarea,summary,h1,h2,h3,h4,h5,h6,legend,[role]";
const NEIGHBOUR_STEPS = 400;

// What a person passes on the way to an element, and after it: the closest controls and headings, of roles that say so.
function besideOf(el) {
  const next = (way) => {
    const walker = document.createTreeWalker(el.getRootNode(), NodeFilter.SHOW_ELEMENT);
    walker.currentNode = el;
    for (let steps = 0; steps < NEIGHBOUR_STEPS && walker[way](); steps += 1) {
      const at = walker.currentNode;
      if (contains(el, at) || contains(at, el) || !at.matches(NEIGHBOURS) || PARTS.has(roleOf(at))) continue;
      if (visible(at) && labelOf(at)) return labelOf(at);
    }
    return "";
  };
  return [next("previousNode"), next("nextNode")];
}

// Whether an element is in something that lies over the page.
function isFloating(el) {
  const over = (at) => /^(dialog|alertdialog)$/.test(roleOf(at)) || getComputedStyle(at).position === "fixed";
  return Boolean(closest(el, (at) => at.localName && at.localName !== "body" && over(at)));
}

// Whether a field draws marks in place of what it holds.
function isMasked(el) { return el.type === "password" || (getComputedStyle(el).webkitTextSecurity || "none") !== "none"; }

// What a native field holds, in the capitals that a style draws it in.
function asCased(el, value) {
  const way = /^(input|textarea|select)$/.test(el.localName) ? getComputedStyle(el).textTransform : "";
  if (way === "capitalize") return value.replace(/(?<![\p{L}\p{N}'])\p{L}/gu, (letter) => letter.toUpperCase());
  return way === "uppercase" ? value.toUpperCase() : way === "lowercase" ? value.toLowerCase() : value;
}

function facts(el) {
  const control = controlOf(el);
  const text = squash(textOf(control)).slice(0, 2000);
  return {
    role: roleOf(control), native: control.localName === "input" ? control.type : control.localName,
    name: labelOf(control), aliases: namesOf(control).slice(0, 8).map(([, name]) => squash(name).slice(0, 80)),
    place: namedPartOf(control)[1], beside: besideOf(control), floating: isFloating(control), framed: window.top !== window, text,
    value: fieldValue(control), cased: isMasked(control) ? "" : asCased(control, fieldValue(control) || ""), states: states(bearerOf(control)), hidden: !visible(el),
    secret: isMasked(control), pale: isPaleField(control), box: boxOf(control),
    unchosen: unchosenIn(control), options: (control.localName === "select" ? optionsOf(control) : []).slice(0, 100).map((one) => squash(one.label)),
  };
}

// Whether nothing else on the page has an element's role and name, and what it is in is a form of its kind alone: no row,
// card or other one of several, and something can be entered there.
function isSole(el) {
  const [part] = namedPartOf(el);
  const isItem = (at) => at.localName && (ITEMS.includes(roleOf(at)) || [...at.classList].some((name) => CARD.test(name)) || isRepeated(at));
  if (window.top !== window || !part?.querySelector("input:not([type=hidden]),select,textarea") || closest(part, isItem)) return false;
  const [role, name] = [roleOf(el), labelOf(el)];
  return Boolean(name) && !allElements(NEIGHBOURS).some((one) => one !== el && roleOf(one) === role && labelOf(one) === name);
}

// An element as it is before it is used, with what only that one moment is asked for.
function described(el) { return { ...facts(el), sole: isSole(controlOf(el)) }; }

// Whether an element is no dialog, and has come over the page with the last action, with something to use in it: as a calendar
// does for the field that has the focus.
function isPopup(el) {
  const isDialog = (at) => at.localName && roleFit(at, "dialog") !== null;
  const isOver = /absolute|fixed/.test(getComputedStyle(el).position) && squash(textOf(el)) !== "" && hasCome(el);
  return isOver && !modalNow() && !closest(el, isDialog) && offersUse(el);
}

// Whether a field that has the focus says that it has opened an element, which may call itself a dialog, as calendars do.
function isOpenedBy(field, el) { return field.getAttribute("aria-expanded") === "true" && isShownBy(field, el); }

// What lies over the middle of an element, if that is not the element itself.
function coverOf(el) {
  bringToView(el, "center");
  const top = atMiddle(el);
  if (!top || contains(el, top) || contains(top, el) || el.labels && [...el.labels].includes(top)) return null;
  const named = closest(top, (at) => at.localName && ["dialog", "alertdialog", "region", "banner"].includes(roleOf(at)));
  const placed = (...ways) => closest(top, (at) => at.localName && ways.includes(getComputedStyle(at).position) && !contains(at, el));
  const whole = named || placed("fixed") || placed("absolute") || top;
  const id = whole.id ? ` #${whole.id}` : "", name = labelOf(whole), role = roleOf(whole);
  const used = document.activeElement;
  const opener = used && controlOf(used);
  const popup = Boolean(used) && isControl(opener) && !contains(whole, used) && (isPopup(whole) || isOpenedBy(opener, whole));
  const buttons = [...whole.querySelectorAll("button,[role=button],input")].filter((at) => roleOf(at) === "button" && visible(at));
  return {
    role, name: name.slice(0, 80), popup, text: squash(textOf(whole)).slice(0, 1000), words: `${role || whole.localName}${id} ${JSON.stringify(name)}`,
    offers: buttons.slice(0, 20).map((at) => squash(labelOf(at)).slice(0, 80)),
  };
}
