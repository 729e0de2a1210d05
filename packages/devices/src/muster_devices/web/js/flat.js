// The page as it is drawn, whatever trees it is made of: a shadow tree stands in the place of its host's children, what is
// slotted in the place of its slot, and styles add texts of their own. Functions over the DOM without any state.

const UNSEEN = new Set(["script", "style", "noscript", "template", "head", "meta", "link"]);
const READ_ALOUD = /(?<=["')]) \/ (?=["'])/; // in a style's text: behind the slash is what is read aloud instead
const ICONS = /[\p{Co}\p{Cn}]/gu; // letters that only an icon font has a picture for
const ICON_FONT = /icon|symbol|glyph/i;
const SIGN_WIDTH = 1.3; // em: as wide as the one sign may be that an icon font draws for a word

function parentOf(node) { return node.assignedSlot || node.parentElement || node.getRootNode()?.host || null; }
function closest(el, test) { for (let at = el; at; at = parentOf(at)) if (test(at)) return at; return null; }
function contains(outer, el) { return closest(el, (at) => at === outer) !== null; }

// The trees that the page is made of. A page of custom elements has hundreds, and one look asks for them as often.
const roots = whileStill(() => {
  const found = [document];
  for (const root of found) for (const el of root.querySelectorAll("*")) if (el.shadowRoot) found.push(el.shadowRoot);
  return found;
});

// What holds all that is drawn: a picture that is a document of its own has no body.
function sheet() { return document.body || document.documentElement; }

function allElements(selector = "*") { return roots().flatMap((root) => [...root.querySelectorAll(selector)]); }

// Returns a function that works something out once, and anew when the page has gone on.
function whileStill(make) {
  let found = null;
  return () => {
    if (!found) queueMicrotask(() => { found = null; });
    found ??= make();
    return found;
  };
}

// All that is drawn in an element, in whatever tree.
function allIn(el) {
  const own = [...el.querySelectorAll("*")];
  const isOneTree = (one) => !one.shadowRoot && one.localName !== "slot";
  return roots().length === 1 || [el, ...own].every(isOneTree) ? own : allElements().filter((one) => one !== el && contains(el, one));
}

function childrenOf(el) {
  if (el.shadowRoot) return [...el.shadowRoot.childNodes];
  const slotted = el.localName === "slot" ? el.assignedNodes() : [];
  return slotted.length ? slotted : [...el.childNodes];
}

// The fields that offer an option: its <select>, or those whose <datalist> it is in.
function fieldsOf(option) {
  const list = option.closest("select,datalist");
  if (list?.localName !== "datalist") return list ? [list] : [];
  return [...option.getRootNode().querySelectorAll("input[list]")].filter((field) => field.list === list);
}

// Whether an element is an option of a list that is closed, so that there is no place to click at.
function isShut(el) { return el.localName === "option" && !el.getClientRects().length && fieldsOf(el).length > 0; }

// The options that a list shows when it is open: a style may leave out some, as the one that only stands for none.
function optionsOf(list) {
  const isLeftOut = (el) => el !== null && getComputedStyle(el).display === "none";
  return [...list.options].filter((option) => ![option, option.closest("optgroup")].some(isLeftOut));
}

// Whether an element is drawn, or would be if it had a box of its own (`display: contents`).
function rendered(el, options) {
  if (/^(option|optgroup)$/.test(el.localName) && el.closest("select")) return rendered(el.closest("select"), options);
  if (el.checkVisibility(options)) return true;
  const style = getComputedStyle(el);
  const invisible = options?.visibilityProperty && style.visibility !== "visible";
  const outer = style.display === "contents" && !invisible ? parentOf(el) : null;
  return outer !== null && rendered(outer);
}

// The text that a style puts before or after what an element holds.
function generated(el, part) {
  const style = getComputedStyle(el, part);
  if (/^(none|normal|)$/.test(style.content) || style.display === "none" || style.visibility !== "visible") return "";
  return quotedIn(el, style.content.split(READ_ALOUD)[0]);
}

// What is read aloud for the text that a style puts there.
function aloud(el, part) {
  const said = getComputedStyle(el, part).content.split(READ_ALOUD)[1];
  return said === undefined ? generated(el, part) : quotedIn(el, said);
}

function quotedIn(el, content) {
  const pieces = content.matchAll(/"((?:[^"\\]|\\.)*)"|attr\(([^),\s]+)/g);
  const text = [...pieces].map(([, quoted, name]) => name ? el.getAttribute(name) || "" : quoted.replace(/\\(.)/g, "$1"));
  return text.join("").replace(ICONS, "");
}

// Whether a text is the name of a sign: an icon font draws one picture for the word, such as an arrow for "arrow_upward".
function isSign(node) {
  if (!/^\s*\w{2,40}\s*$/.test(node.data) || ![...document.fonts].some(({ family }) => ICON_FONT.test(family))) return false;
  const style = getComputedStyle(parentOf(node));
  const range = document.createRange();
  range.selectNodeContents(node);
  return ICON_FONT.test(style.fontFamily.split(",")[0]) && range.getBoundingClientRect().width <= SIGN_WIDTH * parseFloat(style.fontSize);
}

// The pieces of text in an element, in the order they are drawn: text nodes, texts that styles generate (no node), and
// signs, which say nothing themselves.
function* runsIn(el) {
  if (UNSEEN.has(el.localName)) return;
  for (const part of ["::before", ...childrenOf(el), "::after"]) {
    if (typeof part === "string") {
      const data = generated(el, part);
      if (data) yield { data, at: el, part };
    } else if (part.nodeType === Node.TEXT_NODE) {
      if (!part.data.trim()) yield { data: " ", at: null };
      else if (isSign(part)) yield { data: " ", at: null, sign: part };
      else yield { data: part.data, at: parentOf(part), node: part };
    } else if (part.nodeType === Node.ELEMENT_NODE) {
      yield* runsIn(part);
    }
  }
}

// All text of an element, also what is hidden.
function flatText(el) { return [...runsIn(el)].map(({ data }) => data).join(""); }

// The names of the signs in an element, as words.
function signsIn(el) { return [...runsIn(el)].filter(({ sign }) => sign).map(({ sign }) => sign.data.trim().replace(/_/g, " ")).join(" "); }

// What is drawn of an element's `innerText`, which has the names of signs.
function withoutSigns(text, el) {
  const runs = [...runsIn(el)].filter(({ at, sign }) => rendered(at || sign?.parentElement || el, { visibilityProperty: true }));
  let from = 0;
  for (const { node, sign } of runs.some(({ sign }) => sign) ? runs : []) {
    const word = squash((sign || node)?.data);
    const found = word ? text.indexOf(word, from) : -1;
    if (found < 0) continue;
    if (sign) text = text.slice(0, found) + text.slice(found + word.length);
    from = sign ? found : found + word.length;
  }
  return text;
}

// ---- what an element says

// What an element says, as lines; nothing where it is not drawn: then `innerText` would be all that it holds.
function textOf(el) {
  if (!isFilled(el) && !holdsFilled(el)) return treeText(el);
  const said = (node) => (node.nodeType === Node.TEXT_NODE ? node.data : node.localName && !UNSEEN.has(node.localName) ? textOf(node) : "");
  return isFilled(el) ? el.assignedNodes().map(said).join("") : [generated(el, "::before"), ...childrenOf(el).map(said), generated(el, "::after")].join("\n");
}

// The same of what the tree that an element is in has for it, and of its own shadow tree.
function treeText(el) {
  const whole = ownTextOf(el);
  return el.shadowRoot && rendered(el) ? [whole, ...shadowTexts(el.shadowRoot, treeText)].join("\n") : whole;
}

// Whether an element is the place of what its host holds, or has such a place in it.
function isFilled(el) { return el.localName === "slot" && el.assignedNodes().length > 0 && rendered(el); }
function holdsFilled(el) { return el.getRootNode() !== document && [...el.querySelectorAll("slot")].some(isFilled) && rendered(el); }

// What an element says without its own shadow tree.
function ownTextOf(el) {
  if (el.localName === "input" && /^(button|submit|reset)$/.test(el.type)) return buttonText(el);
  if (!rendered(el)) return "";
  const text = withoutSigns(withBlanks((el instanceof HTMLElement ? el.innerText : el.textContent) || "", el), el);
  return generated(el, "::before") + text + generated(el, "::after");
}

function shadowTexts(root, said) {
  const says = (node) => (node.nodeType === Node.TEXT_NODE ? node.data : UNSEEN.has(node.localName) || isFilled(node) ? "" : said(node));
  return [...root.childNodes].filter((node) => node.nodeType <= Node.TEXT_NODE).map(says);
}

function buttonText(el) { return el.value || { submit: "Submit", reset: "Reset" }[el.type] || ""; }
