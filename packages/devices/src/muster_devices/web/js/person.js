// What a person does on a page, told as it happens. Runs beside the script that reads pages (`__muster.facts`).
const USED = "a[href],button,summary,input[type=button],input[type=submit],input[type=reset],input[type=image],[onclick]," +
  "[role=button],[role=link],[role=tab],[role=menuitem],[role=option],[role=switch],[role=checkbox],[role=radio]";
const TOLD_BY_CHANGE = "select,textarea,input:not([type=button]):not([type=submit]):not([type=reset]):not([type=image])";
const SHOWN = "h1,[role=alert],[role=status],dialog[open]";

let entered = null; // the field in which Enter was pressed, until it is known what that did

function tell(kind, el, value = "") {
  const facts = window.__muster?.facts(el);
  if (!facts) return;
  const like = [...el.getRootNode().querySelectorAll(el.localName)].filter((one) => {
    const other = window.__muster.facts(one);
    return !other.hidden && other.role === facts.role && other.name === facts.name;
  });
  const here = like.filter((one) => window.__muster.facts(one).place === facts.place);
  window.musterTold(JSON.stringify({
    kind, element: facts, value: facts.secret ? "" : value, address: location.href,
    number: like.indexOf(el) + 1, total: like.length, here: here.length,
  }));
}

const targetOf = (event) => event.composedPath()[0];
const isField = (el) => el.matches?.("input,textarea") && el.matches(TOLD_BY_CHANGE);

addEventListener("click", (event) => {
  if (!event.isTrusted) return;
  entered = null; // Enter has pressed a button
  const el = targetOf(event)?.closest?.(`${USED},${TOLD_BY_CHANGE},label`);
  if (el && !el.matches(`label,${TOLD_BY_CHANGE}`)) tell("click", el);
}, true);

addEventListener("change", (event) => {
  const el = targetOf(event);
  if (!event.isTrusted || !el.matches?.(TOLD_BY_CHANGE)) return;
  if (el.type === "file") tell("upload", el, [...el.files].map((one) => one.name).join("\n"));
  else if (el.localName === "select") tell("select", el, [...el.selectedOptions].map((one) => one.label).join("\n"));
  else if (el.type === "checkbox" || el.type === "radio") tell(el.checked ? "check" : "uncheck", el);
  else tell("enter", el, el.value);
}, true);

function pressed() {
  if (entered) tell("press", entered, "Enter");
  entered = null;
}
addEventListener("keydown", (event) => {
  if (!event.isTrusted || event.key !== "Enter" || !isField(targetOf(event)) || targetOf(event).localName === "textarea") return;
  entered = targetOf(event);
  setTimeout(pressed);
}, true);
addEventListener("submit", pressed, true);

// Dialogs are answered by the person; what became of them is only told here.
for (const [name, answer] of [["alert", () => "accept"], ["confirm", (given) => given ? "accept" : "dismiss"],
  ["prompt", (given) => given === null ? "dismiss" : `accept\n${given}`]]) {
  const own = window[name];
  window[name] = (...asked) => {
    const given = own.apply(window, asked);
    window.musterTold(JSON.stringify({ kind: "dialog", value: answer(given), shown: [String(asked[0] ?? "")] }));
    return given;
  };
}

// What a person reads after an act: the title, the heading, messages.
let last = "";
function show() {
  const texts = [...document.querySelectorAll(SHOWN)].filter((el) => el.checkVisibility?.() ?? true)
    .map((el) => el.innerText.trim()).filter(Boolean);
  const told = JSON.stringify({ kind: "shown", address: location.href, title: document.title, shown: texts });
  if (told !== last) window.musterTold(last = told);
}
const watch = () => {
  show();
  new MutationObserver(show).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
};
if (window.top === window) {
  if (document.readyState === "loading") addEventListener("DOMContentLoaded", watch); else watch();
}
