// Pictures that people call by what they show: "the trash icon" is a button "Delete". Functions over the DOM without any state.

const ICON_SIZE = 96; // px: as wide as what is taken for an icon may be
// What one picture is called: by what it shows, by what it is for, and as a letter.
const ICON_NAMES = [
  "trash|delete|remove|bin|dustbin|garbage|discard|🗑", "pencil|edit|pen|rename|✏|✎|🖉", "gear|settings|cog|preferences|configuration|options|⚙",
  "search|magnifier|magnifying glass|magnify|loupe|find|🔍|🔎", "close|cross|x|xmark|dismiss|times|✕|×|✖|✗|❌", "menu|hamburger|burger|bars|drawer|navigation|☰|≡",
  "home|house|🏠|⌂", "eye|view|show|preview|visibility|👁", "bell|notifications|notification|alerts|🔔", "plus|add|new|create|+|➕|＋", "minus|subtract|decrease|−|–|-|➖",
  "heart|favorite|favourite|like|wishlist|♥|❤|♡", "star|favorite|favourite|rate|★|☆|⭐", "cart|shopping cart|basket|bag|🛒", "save|floppy|disk|💾",
  "help|question|question mark|❓|?", "user|person|profile|account|avatar|👤", "print|printer|🖨", "attach|paperclip|attachment|clip|📎",
  "filter|funnel", "download|⬇|⤓", "upload|⬆|⤒", "more|kebab|dots|three dots|ellipsis|meatballs|⋮|⋯|…|more vert|more horiz",
  "refresh|reload|sync|rotate|⟳|↻|🔄", "copy|duplicate|clipboard|clone|📋", "share|📤", "link|chain|🔗", "lock|padlock|🔒", "calendar|date|📅|🗓", "mail|envelope|email|e-mail|✉",
  "phone|call|telephone|📞", "info|information|ℹ|ⓘ", "check|tick|checkmark|✓|✔", "play|▶", "pause|⏸", "stop|⏹", "undo|↩|↶", "redo|↪|↷", "expand|chevron down|▾|▼|⌄",
  "collapse|chevron up|▴|▲|⌃", "back|arrow left|previous|←|‹|◀", "forward|arrow right|next|→|›", "sun|light mode|☀", "moon|dark mode|🌙|☾", "globe|language|🌐", "log out|logout|sign out|exit",
  "send|paper plane|paperplane|➤", "location|pin|marker|place|📍", "chat|comment|comments|speech bubble|💬", "camera|📷", "microphone|mic|🎤", "flag|⚑|🚩",
].map((names) => names.split("|"));
const LETTERS = /\p{L}{2}|\p{N}/u;
const BADGE = /^\d{1,4}\+?$/; // how many things wait behind a picture

// What a picture's own markup calls it, as words: `bi bi-trash`, `data-testid="DeleteIcon"`, `<use href="#i-trash">`.
function pictureNames(el) {
  const marks = (at) => [
    ...["data-icon", "data-lucide", "icon", "src", "data-testid", "data-test"].map((name) => at.getAttribute(name)),
    ...(/^(use|image)$/.test(at.localName) ? ["href", "xlink:href"] : []).map((name) => at.getAttribute(name)),
    at.localName.includes("-") ? at.getAttribute("name") : "", at.localName === "title" ? at.textContent : "",
    ...(/^(i|svg|span|use|img)$/.test(at.localName) || isPainted(at) ? at.classList : []),
  ];
  const inner = [el, ...el.querySelectorAll("*")].slice(0, 12);
  const split = (mark) => (mark || "").split(/[?]|\.\w{3,4}$/)[0].split(/[/#]/).pop().replace(/([a-z\d])([A-Z])/g, "$1 $2");
  const files = inner.map((at) => plain((at.getAttribute("src") || "").split(/[?#]/)[0].split("/").pop()));
  return [...files, ...inner.flatMap(marks).map((mark) => plain(split(mark).replace(/[^\p{L}\p{N}]+/gu, " ")))].filter(Boolean);
}

// Whether a style draws a picture on an element, or on what it begins with.
function isPaintedItself(el) {
  const styles = [null, "::before", "::after"].map((part) => getComputedStyle(el, part));
  return styles.some(({ backgroundImage, maskImage }) => `${backgroundImage}${maskImage}`.includes("url("));
}
function isPainted(el) { return [el, ...el.children].slice(0, 3).some(isPaintedItself); }

// Whether an element is a picture, or a control that shows nothing else: 0; a control with a picture and words: 1; one
// with words alone, which people call an icon, too: 2.
function iconFit(el) {
  const role = roleOf(el);
  const { width, height } = el.getBoundingClientRect();
  if (isControl(el) || width > ICON_SIZE * 4 || height > ICON_SIZE) return null;
  const draws = role === "img" || el.localName === "svg" || Boolean(el.querySelector("svg,img,i,[class*=icon]") || signsIn(el)) || isPainted(el);
  const text = squash(textOf(el));
  const outer = closest(parentOf(el), (at) => at.localName && CLICKABLE.has(roleOf(at)));
  if (outer && iconFit(outer) !== null) return null; // the control is what one means
  if (!LETTERS.test(text) || (draws && BADGE.test(text))) return (draws || text) && (isClickable(el) || role === "img" || el.localName === "svg" || isPaintedItself(el)) && width <= ICON_SIZE ? 0 : null;
  return CLICKABLE.has(role) ? (draws ? 1 : 2) : null;
}

// How well a picture is what people call so: 0 by its name, 1 by words of it or its markup, 2 by what such pictures are for.
function iconTier(el, want) {
  const names = [labelOf(el), squash(textOf(el)), ...namesOf(el).map(([, text]) => text)].map(plain).filter(Boolean);
  const said = [...names, ...pictureNames(el)];
  const tiers = names.map((name) => wordsFit(name, want)).filter((tier) => tier !== null);
  if (tiers.includes(0)) return 0;
  const meant = ICON_NAMES.filter((group) => group.includes(want) || want.split(" ").every((word) => group.includes(word))).flat();
  const has = (name, word) => name === word || ` ${name} `.includes(` ${word} `);
  const isDrawn = !LETTERS.test(textOf(el)) && meant.includes(plain(textOf(el)).replace(/\ufe0f/g, ""));
  if (tiers.length || isDrawn || said.some((name) => has(name, want))) return 1;
  return meant.some((word) => said.some((name) => has(name, word))) ? 2 : null;
}

// The pictures called so, else words that are. What one is for tells which to use, but shows nobody that this very picture
// is drawn.
function iconsCalled(want, kind) {
  const icons = allElements().map((el) => ({ el, fit: iconFit(el) })).filter(({ el, fit }) => fit !== null && visible(el));
  const found = icons.map((one) => ({ ...one, tier: iconTier(one.el, want), source: 0 })).filter(({ tier }) => tier !== null);
  const drawn = found.filter(({ fit, tier }) => fit < 2 && (tier < 2 || kind !== "read"));
  return drawn.length || kind === "read" ? drawn : found;
}
