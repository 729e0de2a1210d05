// The machine of a run as it works: which node each sub-task is at, what led there, when it goes on, why nothing more is due.
import { html } from "../html.js";
import { clock, duration } from "../format.js";
import { EmptyState, ErrorNote, isolated, plain, Table } from "../ui.js";

const MOST = 200; // transitions shown

/** `log` is what `useLog` returns, `asked` what `useMoment` returns; `now` in seconds, `over`: whether the run is over. */
export function MachineTab({ view, log, asked, now, over }) {
  const told = transitionsOf(log.lines);
  const live = over ? [] : newestOf(told).filter(({ node }) => isLive(view, node));
  return html`<div class="run-machine">
    <section aria-label="Now"><h3>Now</h3><${Now} live=${live} now=${now} over=${over} /></section>
    <section aria-label="Why nothing more is due"><h3>Why nothing more is due</h3><${Waits} asked=${asked} now=${now} over=${over} /></section>
    <section aria-label="Transitions"><h3>Transitions</h3><${Transitions} told=${told} /></section></div>`;
}

/** The records that tell a transition, oldest first. */
export const transitionsOf = (lines) => lines.map((line) => line.record).filter((record) => record.transition);

/** The newest transition of each sub-task. */
export const newestOf = (told) => [...new Map(told.map((record) => [record.node, record])).values()];

/** When a machine goes on, in words; empty: it is at work. */
export function nextMoment(until, now) {
  if (!until || until <= now) return "";
  return `waiting until ${clock(until)} (${duration(until - now)})`;
}

const isLive = (view, id) => ["running", "retrying", "asking"].includes(view.nodes.find((node) => node.id === id)?.state);

function Now({ live, now, over }) {
  if (!live.length) return html`<p class="dim">${over ? "The run is over." : "No sub-task with a machine of its own is under way."}</p>`;
  const columns = [
    { name: "task", title: "Sub-task", cell: (one) => plain(one.node) },
    { name: "node", title: "Node", cell: (one) => html`<b>${plain(one.transition.target)}</b>` },
    { name: "guard", title: "Guard", cell: (one) => html`<bdi>${isolated(one.transition.guard)}</bdi>` },
    { name: "reason", title: "Reason", cell: (one) => html`<bdi>${isolated(one.transition.reason ?? "")}</bdi>` },
    { name: "next", title: "Next moment", cell: (one) => nextMoment(one.transition.until, now) || "at work" },
  ];
  return html`<${Table} columns=${columns} rows=${live} rowKey=${(one) => one.node} label="Nodes" />`;
}

function Waits({ asked, now, over }) {
  const { moment, error } = asked;
  if (error && !moment) return html`<${ErrorNote} title="The state cannot be shown" error=${error} retry=${() => asked.again(0)} />`;
  if (!moment) return html`<p class="dim">Loading…</p>`;
  const next = nextMoment(moment.next_at, now);
  return html`<p class="dim">Event ${moment.event.number}: ${moment.event.type} <bdi>${isolated(moment.event.text)}</bdi></p>
    ${moment.waits.length ? html`<ul>${moment.waits.map((text) => html`<li key=${text}><bdi>${isolated(text)}</bdi></li>`)}</ul>`
      : html`<p>${over ? "It waits for nothing: it is over." : "It waits for nothing."}</p>`}
    ${next && html`<p>Next: ${next}</p>`}`;
}

function Transitions({ told }) {
  if (!told.length) return html`<${EmptyState} title="No transitions yet" text="Tours of explorations tell theirs; the log has the rest." />`;
  const columns = [
    { name: "at", title: "Time", class: "num", cell: (one) => clock(one.at) },
    { name: "task", title: "Sub-task", cell: (one) => plain(one.node) },
    { name: "step", title: "Transition", cell: (one) => `${plain(one.transition.source)} → ${plain(one.transition.target)}` },
    { name: "guard", title: "Guard", cell: (one) => html`<bdi>${isolated(one.transition.guard)}</bdi>` },
    { name: "reason", title: "Reason", cell: (one) => html`<bdi>${isolated(one.transition.reason ?? "")}</bdi>` },
  ];
  const rows = told.slice(-MOST).reverse();
  return html`${rows.length < told.length && html`<p class="dim">The newest ${MOST} of ${told.length}.</p>`}
    <${Table} columns=${columns} rows=${rows} rowKey=${(one) => `${one.source} ${one.number}`} label="Transitions" />`;
}
