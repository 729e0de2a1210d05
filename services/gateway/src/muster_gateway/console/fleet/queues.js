// Depth and age of queues, and fill levels of streams.
import { html } from "../html.js";
import { bytes, count, duration, EmptyState, Icon, plain, Table } from "../ui.js";
import { Meter } from "./workers.js";

const LATE = 30; // seconds after which a waiting message is highlighted

const problem = (row) => row.problem && html`<div class="fleet-alert s-fail"><${Icon} name="warning" /><span>${plain(row.problem)}</span>
  </div>`;

/** Warning about a queue; empty if it is fine. Pure. */
export function concern(queue) {
  if (queue.pending > 0 && queue.waiting === 0 && queue.oldest_seconds > LATE) return "no free slot";
  return "";
}

const QUEUES = [
  { name: "name", title: "Queue", cell: (row) => html`<div><span class="mono">${plain(row.name)}</span> <span class="dim">
    ${plain(row.stream)}</span>${problem(row)}${concern(row) && html`<div class="fleet-alert s-cancelled"><${Icon} name="warning" /><span>
    ${concern(row)}</span></div>`}</div>` },
  { name: "pending", title: "Waiting", class: "right num", cell: (row) => html`<b class=${row.pending ? "" : "fleet-zero"}>
    ${count(row.pending)}</b>` },
  { name: "oldest", title: "Oldest", class: "right num", cell: (row) => (row.oldest_seconds ? html`<span
    class=${row.pending && row.oldest_seconds > LATE ? "s-cancelled" : ""}>${duration(row.oldest_seconds)}
    </span>` : html`<span class="dim">–</span>`) },
  { name: "work", title: "In work", class: "right num", cell: (row) => html`<span class=${row.ack_pending ? "" : "dim"}>
    ${count(row.ack_pending)}</span>` },
  { name: "again", title: "Redelivered", class: "right num", cell: (row) => html`<span
    class=${row.redelivered ? "s-cancelled" : "dim"}>${count(row.redelivered)}</span>` },
  { name: "free", title: "Asking for work", class: "right num", cell: (row) => html`<span class=${row.waiting ? "" : "dim"}>
    ${count(row.waiting)}</span>` },
];

/** Messages waiting in each queue. */
export function Queues({ queues }) {
  return html`<${Table} label="Queues" columns=${QUEUES} rows=${queues} rowKey=${(row) => `${row.stream}.${row.name}`}
    empty=${html`<${EmptyState} title="No queues" text="muster provision creates them." />`} />`;
}

const STREAMS = [
  { name: "name", title: "Stream", cell: (row) => html`<div><span class="mono">${plain(row.name)}</span>${problem(row)}</div>` },
  { name: "messages", title: "Messages", class: "right num", cell: (row) => html`<${Messages} row=${row} />` },
  { name: "bytes", title: "Size", class: "right num", cell: (row) => bytes(row.bytes) },
  { name: "fill", title: "Fill", class: "fleet-fill", cell: (row) => html`<${Fill} row=${row} />` },
];

function Messages({ row }) {
  const limit = row.max_messages > 0 && html`<span class="dim"> of ${count(row.max_messages)}</span>`;
  return html`${row.messages.toLocaleString("en")}${limit}`;
}

function Fill({ row }) {
  if (!row.max_bytes) return html`<span class="dim">no limit</span>`;
  const share = (row.bytes / row.max_bytes) * 100;
  const says = `${share > 0 && share < 0.1 ? "<0.1" : share.toFixed(share > 0 && share < 10 ? 1 : 0)} % of ${bytes(row.max_bytes)}`;
  return html`<span class="fleet-fill-bar"><${Meter} value=${row.bytes} of=${row.max_bytes} label=${says} /><span class="dim num">${says}
    </span></span>`;
}

/** Fill levels of the streams. */
export function Streams({ streams }) {
  return html`<${Table} label="Streams" columns=${STREAMS} rows=${streams} rowKey=${(row) => row.name} />`;
}
