// Processes of the fleet, and sessions on hosts.
import { html } from "../html.js";
import { runHref } from "../router.js";
import { Duration, EmptyState, Icon, isolated, plain, RelativeTime, Table } from "../ui.js";

const NAMES = { orchestrator: "Orchestrator", subagent: "Sub-agent worker", sessions: "Session host", gateway: "Gateway" };

const silent = (row) => (row.stale ? html`<span class="fleet-alert s-fail">
  <${Icon} name="fail" />silent</span>` : html`<span class="fleet-alert s-pass"><${Icon} name="pass" />there</span>`);

const WORKERS = [
  { name: "state", title: "State", cell: silent },
  { name: "service", title: "Service", cell: (row) => html`<div>${NAMES[row.service] ?? plain(row.service)}<div class="mono dim fleet-id">
    ${plain(row.id)}</div>${(row.warnings ?? []).map((text) => html`<div class="s-cancelled" key=${text}>${plain(text)}</div>`)}</div>` },
  { name: "host", title: "Host", cell: (row) => html`<span><bdi>${isolated(row.host)}</bdi> <span class="dim num">pid ${row.pid}</span>
    </span>` },
  { name: "version", title: "Version", class: "num", cell: (row) => plain(row.version) },
  { name: "slots", title: "Slots busy", cell: (row) => html`<${Slots} row=${row} />` },
  { name: "since", title: "Up for", class: "num", cell: (row) => html`<${Duration} from=${row.started_at} to=${row.seen_at} />` },
  { name: "seen", title: "Seen", class: "num", cell: (row) => html`<${RelativeTime} at=${row.seen_at} />` },
];

/** The processes of the fleet. */
export function Workers({ workers }) {
  return html`<${Table} label="Workers" columns=${WORKERS} rows=${workers} rowKey=${(row) => row.id}
    rowClass=${(row) => (row.stale ? "is-stale" : "")}
    empty=${html`<${EmptyState} title="No workers" text="No process has reported recently." />`} />`;
}

function Slots({ row }) {
  const pools = Object.entries(row.slots ?? {});
  if (!pools.length) return html`<span class="dim">–</span>`;
  return html`<div class="fleet-slots">${pools.map(([pool, slots]) => html`<${Pool} key=${pool} pool=${pool} busy=${row.busy?.[pool] ?? 0}
    slots=${slots} />`)}</div>`;
}

function Pool({ pool, busy, slots }) {
  return html`<div class="fleet-pool"><span class="dim">${plain(pool)}</span>
    <${Meter} value=${busy} of=${slots} label=${`${busy} of ${slots} busy`} /><span class="num">${busy}/${slots}</span></div>`;
}

/** A fill level as a bar. */
export function Meter({ value, of, label }) {
  const share = of > 0 ? Math.min(1, value / of) : 0;
  return html`<span class="fleet-meter ${share >= 0.9 ? "is-full" : ""}" role="img" aria-label=${label}>
    <i style=${{ width: `${share * 100}%` }}></i></span>`;
}

const RESTORED = { same: "reopened, pages unchanged", different: "reopened, pages changed" };

const SESSIONS = [
  { name: "run", title: "Run", cell: (row) => html`<a class="mono" href=${runHref(row.run)}>${plain(row.run)}</a>` },
  { name: "name", title: "Session", cell: (row) => html`<span><bdi>${isolated(row.name)}</bdi> <span class="dim">${plain(row.kind)}</span>
    </span>` },
  { name: "host", title: "Host", class: "mono", cell: (row) => plain(row.host) },
  { name: "can", title: "Has", cell: (row) => (row.capabilities.length ? row.capabilities.map((one) => html`<span class="tag" key=${one}>
    ${plain(one)}</span> `) : html`<span class="dim">is being opened</span>`) },
  { name: "opened", title: "Open for", class: "num", cell: (row) => html`<${Duration} from=${row.opened_at} />` },
  { name: "state", title: "State", cell: (row) => (row.stale ? silent(row) : RESTORED[row.restored] ? html`<span class="s-cancelled">
    ${RESTORED[row.restored]}</span>` : silent(row)) },
];

/** The open sessions of runs. */
export function Sessions({ sessions }) {
  return html`<${Table} label="Sessions" columns=${SESSIONS} rows=${sessions} rowKey=${(row) => `${row.run}.${row.name}`}
    empty=${html`<p class="dim fleet-none">None is open: no run needs one now.</p>`} />`;
}
