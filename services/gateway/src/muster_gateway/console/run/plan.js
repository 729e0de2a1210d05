// The plan of a run: a list with each sub-task's state, and a graph where it is more than a chain.
import { html, useEffect, useRef } from "../html.js";
import { count, duration, plain, plural, VirtualList } from "../ui.js";
import { filled, graph, isChain, tokensOf } from "./model.js";
import { Mark, toneOf, wordOf } from "./marks.js";
import { took } from "./words.js";

const LIVE = ["running", "asking", "retrying"];
const LONG = 200; // rows above which only those that are seen exist
const HEIGHT = 34; // pixels of a row of a long plan

/** What a row is called: what is to be done. */
export function titleOf(row, values = {}) {
  return plain(filled(row.node.description, values)) || row.node.id;
}

/** The sub-tasks as a list; `select(id)` is told what is clicked. */
export function Plan({ view, rows, selected, select, now, values }) {
  const list = useRef(null);
  useEffect(() => reveal(list.current), [selected]);
  if (rows.length > LONG) return html`<${LongPlan} rows=${rows} selected=${selected} select=${select} now=${now} values=${values} />`;
  return html`${rows.length > 0 && html`<ol class="run-plan" ref=${list}>${rows.map((row) => html`<li key=${row.node.id}>
    <${Row} row=${row} current=${row.node.id === selected} select=${select} now=${now} values=${values} /></li>`)}</ol>`}
    ${!rows.some((row) => row.number) && html`<${Unplanned} view=${view} values=${values} />`}`;
}

function LongPlan({ rows, selected, select, now, values }) {
  const render = (row) => html`<${Row} row=${row} current=${row.node.id === selected} select=${select} now=${now} values=${values} />`;
  return html`<${VirtualList} class="run-plan-long" label="Sub-tasks" items=${rows} rowHeight=${HEIGHT} itemKey=${(row) => row.node.id}
    render=${render}
    active=${rows.findIndex((row) => row.node.id === selected)} />`;
}

// Scrolls the pane of the plan, and nothing around it, so that the chosen row is seen.
function reveal(list) {
  const [row, pane] = [list?.querySelector("[aria-current=true]"), list?.closest(".run-side-pane")];
  if (!row || !pane) return;
  const [at, around] = [row.getBoundingClientRect(), pane.getBoundingClientRect()];
  if (at.top < around.top) pane.scrollTop -= around.top - at.top;
  else if (at.bottom > around.bottom) pane.scrollTop += at.bottom - around.bottom;
}

function Row({ row, current, select, now, values }) {
  const { node, depth, number } = row;
  const label = node.kind === node.label?.toLowerCase() ? "" : node.label; // a plain step needs none
  const live = LIVE.includes(node.state);
  const seconds = node.started_at ? (node.ended_at || (live ? now : node.started_at)) - node.started_at : 0;
  return html`<button type="button" class="run-node ${depth ? "is-helper" : ""}" aria-current=${String(current)} data-node=${node.id}
    onClick=${() => select(node.id)}>
    <${Mark} state=${node.state} /><span class="run-node-number num">${number || ""}</span>
    <span class="run-node-text"><span class="run-clamp">${label && html`<span class="run-kind">${label}</span> `}<bdi>
      ${titleOf(row, values)}</bdi></span><${Badges} node=${node} /></span>
    <span class="run-took num">${live ? duration(Math.floor(Math.max(0, seconds))) : took(seconds)}${tokensOf(node.usage) > 0 &&
      html`<span class="run-tokens">${count(tokensOf(node.usage))} tok</span>`}</span></button>`;
}

/** What is out of the ordinary about a sub-task, in a word each; what its state says as well is left out beside that. */
export function Badges({ node, beside = false }) {
  const found = [
    [node.attempt > 1, `attempt ${node.attempt}`, "is-warn"],
    [node.takeovers > 0, node.takeovers > 1 ? `taken over ×${node.takeovers}` : "taken over", "is-warn"],
    [!beside && node.state === "asking", "asks", "is-wait"],
    [!beside && node.state === "retrying", "is tried again", "is-warn"],
    [node.unverified, "unverified", ""],
    [node.source === "model", "model", ""],
  ].filter(([is]) => is);
  return found.length > 0 && html`<span class="run-badges">${found.map(([, text, kind]) => html`<span class="tag ${kind}" key=${text}>
    ${text}</span>`)}</span>`;
}

function Unplanned({ view, values }) {
  const steps = view.request?.job?.steps ?? [];
  const says = view.verdict ? "There was no plan." : view.run.status === "queued" ?
    "Queued: nobody has begun it." : "There is no plan yet.";
  return html`<p class="run-unplanned dim">${says}</p>${steps.length > 0 && html`<ol class="run-plan">
    ${steps.map((step, at) => html`<li key=${at}>
    <div class="run-node is-idle"><${Mark} state=${view.verdict ? "skipped" : "waiting"} /><span class="run-node-number num">${at + 1}
      </span><span class="run-node-text run-clamp"><bdi>${plain(filled(step.action, values))}</bdi></span></div></li>`)}</ol>`}`;
}

const WIDE = 52;
const HIGH = 46;
const MOST = 120;

/** The plan as a graph, from top to bottom; nothing for a chain, which the list shows as well. */
export function Graph({ nodes, selected, select }) {
  if (isChain(nodes) || nodes.length > MOST) return null;
  const { places, edges, columns, rows } = graph(nodes);
  if (!places.length) return null;
  const x = (place) => ((columns - place.width) / 2 + place.column + 0.5) * WIDE;
  const y = (place) => (place.row + 0.5) * HIGH;
  const at = new Map(places.map((place) => [place.node.id, place]));
  return html`<figure class="run-graph"><figcaption class="sr">
    ${plural(places.length, "sub-task")} and what each needs; the list names them.</figcaption>
    <svg viewBox="0 0 ${columns * WIDE} ${rows * HIGH}" width=${columns * WIDE} height=${rows * HIGH} aria-hidden="true">
      ${edges.map(([from, to]) => html`<path key=${`${from} ${to}`}
        d=${edge(x(at.get(from)), y(at.get(from)), x(at.get(to)), y(at.get(to)))} />`)}
      ${places.map((place) => html`<g
        key=${place.node.id} class="s-${toneOf(place.node.state)} ${place.node.id === selected ? "is-current" : ""}"
        onClick=${() => select(place.node.id)}>
        <title>${`${place.number}. ${plain(place.node.description)} (${wordOf(place.node.state)})`}</title>
        <circle cx=${x(place)} cy=${y(place)} r="14" /><text x=${x(place)} y=${y(place)} dy="0.35em">${place.number}</text></g>`)}
    </svg></figure>`;
}

function edge(x1, y1, x2, y2) {
  const middle = (y1 + y2) / 2;
  return `M${x1} ${y1 + 14}C${x1} ${middle} ${x2} ${middle} ${x2} ${y2 - 14}`;
}
