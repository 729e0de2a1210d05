// The plan of a run: a list of sub-tasks with states, and a graph if it has branches.
import { html, useEffect, useRef } from "../html.js";
import { count, duration, isolated, look, plain, plural, took, VirtualList } from "../ui.js";
import { graph, isChain, tokensOf } from "./model.js";
import { Mark, wordOf } from "./marks.js";

const LIVE = ["running", "asking", "retrying"];
const LONG = 200; // rows above which only visible ones are rendered
const HEIGHT = 34; // pixels of a row of a long plan

/** The sub-tasks as a list; `select(id)` is called on a click. */
export function Plan({ view, selected, select, now }) {
  const list = useRef(null);
  const { nodes } = view;
  useEffect(() => reveal(list.current), [selected]);
  if (nodes.length > LONG) return html`<${LongPlan} nodes=${nodes} selected=${selected} select=${select} now=${now} />`;
  return html`${nodes.length > 0 && html`<ol class="run-plan" ref=${list}>${nodes.map((node) => html`<li key=${node.id}>
    <${Row} node=${node} current=${node.id === selected} select=${select} now=${now} /></li>`)}</ol>`}
    ${!nodes.some((node) => node.number) && (!nodes.length || view.planned) && html`<${Unplanned} view=${view} />`}`;
}

function LongPlan({ nodes, selected, select, now }) {
  const render = (node) => html`<${Row} node=${node} current=${node.id === selected} select=${select} now=${now} />`;
  return html`<${VirtualList} class="run-plan-long" label="Sub-tasks" items=${nodes} rowHeight=${HEIGHT} itemKey=${(node) => node.id}
    render=${render}
    active=${nodes.findIndex((node) => node.id === selected)} />`;
}

// Scrolls only the pane of the plan to show the selected row.
function reveal(list) {
  const [row, pane] = [list?.querySelector("[aria-current=true]"), list?.closest(".run-side-pane")];
  if (!row || !pane) return;
  const [at, around] = [row.getBoundingClientRect(), pane.getBoundingClientRect()];
  if (at.top < around.top) pane.scrollTop -= around.top - at.top;
  else if (at.bottom > around.bottom) pane.scrollTop += at.bottom - around.bottom;
}

function Row({ node, current, select, now }) {
  const live = LIVE.includes(node.state);
  const seconds = node.started_at ? (node.ended_at || (live ? now : node.started_at)) - node.started_at : 0;
  return html`<button type="button" class="run-node ${node.depth ? "is-helper" : ""}" style=${node.depth ? { "--depth": node.depth } : undefined} aria-current=${String(current)} data-node=${node.id}
    onClick=${() => select(node.id)}>
    <${Mark} state=${node.state} /><span class="run-node-number num">${node.number || ""}</span>
    <span class="run-node-text"><span class="run-clamp">${node.label && html`<span class="run-kind">${node.label}</span> `}<bdi>
      ${plain(node.title)}</bdi></span><${Badges} node=${node} /></span>
    <span class="run-took num">${live ? duration(Math.floor(Math.max(0, seconds))) : took(seconds)}${tokensOf(node.usage) > 0 &&
      html`<span class="run-tokens">${count(tokensOf(node.usage))} tok</span>`}</span></button>`;
}

/** The badges of a sub-task, without those its state already shows. */
export function Badges({ node, beside = false }) {
  const state = !beside && ["asking", "retrying"].includes(node.state) ? [[wordOf(node.state), "is-wait"]] : [];
  const found = [...(node.badges ?? []).map((text) => [text, "is-warn"]), ...(node.spent ?? []).map((text) => [text, ""]), ...state, ...(node.source === "model" ? [["model", ""]] : [])];
  return found.length > 0 && html`<span class="run-badges">${found.map(([text, kind]) => html`<span class="tag ${kind}" key=${text}>
    ${text}</span>`)}</span>`;
}

function Unplanned({ view }) {
  const says = view.verdict ? (view.planned ? "There was no plan." : "Nothing was done.") : view.run.status === "queued" ?
    "Queued: not started yet." : view.planned ? "There is no plan yet." : "Nothing is under way yet.";
  return html`<p class="run-unplanned dim">${says}</p>${view.steps.length > 0 && html`<ol class="run-plan">
    ${view.steps.map((step, at) => html`<li key=${at}>
    <div class="run-node is-idle"><${Mark} state=${view.verdict ? "skipped" : "waiting"} /><span class="run-node-number num">${at + 1}
      </span><span class="run-node-text run-clamp"><bdi>${isolated(step)}</bdi></span></div></li>`)}</ol>`}`;
}

const WIDE = 52;
const HIGH = 46;
const MOST = 120;

/** The plan as a graph from top to bottom; nothing for a plain sequence. */
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
        key=${place.node.id} class="s-${look(place.node.state)} ${place.node.id === selected ? "is-current" : ""}"
        onClick=${() => select(place.node.id)}>
        <title>${`${place.node.number}. ${plain(place.node.title)} (${wordOf(place.node.state)})`}</title>
        <circle cx=${x(place)} cy=${y(place)} r="14" /><text x=${x(place)} y=${y(place)} dy="0.35em">${place.node.number}</text></g>`)}
    </svg></figure>`;
}

function edge(x1, y1, x2, y2) {
  const middle = (y1 + y2) / 2;
  return `M${x1} ${y1 + 14}C${x1} ${middle} ${x2} ${middle} ${x2} ${y2 - 14}`;
}
