// The name of an element by the specification of accessible names (accname 1.2), in the tree as it is drawn: shadow trees
// and slots as `flat.js` has them, generated text as it is read aloud. Functions over the DOM without any state.

const FROM_CONTENT = new Set(["button", "cell", "checkbox", "columnheader", "gridcell", "heading", "link", "menuitem",
  "menuitemcheckbox", "menuitemradio", "option", "radio", "row", "rowheader", "switch", "tab", "tooltip", "treeitem"]);
const NAMING_CHILD = { fieldset: "legend", table: "caption", figure: "figcaption", svg: "title" };

function nameOf(el) { return squash(partOfName(el, { met: new Set() }).replace(ICONS, "")); }

function isUnspoken(el) {
  return el.getAttribute("aria-hidden") === "true" || !rendered(el, { visibilityProperty: true });
}

// The part of a name that a node gives. `inside`: it is a part of what is named; `by`: it is referred to; `hidden`: what
// refers to it or holds it is hidden, so that it may be, too; `met`: what has been looked at.
function partOfName(node, ways) {
  if (node.nodeType === Node.TEXT_NODE) return isSign(node) ? "" : node.data;
  if (node.nodeType !== Node.ELEMENT_NODE || UNSEEN.has(node.localName) || ways.met.has(node)) return "";
  if (ways.inside && !ways.hidden && isUnspoken(node)) return "";
  if (node.localName === "br") return " ";
  ways.met.add(node);
  const text = referredName(node, ways) || heldName(node, ways) || (node.getAttribute("aria-label") || "").trim() ||
    hostName(node, ways) || contentName(node, ways) || node.getAttribute("title") || (!ways.inside && node.placeholder) || "";
  return isInline(node) ? text : ` ${text} `;
}

function isInline(el) { return /^(inline|contents|none)/.test(getComputedStyle(el).display); }

// The elements that make up the name of another one, by its markup: its own label may be one of them.
function namersOf(el) {
  const ids = (el.getAttribute("aria-labelledby") || "").split(/\s+/).filter(Boolean);
  return ids.map((id) => el.getRootNode().getElementById?.(id)).filter(Boolean);
}

// The elements that another one says it is labelled by. None is the label of itself.
function labelledBy(el) { return namersOf(el).filter((one) => one !== el); }

// The child whose kind names its parent, as a legend does.
function namingChild(el) { return [...el.children].find((one) => one.localName === NAMING_CHILD[el.localName]); }

function referredName(el, ways) {
  if (ways.by) return "";
  return namersOf(el).map((one) => partOfName(one, { by: true, hidden: isUnspoken(one), met: new Set() })).join(" ").trim();
}

// What a field that stands in a name holds.
function heldName(el, { inside }) {
  const role = inside && !["option", "li", "button"].includes(el.localName) ? roleOf(el) : "";
  if (role === "slider" || role === "spinbutton") {
    return el.getAttribute("aria-valuetext") || el.getAttribute("aria-valuenow") || String(el.value ?? "");
  }
  return FIELDS.has(role) ? squash(el.isContentEditable ? el.textContent : fieldValue(el) || "") : "";
}

// What the markup of an element names it by.
function hostName(el, ways) {
  const inner = (one) => partOfName(one, { inside: true, hidden: isUnspoken(one), met: ways.met });
  const { localName: tag } = el;
  const labels = ways.inside ? [] : labelsOf(el);
  if (labels.length) return labels.map(inner).join(" ").trim();
  if (tag === "option") return squash(el.label || (el.closest("datalist") ? el.value : ""));
  if (tag === "img" || tag === "area") return (el.getAttribute("alt") || "").trim();
  if (tag === "input" && el.type === "image") return (el.alt || el.title || "Submit").trim();
  if (tag === "input" && roleOf(el) === "button") return buttonText(el);
  const child = namingChild(el);
  return child ? inner(child).trim() : "";
}

function contentName(el, ways) {
  if (!ways.inside && !ways.by && !FROM_CONTENT.has(roleOf(el))) return "";
  if (el.localName === "svg" || FIELDS.has(roleOf(el)) || el.matches("input,select,textarea")) return "";
  const said = [aloud(el, "::before"), ...[...childrenOf(el)].map((one) => partOfName(one, { ...ways, inside: true })), aloud(el, "::after")];
  return said.join("").trim() && said.join("");
}
