// What a person does on a page, told as it happens. Runs beside the script that reads pages (`__muster.facts`).
const USED = "a[href],button,summary,input[type=button],input[type=submit],input[type=reset],input[type=image],[onclick]," +
  "[role=button],[role=link],[role=tab],[role=menuitem],[role=option],[role=switch],[role=checkbox],[role=radio]";
const FIELD = "select,textarea,input:not([type=button]):not([type=submit]):not([type=reset]):not([type=image])";
const UNTYPED = "select,[type=checkbox],[type=radio],[type=file]";
const SHOWN = "h1,[role=alert],[role=status],dialog[open],[role=dialog],[role=alertdialog]";
const SECRET = /passw|passphrase|passcode|secret|token|api.?key|\bpin\b|kennwort|one.?time|\botp\b|\bcv[vc]\b|cc-(number|csc)/i;
const POINTING = /^((dbl)?click|(mouse|pointer)(down|up)|touch(start|end))$/;
const FAR = 25; // px between pressing and letting go: it was dragged
const LONGEST = 120;

const squash = (text) => String(text ?? "").replace(/\s+/g, " ").trim();
const send = (act) => window.musterTold(JSON.stringify(act));

// Which elements wait for a click. Pages that listen further up show it by the pointer.
const listening = new WeakSet();
const listen = EventTarget.prototype.addEventListener;
EventTarget.prototype.addEventListener = function (kind, ...more) {
  if (POINTING.test(kind) && this instanceof Element) listening.add(this);
  return listen.call(this, kind, ...more);
};

// Fields that have drawn marks in place of letters once, with what they hold: it stays a secret when the letters are shown.
const masked = new Map();
function isSecret(el, facts) {
  const names = [facts.name, el.id, el.name, el.autocomplete].map((name) => String(name ?? "").replace(/[_-]/g, " "));
  const text = held(el);
  if (facts.secret || masked.has(el)) masked.set(el, text);
  return masked.has(el) || SECRET.test([...names, el.autocomplete].join(" ")) || text !== "" && [...masked.values()].includes(text);
}
function mark(root) {
  for (const el of root.querySelectorAll("*")) {
    if (el.type === "password" && !masked.has(el)) masked.set(el, "");
    if (el.shadowRoot) mark(el.shadowRoot);
  }
}

const isEditor = (el) => Boolean(el?.isContentEditable);
const held = (el) => String((isEditor(el) ? el.innerText.trim() : el.value) ?? "");
const everywhere = (root, tag) => [...root.querySelectorAll("*")].flatMap((el) =>
  [...(el.localName === tag ? [el] : []), ...(el.shadowRoot ? everywhere(el.shadowRoot, tag) : [])]);

// An element as it is now, and where it stands among those that are called the same.
function described(el, value = "") {
  const facts = window.__muster?.facts(el);
  if (!facts) return null;
  const isField = el.matches(FIELD) || isEditor(el);
  if (isField && isSecret(el, facts)) Object.assign(facts, { secret: true, value: null, text: "" });
  const isPlain = !isField && !el.matches(USED);
  const like = everywhere(document, el.localName).filter((one) => {
    if (one === el || isPlain && squash(one.textContent) !== squash(el.textContent)) return one === el;
    const other = window.__muster.facts(one);
    return !other.hidden && other.role === facts.role && other.name === facts.name;
  });
  const here = like.filter((one) => one === el || window.__muster.facts(one).place === facts.place);
  return {
    element: facts, value: facts.secret ? "" : value, address: location.href,
    number: like.indexOf(el) + 1, total: like.length, here: here.length,
  };
}
function tell(kind, el, value = "") {
  const told = described(el, value);
  if (told) send({ kind, ...told });
}

const pathOf = (event) => event.composedPath().filter((at) => at instanceof Element && !at.matches("html,body"));
const editorIn = (path) => path.filter(isEditor).at(-1);

// What a person has pointed at: a control, else the part with a name of what waits for a click.
function pointedAt(path) {
  const control = path.find((at) => at.matches(`${USED},${FIELD},label`)) ?? editorIn(path);
  if (control) return control.matches("label") ? (control.control ? null : control) : control;
  const awaits = (at) => listening.has(at) || at.onclick || at.matches("[tabindex]");
  const isHand = (at) => getComputedStyle(at).cursor === "pointer";
  const end = path.findIndex(awaits);
  const within = end >= 0 ? path.slice(0, end + 1) : path.filter(isHand);
  return within.length ? within.find(hasName) ?? within[0] : null;
}
const hasName = (at) => squash(at.innerText) !== "" && squash(at.innerText).length <= LONGEST || at.matches("[aria-label],[alt],[title]");

// What the page shows is told after what was done, also where only the page's own answer tells that something was.
let undecided = 0;
function decide(during) {
  undecided += 1;
  setTimeout(() => {
    undecided -= 1;
    during();
    show();
  });
}

let down = null; // where the mouse was pressed, until it is known what that did
let entered = false; // whether Enter was pressed in a field in this very moment: it presses the button of the form

listen.call(window, "pointerdown", (event) => {
  mark(document);
  const path = pathOf(event);
  const el = event.isTrusted && event.button === 0 ? pointedAt(path) : null;
  const part = path.find(hasName);
  down = part && event.isTrusted && event.button === 0
    ? { x: event.clientX, y: event.clientY, el, click: el && !el.matches(FIELD) && described(el), part: described(part) } : null;
}, true);

listen.call(window, "pointerup", (event) => {
  const pressed = down;
  const far = pressed && Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > FAR;
  if (far && document.getSelection().isCollapsed && !pressed.el?.matches(FIELD)) dragged(document.elementsFromPoint(event.clientX, event.clientY));
  else if (pressed?.click && !far) decide(() => { if (down === pressed) send({ kind: "click", ...pressed.click }); }); // no click came of it: what was pressed is gone
}, true);

listen.call(window, "click", (event) => {
  if (!event.isTrusted) return;
  down = null;
  if (entered && event.detail === 0) return;
  const el = pointedAt(pathOf(event));
  const keys = ["ctrl", "shift", "alt", "meta"].filter((key) => event[`${key}Key`]);
  if (el) tell("click", el, keys.join("+"));
}, true);

listen.call(window, "dblclick", (event) => {
  const el = event.isTrusted && pointedAt(pathOf(event));
  if (el) tell("double-click", el);
}, true);

listen.call(window, "auxclick", (event) => {
  const link = event.isTrusted && event.button === 1 && pathOf(event).find((at) => at.matches("a[href]"));
  if (link) tell("open", link);
}, true);

listen.call(window, "contextmenu", (event) => {
  const path = pathOf(event);
  const el = pointedAt(path) ?? path.find(hasName);
  const told = event.isTrusted && el && described(el);
  decide(() => { if (told && event.defaultPrevented) send({ kind: "right-click", ...told }); }); // else it is the browser's own menu
}, true);

// What was dragged to the first of the elements that has a name, from the top down.
function dragged(over) {
  const onto = over.find((at) => hasName(at) && !at.matches("html,body"));
  if (down) send({ kind: "drag", ...down.part, onto: onto ? described(onto)?.element : null });
  down = null;
}
listen.call(window, "drop", (event) => { if (event.isTrusted) dragged(pathOf(event)); }, true);

listen.call(window, "input", (event) => {
  const path = pathOf(event);
  const el = path[0]?.matches(FIELD) ? path[0] : editorIn(path);
  if (event.isTrusted && el && !el.matches(UNTYPED)) tell("enter", el, held(el));
}, true);

listen.call(window, "change", (event) => {
  const el = event.composedPath()[0];
  if (!event.isTrusted || !el.matches?.(FIELD)) return;
  if (el.type === "file") tell("upload", el, [...el.files].map((one) => one.name).join("\n"));
  else if (el.localName === "select") tell("select", el, [...el.selectedOptions].map((one) => one.label).join("\n"));
  else if (el.type === "checkbox" || el.type === "radio") tell(el.checked ? "check" : "uncheck", el);
}, true);

// Keys are told that do something of their own: Enter in a field of one line, Escape, and what the page answers by itself.
listen.call(window, "keydown", (event) => {
  mark(document);
  if (!event.isTrusted || event.isComposing || /^(Control|Shift|Alt|AltGraph|Meta|Tab)$/.test(event.key)) return;
  const path = pathOf(event);
  const field = path[0]?.matches(FIELD) && !path[0].matches("[type=checkbox],[type=radio]") ? path[0] : editorIn(path);
  const chord = ["ctrl", "alt", "meta"].filter((key) => event[`${key}Key`] && !event.getModifierState("AltGraph"));
  if (field && !chord.length && event.key.length === 1) return; // typing
  if (event.key === "Enter" && !chord.length && field?.localName === "input") {
    tell("press", field, "Enter");
    entered = true;
    setTimeout(() => { entered = false; });
    return;
  }
  const told = field && described(field) || { address: location.href };
  const key = [...chord, ...(event.shiftKey && event.key.length > 1 ? ["shift"] : []), event.key].join("+");
  const always = event.key === "Escape";
  decide(() => { if (always || event.defaultPrevented) send({ kind: "press", ...told, value: key }); });
}, true);

// Dialogs are answered by the person; what became of them is only told here.
for (const [name, answer] of [["alert", () => "accept"], ["confirm", (given) => given ? "accept" : "dismiss"],
  ["prompt", (given) => given === null ? "dismiss" : `accept\n${given}`]]) {
  const own = window[name];
  window[name] = (...asked) => {
    const given = own.apply(window, asked);
    const says = String(asked[0] ?? "");
    send({ kind: "dialog", value: SECRET.test(says) && given ? "accept" : answer(given), shown: [says] });
    return given;
  };
}

// What a page does by itself with the history or its window is none of the person's acts.
for (const [owner, names] of [[History.prototype, ["back", "forward", "go"]], [window.Navigation?.prototype, ["back", "forward", "traverseTo"]], [window, ["close"]]])
  for (const name of owner ? names : []) {
    const own = owner[name];
    owner[name] = function (...given) {
      send({ kind: "scripted" });
      return own.apply(this, given);
    };
  }

// What a person reads after an act: the title, the heading, messages.
let last = "";
function show() {
  if (undecided || window.top !== window || document.visibilityState !== "visible") return;
  const texts = [...document.querySelectorAll(SHOWN)].filter((el) => el.checkVisibility?.() ?? true)
    .map((el) => el.innerText.trim()).filter(Boolean);
  const told = JSON.stringify({ kind: "shown", address: location.href, title: document.title, shown: texts });
  if (told !== last) window.musterTold(last = told);
}
const watch = () => {
  mark(document);
  show();
  new MutationObserver(show).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
};
if (window.top === window) {
  if (document.readyState === "loading") listen.call(window, "DOMContentLoaded", watch); else watch();
}
