// The triggers page: when each is due next, what became of its last times, and Pause, Resume, Fire now, Make up for.
import { at, post } from "../api.js";
import { html, useEffect, useRef, useState } from "../html.js";
import { poll } from "../live.js";
import { runHref } from "../router.js";
import { MakeUp } from "./makeup.js";
import { Button, EmptyState, ErrorNote, Icon, Loading, moment, Note, plain, plural, RelativeTime, Table, toast, useForbidden } from "../ui.js";

const EVERY_MS = 4000;
const TITLES = { fired: "Fired", skipped: "Skipped", missed: "Missed", refused: "Refused" };
/** Icon and colour of each outcome. */
const LOOKS = { fired: ["pass", "pass"], skipped: ["skipped", "skipped"], missed: ["warning", "cancelled"], refused: ["fail", "fail"] };

const Outcome = ({ name, children }) => html`<span class="status s-${LOOKS[name][1]}"><${Icon} name=${LOOKS[name][0]} />${children}</span>`;

/** Lists triggers; polls. */
export function TriggersPage() {
  const [triggers, know] = useState(null);
  const [error, tell] = useState(null);
  const polling = useRef(null);
  useEffect(() => (polling.current = poll("/triggers", () => ({}), EVERY_MS, (found) => (know(found.triggers), tell(null)), (_, problem) => problem && tell(problem))), []);
  return html`<div class="fleet"><div class="row between"><h1>Triggers</h1>${triggers && html`<span class="dim">${plural(triggers.length, "trigger")}</span>`}</div>
    <${ErrorNote} error=${error} />
    ${!triggers ? !error && html`<${Loading} />` : triggers.length ? triggers.map((one) => html`<${Trigger} key=${one.id} trigger=${one} again=${() => polling.current?.now()} />`)
    : html`<${EmptyState} icon="parked" title="No triggers yet" text="muster triggers push nightly.yaml stores one: a schedule or an event, and the cases it runs." />`}</div>`;
}

function Trigger({ trigger, again }) {
  const { id, starts, paused, pending, next = [], fires = [], cases, description, scheduled } = trigger;
  return html`<section class="fleet-part" aria-label=${`Trigger ${id}`}><header><h2>${id}</h2><p class="dim">${plain(starts)}${description && `: ${plain(description)}`}</p>
      <span class="grow"></span><${Acts} trigger=${trigger} again=${again} /></header>
    ${paused && html`<${Note} kind="warn">It is paused. Its times pass and are not made up for.<//>`}
    ${pending && html`<${Note}>An orchestrator is about to start its runs.<//>`}
    <dl class="tiles">${Object.keys(LOOKS).map((name) => html`<div key=${name}><dt>${TITLES[name]}</dt><dd><b><${Outcome} name=${name}>${trigger[name]}<//></b></dd></div>`)}</dl>
    ${scheduled && html`<${MakeUp} id=${id} again=${again} />`}
    <p class="dim">Runs ${cases.map(plain).join(", ")}. If runs of the time before are not over: ${trigger.overlap}.</p>
    <div class="trigger-times"><div><h3>Next times</h3>${next.length ? html`<ol>${next.map((due) => html`<li key=${due} class="num">${moment(due)}</li>`)}</ol>` : html`<p class="dim">${paused ? "None while it is paused." : "When its event comes."}</p>`}</div>
      <div><h3>Last times</h3><${Table} label=${`Last times of ${id}`} columns=${FIRES} rows=${fires.map((fire, index) => ({ ...fire, index }))} rowKey=${(row) => row.index} empty=${html`<p class="dim">It was never due yet.</p>`} /></div></div></section>`;
}

function Acts({ trigger: { id, paused }, again }) {
  const [busy, work] = useState("");
  const why = useForbidden("runner");
  const act = async (what, done) => {
    work(what);
    try {
      await post(at("triggers", id, what));
      toast(`${id}: ${done}`, "good");
      again();
    } catch (error) {
      toast(error.message, "bad");
    }
    work("");
  };
  return html`<${Button} kind="small" icon="play" why=${why} busy=${busy === "fire"} label=${`Fire ${id} now`} onClick=${() => act("fire", "an orchestrator starts its runs")}>Fire now<//>
    ${paused ? html`<${Button} kind="small" icon="play" why=${why} busy=${busy === "resume"} onClick=${() => act("resume", "goes on")}>Resume<//>`
    : html`<${Button} kind="small" icon="paused" why=${why} busy=${busy === "pause"} onClick=${() => act("pause", "paused")}>Pause<//>`}`;
}

const FIRES = [
  { name: "due", title: "Due", cell: (row) => html`<${RelativeTime} at=${row.due} />` },
  { name: "outcome", title: "Outcome", class: "fixed", cell: (row) => html`<span><${Outcome} name=${row.outcome}>${TITLES[row.outcome]}<//>${row.manual && html` <span class="dim">by hand</span>`}${row.event && html` <span class="dim">by an event</span>`}</span>` },
  { name: "why", title: "Why", class: "wide", cell: (row) => plain(row.why ?? "") || html`<span class="dim">–</span>` },
  { name: "runs", title: "Runs", class: "fixed", cell: (row) => html`<div>${(row.runs ?? []).map((run) => html`<div key=${run}><a class="fleet-id" href=${runHref(run)}>${run}</a></div>`)}</div>` },
];
