// What every page shows: a team whose members are added, searched for and removed, and its settings.
//
// `?bug=NAME` seeds one fault. Faults of behaviour are here; those of what is drawn are in `damage`.

export const ROLES = ["Developer", "Designer", "Tester"];
export const bug = new URLSearchParams(location.search).get("bug") ?? "";

const EMPTY = { name: "", role: ROLES[0], active: false };

export const state = {
  members: [
    { id: 1, name: "Grace", role: "Developer", active: true },
    { id: 2, name: "Linus", role: "Tester", active: false },
    { id: 3, name: "Ada", role: "Designer", active: true },
  ],
  draft: { ...EMPTY },
  query: "",
  tab: "Members",
  notice: "",
  asked: null, // the member whose removal is to be confirmed
  notes: "",
  dark: false,
  saved: false, // whether the dialog that tells so is open
};

const listeners = [];
let nextId = 4;

// Have `render` called now and after each change; what the bug damages is damaged after it.
export function watch(render) {
  listeners.push(render);
  changed();
}

function changed() {
  listeners.forEach((render) => render());
  requestAnimationFrame(damage);
}

export function edit(field, value) {
  state.draft = { ...state.draft, [field]: value };
  changed();
}

export function canAdd() {
  if (bug === "add-never-enabled") return false;
  return bug === "add-always-enabled" || state.draft.name.trim() !== "";
}

export function add() {
  if (!canAdd()) return;
  const made = { ...state.draft, id: nextId++ };
  if (bug === "add-cuts-name") made.name = made.name.slice(0, -1);
  if (bug === "add-forgets-role") made.role = ROLES[0];
  if (bug === "add-forgets-active") made.active = false;
  if (bug !== "add-keeps-text") state.draft = { ...EMPTY };
  if (bug === "add-dead") return changed();
  if (bug !== "add-only-says-so") state.members = [...state.members, made];
  if (bug === "add-twice") state.members = [...state.members, { ...made, id: nextId++ }];
  if (bug === "add-replaces") state.members = state.members.slice(1);
  state.notice = bug === "add-says-nothing" ? "" : `${bug === "add-names-another" ? "Linus" : made.name} was added`;
  changed();
}

export function search(query) {
  state.query = query;
  changed();
}

export function shown() {
  const like = (text) => (bug === "search-case" ? text : text.toLowerCase());
  if (bug === "search-ignored" || !state.query) return state.members;
  if (bug === "search-finds-none") return [];
  return state.members.filter((one) => like(one.name).includes(like(state.query)));
}

export function countText() {
  const count = bug === "count-stale" ? 3 : shown().length + (bug === "count-off" ? 1 : 0);
  return `${count} members`;
}

export function askToRemove(id) {
  state.asked = state.members.find((one) => one.id === id);
  if (bug === "remove-without-asking") return answer(true);
  changed();
}

export function question() {
  return `Remove ${bug === "remove-asks-about-another" ? "Grace" : state.asked?.name}?`;
}

export function answer(yes) {
  const gone = bug === "remove-another" ? state.members.find((one) => one !== state.asked) : state.asked;
  const really = bug === "cancel-removes" ? true : yes && bug !== "remove-dead";
  if (really) state.members = state.members.filter((one) => one !== gone);
  if (bug !== "question-stays") state.asked = null;
  changed();
}

export function open(tab) {
  if (bug !== "tab-dead") state.tab = tab;
  changed();
}

export function write(notes) {
  state.notes = notes;
  changed();
}

export function darken(on) {
  if (bug !== "switch-dead") state.dark = on;
  changed();
}

export function save() {
  if (bug === "save-loses-notes") state.notes = "";
  if (bug === "save-resets-switch") state.dark = false;
  if (bug !== "save-says-nothing") state.saved = true;
  changed();
}

export function close() {
  if (bug !== "dialog-stays") state.saved = false;
  changed();
}

// ---- faults of what is drawn: the count is a plain element on every page

const DRAWN = {
  "count-transparent": (el) => { el.style.opacity = "0"; },
  "count-camouflaged": (el) => { el.style.color = "rgb(255, 255, 255)"; el.style.background = "rgb(255, 255, 255)"; },
  "count-clipped": (el) => { el.style.clipPath = "inset(50%)"; },
  "count-outside": (el) => { el.style.position = "absolute"; el.style.left = "-5000px"; },
  "count-tiny": (el) => { el.style.fontSize = "0"; },
  "count-covered": (el) => {
    if (document.getElementById("cover")) return;
    const { left, top, width, height } = el.getBoundingClientRect();
    const cover = Object.assign(document.createElement("div"), { id: "cover" });
    cover.style.cssText = `position:absolute;z-index:99;background:#eee;left:${left + scrollX - 4}px;top:${top + scrollY - 4}px;width:${width + 8}px;height:${height + 8}px`;
    document.body.append(cover);
  },
};

function damage() {
  const count = document.getElementById("count");
  if (count && DRAWN[bug]) DRAWN[bug](count);
}
