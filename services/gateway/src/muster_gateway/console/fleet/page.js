// The fleet page: workers, queues, sessions, streams and dead letters.
import { html, useEffect, useMemo, useRef, useState } from "../html.js";
import { poll } from "../live.js";
import { count, ErrorNote, Icon, Liveness, Loading, plural, useKeys } from "../ui.js";
import { Dead } from "./dead.js";
import { Queues, Streams } from "./queues.js";
import { Sessions, Workers } from "./workers.js";

const OFTEN = 3000; // ms
const SELDOM = 10_000;

/** Shows workers, queues, sessions, dead letters and streams; polls. */
export function FleetPage() {
  const workers = usePolled("/workers", OFTEN);
  const queues = usePolled("/queues", OFTEN);
  const sessions = usePolled("/sessions", OFTEN);
  const dead = usePolled("/dead", SELDOM, { limit: 50 });
  const all = [workers, queues, sessions, dead];
  const failed = all.find((one) => one.error);
  useKeys([{ keys: "r", does: "Refresh now", group: "Fleet", run: () => all.forEach((one) => one.now()) }]);
  if (!failed && all.some((one) => !one.data)) return html`<${Loading} rows=${8} />`;
  return html`<div class="fleet">
    <div class="row between"><h1>Fleet</h1><${Liveness} state=${failed ? "away" : "polling"} /></div>
    ${failed && html`<${ErrorNote} title="This may be out of date" error=${failed.error}
      retry=${() => all.forEach((one) => one.now())} />`}
    ${inLine(queues.data?.queues) && html`<p class="fleet-alert s-cancelled" role="status"><${Icon} name="warning" /><span>
      ${inLine(queues.data?.queues)}</span></p>`}
    <${Tiles} workers=${workers.data?.workers} queues=${queues.data?.queues} sessions=${sessions.data?.sessions} dead=${dead.data} />
    <${Part} title="Dead letters" hint="Messages that no service could process, with their history." show=${dead.data}>
      <${Dead} found=${dead.data} refresh=${dead.now} /><//>
    <${Part} title="Workers" hint="All processes that report to the fleet." show=${workers.data}>
      <${Workers} workers=${workers.data?.workers} /><//>
    <${Part} title="Queues" hint="Messages that wait in each queue, and for how long." show=${queues.data}>
      <${Queues} queues=${queues.data?.queues} /><//>
    <${Part} title="Sessions" hint="Browsers, shells and files that hosts hold for runs." show=${sessions.data}>
      <${Sessions} sessions=${sessions.data?.sessions} /><//>
    <${Part} title="Streams" hint="How full the stores on NATS are." show=${queues.data}><${Streams} streams=${queues.data?.streams} />
      <//>
  </div>`;
}

function Part({ title, hint, show, children }) {
  return show && html`<section class="fleet-part" aria-label=${title}><header><h2>${title}</h2><p class="dim">${hint}</p></header>
    ${children}</section>`;
}

// Polls an address: `{data, error, now()}`; the last data stays during errors.
function usePolled(path, every, query) {
  const [state, show] = useState({ data: null, error: null });
  const stop = useRef(null);
  useEffect(() => {
    stop.current = poll(path,
      () => query, every, (data) => show({ data, error: null }), (at, error) => error && show((old) => ({ ...old, error })));
    return stop.current;
  }, [path]);
  return useMemo(() => ({ ...state, now: () => stop.current?.now() }), [state]);
}

function Tiles({ workers = [], queues = [], sessions = [], dead }) {
  const there = workers.filter((one) => !one.stale);
  const pools = slotsByPool(there);
  const waiting = queues.reduce((sum, one) => sum + one.pending, 0);
  const letters = dead?.letters.length ?? 0;
  const tiles = [
    ["Processes", there.length, workers.length > there.length ?
      `${workers.length - there.length} silent` : "", workers.length > there.length],
    ...pools.map(([pool, { busy, slots }]) => [`Slots, ${pool}`, `${busy} / ${slots}`, slots && busy >= slots ?
      "all busy" : "busy", slots > 0 && busy >= slots]),
    ["Waiting", count(waiting), waiting ? plural(queues.filter((one) => one.pending).length, "queue") : "", false],
    ["Sessions", sessions.length, "", false],
    ["Dead letters", `${letters}${dead?.cursor ? "+" : ""}`, "", letters > 0],
  ];
  return html`<dl class="fleet-tiles">${tiles.map(([name, value, more, bad]) => html`<div key=${name} class=${bad ? "is-bad" : ""}><dt>
    ${name}</dt><dd class="num">${value} <span class="dim">${more}</span></dd></div>`)}</dl>`;
}

/** A note about runs that wait for a session; empty if none does. Pure. */
export function inLine(queues = []) {
  const runs = queues.filter((one) => one.stream.endsWith("OPENINGS")).reduce((sum, one) => sum + one.pending, 0);
  return runs ? `${plural(runs, "run")} waiting for a session: every session host is full. The runs start when there is room; add a host to start them sooner.` : "";
}

/** Slots of all sub-agents by pool: `[[pool, {busy, slots}]]`. Pure. */
export function slotsByPool(workers) {
  const pools = new Map();
  for (const worker of workers.filter((one) => one.service === "subagent")) {
    for (const [pool, slots] of Object.entries(worker.slots ?? {})) {
      const sum = pools.get(pool) ?? { busy: 0, slots: 0 };
      pools.set(pool, { busy: sum.busy + (worker.busy?.[pool] ?? 0), slots: sum.slots + slots });
    }
  }
  return [...pools].sort(([a], [b]) => a.localeCompare(b));
}
