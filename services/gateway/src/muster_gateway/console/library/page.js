// The cases page: the cases that the fleet keeps, and the requirements that they cover.
import { get } from "../api.js";
import { html, useEffect, useState } from "../html.js";
import { poll } from "../live.js";
import { navigate, pageHref, runHref, storedHref, useQuery } from "../router.js";
import { EmptyState, ErrorNote, Icon, Loading, plain, plural, RelativeTime, Status, Table, Tabs, useKeys } from "../ui.js";

const EVERY_MS = 10_000;
const MOST_ROWS = 200; // of thousands, a browser would lay out each again and again
const ID = /^[A-Za-z0-9_-]{1,64}$/;
const STATES = { passed: ["pass", "Passed"], failed: ["fail", "Failed"], open: ["queued", "Open"] };

/** Lists stored cases by name, suite, tag or requirement, or the requirements; polls. */
export function LibraryPage() {
  const [query, change] = useQuery();
  const tab = query.get("tab") === "requirements" ? "requirements" : "cases";
  const text = query.get("text") ?? "";
  const [cases, know] = useState(null);
  const [requirements, tellOf] = useState([]);
  const [error, tell] = useState(null);
  useEffect(() => poll("/cases", () => ({}), EVERY_MS, (found) => (know(found.cases), tell(null)), (_, problem) => problem && tell(problem)), []);
  useEffect(() => void get("/requirements").then((found) => tellOf(found.requirements), () => {}), [cases]);
  useKeys([{ keys: "/", does: "Search", group: "Cases", run: () => document.getElementById("library-search")?.focus() }]);
  const shown = (cases ?? []).filter((one) => matches(one, text));
  const tabs = [{ name: "cases", title: "Cases", count: cases?.length ?? 0 }, { name: "requirements", title: "Requirements", count: requirements.length }];
  return html`<div class="fleet"><div class="row between"><h1>Cases</h1><${NewCase} taken=${cases ?? []} /></div>
    <${ErrorNote} error=${error} />
    ${!cases ? !error && html`<${Loading} />` : html`<${Tabs} tabs=${tabs} chosen=${tab} label="Cases or requirements" onChoose=${(name) => change({ tab: name === "cases" ? "" : name })} />
      <div id="panel-${tab}" role="tabpanel" aria-labelledby="tab-${tab}">${tab === "cases"
    ? html`<p><input id="library-search" class="input library-search" type="search" aria-label="Search cases" placeholder="Name, suite, tag or requirement" value=${text} onInput=${(event) => change({ text: event.target.value })} /></p>
        <${Table} label="Stored cases" columns=${CASES} rows=${shown.slice(0, MOST_ROWS)} rowKey=${(row) => row.id} empty=${html`<${Nothing} some=${cases.length > 0} />`} />
        ${shown.length > MOST_ROWS && html`<p class="dim">and ${shown.length - MOST_ROWS} more: search for them</p>`}`
    : html`<${Table} label="Requirements" columns=${REQUIREMENTS} rows=${requirements} rowKey=${(row) => row.id} empty=${html`<${EmptyState} icon="tag" title="No requirement yet" text="A case names the requirements that it covers: covers: [REQ-7]." />`} />`}</div>`}</div>`;
}

/** A field for the id of a new case. */
function NewCase({ taken }) {
  const [id, write] = useState("");
  const known = taken.some((one) => one.id === id);
  const wrong = id && !ID.test(id) ? "Letters, digits, - and _ only" : "";
  const open = (event) => (event.preventDefault(), id && !wrong && navigate(storedHref(id, known ? {} : { new: "1" })));
  return html`<form class="row" onSubmit=${open}><input class="input" aria-label="Id of a new case" placeholder="TC_NEW_01" value=${id} title=${wrong || undefined} aria-invalid=${wrong ? "true" : undefined}
      onInput=${(event) => write(event.target.value.trim())} /><button type="submit" class="button" aria-disabled=${!id || wrong ? "true" : undefined}><${Icon} name="plus" />${known ? "Open" : "New case"}</button></form>`;
}

const Nothing = ({ some }) => some
  ? html`<${EmptyState} icon="search" title="No case fits" text="Search for a part of its id, name, suite, tag or requirement." />`
  : html`<${EmptyState} icon="tag" title="No stored cases yet" text="muster cases push cases/ stores files; or begin one here."><a class="button" href=${pageHref("new")}>New run</a><//>`;

function matches({ id, cases }, text) {
  const wanted = text.trim().toLowerCase();
  const words = [id, ...cases.flatMap((one) => [one.name, one.suite ?? "", ...(one.tags ?? []), ...(one.covers ?? [])])];
  return !wanted || words.some((word) => word.toLowerCase().includes(wanted));
}

/** The newest run of a case, as a link. */
export const Newest = ({ one }) => (one.run
  ? html`<span class="library-newest"><a class="quiet" href=${runHref(one.run)}><${Status} status=${one.status} cause=${one.cause ?? ""} /></a>${one.outdated && html`<span class="dim" title="This run was not of the newest version">another version</span>`}</span>`
  : html`<span class="dim">never ran</span>`);

const each = (row, cell) => html`<div>${row.cases.map((one) => html`<div key=${`${one.case}/${one.name}`}>${cell(one)}</div>`)}</div>`;
const list = (found = []) => html`<span>${found.length ? found.map((one, index) => html`<span key=${one} class="library-word">${plain(one)}${index < found.length - 1 && ","}</span> `) : html`<span class="dim">–</span>`}</span>`;

const CASES = [
  { name: "id", title: "Case", class: "fixed", cell: (row) => html`<a href=${storedHref(row.id)}>${row.id}</a>` },
  { name: "name", title: "Name", class: "wide", cell: (row) => each(row, (one) => plain(one.name)) },
  { name: "suite", title: "Suite", cell: (row) => list([...new Set(row.cases.map((one) => one.suite ?? ""))].filter(Boolean)) },
  { name: "covers", title: "Covers", cell: (row) => list([...new Set(row.cases.flatMap((one) => one.covers ?? []))]) },
  { name: "newest", title: "Newest run", cell: (row) => each(row, (one) => html`<${Newest} one=${one} />`) },
  { name: "version", title: "Version", class: "right num", cell: (row) => row.newest.number },
  { name: "at", title: "Changed", class: "right slim", cell: (row) => html`<${RelativeTime} at=${row.newest.at ?? 0} />` },
];

function Covered({ state }) {
  const [icon, word] = STATES[state];
  return html`<span class="status s-${icon}"><${Icon} name=${icon} /><span>${word}</span></span>`;
}

const REQUIREMENTS = [
  { name: "id", title: "Requirement", class: "fixed", cell: (row) => plain(row.id) },
  { name: "state", title: "State", cell: (row) => html`<${Covered} state=${row.state} />` },
  { name: "count", title: "Cases", class: "right num", cell: (row) => plural(row.cases.length, "case") },
  { name: "cases", title: "Covered by", class: "wide", cell: (row) => each(row, (one) => html`<a href=${storedHref(one.case)}>${one.case}</a> <span class="dim">${plain(one.name)}</span>`) },
  { name: "newest", title: "Newest run", cell: (row) => each(row, (one) => html`<${Newest} one=${one} />`) },
];
