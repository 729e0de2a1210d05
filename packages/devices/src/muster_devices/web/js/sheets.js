// What style sheets draw by the pointer or the focus, and what by a state. What a sheet says is kept until it has other rules.

const IN_BRACKETS = String.raw`\((?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))*\)`;
const SELECTOR = new RegExp(String.raw`(?:${IN_BRACKETS}|\\.|"[^"]*"|'[^']*'|[^,()\\"'])+`, "g"); // one of a list
const NOT = new RegExp(`:not${IN_BRACKETS}`, "g");
const HOST = new RegExp(`^:host(?:-context${IN_BRACKETS}|(${IN_BRACKETS}))?(?![-\\w])[\\s>]*`);
const POINTER = /^:(?:hover|focus-visible|focus-within|focus|active)$/;
// What a selector asks of an element that may change: pseudo-classes, classes and attributes.
const CONDITION = /(?<!\\):(?:hover|focus-visible|focus-within|focus|active|checked|state\([^)]*\))(?![-\w])|\.(?:[-\w\u0080-\uffff]|\\.)+|\[(?:"[^"]*"|'[^']*'|[^\]"'])*\]/g;
const OF_POINTER = /^(focus|focused|focusable|focusing|hover|hovered|hovering|hot|ripples?|waves?|touch|touched|touching)$/;
const MAY_CHANGE = /:(?:hover|focus|active|checked|state\()|focus|hover|hot|ripple|wave|touch/i; // a rule without these draws by other conditions
const COLOURED = /color|fill|stroke|shadow/i;
const INHERITED = /^(color|visibility|fill|stroke|font)/;
const RESOLVED = /^(size|inset|margin|transform|place)$/; // in pixels, by all that has a size in the drawing
const ONLY_PAINT = /^(color|background|outline|opacity|box-shadow|cursor|fill|stroke|filter|text-decoration|transition)/;
const OWN_NAME = /\.((?:[-\w\u0080-\uffff]|\\.)+)[^\s>+~().]*$|::part\(([-\w]+)\)[^\s>+~()]*$/; // a class or part that a selector ends in
const ANY = ":is(*)";
const statementsBySheet = new WeakMap();

function isOfPointer(name) { return wordsOfMark(name).some((word) => OF_POINTER.test(word)); }

// The name of a class or an attribute, as rules and elements have it in common: ".on", "[data-state".
function keyOf(condition) { return condition.startsWith(".") ? condition.replace(/\\(.)/g, "$1") : condition.match(/^\[\s*[-\w]+/)?.[0] ?? condition; }

// The rules that may have drawn one of some properties of elements by the pointer or the focus, or by what has changed with a
// state: each as if pointer, focus and state were there. What a sheet of another origin says is not known.
function rulesOf(elements, changed, families) {
  const known = new Set(elements.flatMap((el) => [...el.classList, ...(el.part || [])]));
  const named = changed.size ? new RegExp([...changed].map((key) => key.slice(1).replace(/[^-\w]/g, ".?.")).join("|")) : null;
  const isAbout = (one) => (one.mayChange || named?.test(one.text)) && keysOf(one).some((key) => !key || known.has(key) || changed.has(`.${key}`) || isOfPointer(key)) && reachAny(setBy(one), families) && one.isInForce();
  const trees = new Set([document, ...elements.flatMap((el) => [el.getRootNode(), el.shadowRoot || document])]);
  const found = [...trees].flatMap((tree) => statementsIn(tree).filter(isAbout).flatMap((one) => selectorsIn(one.text).map((selector) => ({ ...ruleOf(selector, changed), tree, names: one.names }))));
  return found.filter((rule) => rule.byPointer || rule.byState);
}

function setBy(statement) { return (statement.names ??= [...statement.style]); }

// Of each selector, a class or part of the elements that it is for; "": it asks for none.
function keysOf(statement) { return (statement.keys ??= selectorsIn(statement.text).map((one) => (OWN_NAME.exec(one)?.slice(1).find(Boolean) || "").replace(/\\(.)/g, "$1"))); }

function statementsIn(tree) { return [...tree.styleSheets, ...(tree.adoptedStyleSheets || [])].flatMap(statementsOf); }

function rulesIn(sheet) { try { return sheet.cssRules; } catch { return null; } } // null: it is of another origin

function hasForeignSheets() { return [...document.styleSheets].some((sheet) => rulesIn(sheet) === null); }

function statementsOf(sheet) {
  const list = rulesIn(sheet) ?? [];
  const kept = statementsBySheet.get(sheet);
  const [size, last] = [list.length, list[list.length - 1]];
  if (kept?.size === size && kept.last === last) return kept.statements;
  const statements = [];
  collect(list, "", () => !sheet.disabled && isMedium(sheet.media), statements);
  statementsBySheet.set(sheet, { size, last, statements });
  return statements;
}

function isMedium(media) { return !media?.length || matchMedia(media.mediaText).matches; }

function collect(rules, outer, isInForce, found) {
  for (const rule of rules) {
    const text = rule.selectorText ? nested(rule.selectorText, outer) : outer;
    if (rule.style && text) found.push({ text, mayChange: MAY_CHANGE.test(text), style: rule.style, isInForce });
    if (rule.styleSheet) found.push(...statementsOf(rule.styleSheet));
    const isOff = rule instanceof CSSSupportsRule && !CSS.supports(rule.conditionText);
    const within = rule.media ? () => isInForce() && isMedium(rule.media) : isInForce;
    if (rule.cssRules?.length && !isOff) collect(rule.cssRules, text, within, found);
  }
}

function nested(selector, outer) {
  if (!outer) return selector;
  const around = outer.includes(",") ? `:is(${outer})` : outer;
  const inner = (one) => (one.includes("&") ? one.replace(/^&/, around).replaceAll("&", `:is(${outer})`) : `${around} ${one}`);
  return selectorsIn(selector).map(inner).join();
}

function selectorsIn(list) { return (list.match(SELECTOR) || []).map((one) => one.trim()); }

// A rule by one selector: whom it is for, which part of it (0: itself, 1 and 2: ::before and ::after), and what it depends on.
// Null where it is for another part.
function ruleOf(selector, changed) {
  const isPointers = (one) => POINTER.test(one) || (/^[.[]/.test(one) && isOfPointer(keyOf(one)));
  const isStates = (one) => /^:(checked|state)/.test(one) || changed.has(keyOf(one));
  const asked = selector.match(CONDITION) || [];
  const anyhow = (text) => text.replace(CONDITION, (one) => (isPointers(one) || isStates(one) ? ANY : one));
  const any = anyhow(selector.replace(NOT, (one) => (anyhow(one) === one ? one : ANY)));
  const part = /::?before$/.test(any) ? 1 : /::?after$/.test(any) ? 2 : 0;
  const [, bare, word] = /^(.*?)(?:::part\(([^)]*)\).*)?$/.exec(any.replace(/::?(before|after)$/, ""));
  if (bare.includes("::")) return null;
  const [prefix = "", host = "(*)"] = HOST.exec(bare) || [];
  const rest = bare.slice(prefix.length);
  const ties = { isPointed: asked.some((one) => POINTER.test(one)), byPointer: asked.some(isPointers), byState: asked.some((one) => isStates(one) && !isPointers(one)) };
  return { selector: rest || "*", part, word, host: prefix && host.slice(1, -1), isHosts: prefix !== "" && !rest, ...ties };
}

function isFor({ tree, selector, host, isHosts, word }, el) {
  const at = word ? el.part?.contains(word) && el.getRootNode().host : el;
  if (!at?.localName || (host && !isMatch(tree.host, host))) return false;
  return isHosts ? at === tree.host : at.getRootNode() === tree && isMatch(at, selector);
}

function isMatch(el, selector) { try { return el.matches(selector); } catch { return false; } }

// ---- properties

// What a property is set together with: `border` of `borderTopColor` and of `border-inline-color`.
function familyOf(name) {
  if (/^(left|right|top|bottom|inset)/.test(name)) return "inset";
  return /width$|height$|size$/i.test(name) && !/^(border|outline|background|mask|font|stroke)/.test(name) ? "size" : name.match(/^(--|-?[a-z]+)/)[0];
}

function reachAny(names, families) { return !families.size || names.some((name) => reachesFamily(name, families)); }
function reachesFamily(name, families) {
  if (/^(--|animation)/.test(name)) return true;
  return families.has(familyOf(name)) || (name === "color" && families.has("coloured")) || (!ONLY_PAINT.test(name) && families.has("resolved"));
}

// The families of which a rule may have set one to draw a property.
function familiesOf(name) { return [familyOf(name), ...(COLOURED.test(name) ? ["coloured"] : []), ...(RESOLVED.test(familyOf(name)) ? ["resolved"] : [])]; }

// Whether a rule may have drawn a property of an element, or of a part of it; `all`: the elements of its drawing.
function mayDraw(rule, { el, part, name }, all) {
  const { names } = rule;
  const own = new Set(familiesOf(name));
  if (rule.part === part && reachAny(names, own) && isFor(rule, el)) return true;
  if (rule.part) return false;
  if (own.has("resolved") && names.some((one) => !ONLY_PAINT.test(one)) && all.some((one) => isFor(rule, one))) return true;
  const hands = names.some((one) => one.startsWith("--") || (INHERITED.test(one) && reachesFamily(one, own)));
  return hands && closest(part ? el : parentOf(el), (at) => at.localName && isFor(rule, at)) !== null;
}
