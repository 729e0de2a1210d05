// A row of the run list.
import { html } from "../html.js";
import { runHref } from "../router.js";
import { count, Duration, isOver, money, plain, Progress, RelativeTime, Status } from "../ui.js";
import { place } from "./filters.js";

const COLUMNS = ["Status", "Run", "Progress", "Duration", "Tokens", "Cost", "Asked for"];

/** The titles of the columns. */
export const RunHead = () => html`<div class="run-row run-titles" role="row" aria-rowindex="1">
  ${COLUMNS.map((title) => html`<span key=${title} role="columnheader" class="c-${title.split(" ")[0].toLowerCase()}">${title}</span>`)}</div>`;

/** A row (RunRow); the whole row links to the run. */
export function RunRow({ row, onFilter }) {
  const over = isOver(row);
  return html`<div class="run-row k-${row.status}" role="presentation">
    <span role="cell" class="c-status"><${Status} status=${row.status} cause=${row.cause} /></span>
    <span role="cell" class="c-run">
      <span class="run-name cut"><a class="stretched" href=${runHref(row.run)}>${plain(row.name) || row.run}</a></span>
      <span class="run-more cut">${row.rerun_of && html`<span class="tag" title=${`Repeats ${row.rerun_of}`}>rerun</span>`}
        ${row.suite && html`<button type="button" class="run-suite above" title="Only this suite" onClick=${() => onFilter({ suite: row.suite })}>${plain(row.suite)}</button>`}
        <span class="cut">${why(row) || (row.tags ?? []).map((tag) => html`<span class="tag" key=${tag}>${plain(tag)}</span>`)}</span></span>
    </span>
    <span role="cell" class="c-progress"><${Progress} done=${row.done ?? 0} total=${row.total ?? 0} status=${row.status} cause=${row.cause} /></span>
    <span role="cell" class="c-duration">${row.started_at ? html`<${Duration} from=${row.started_at} to=${over ? row.ended_at || row.started_at : 0} />` : html`<span class="dim">–</span>`}</span>
    <span role="cell" class="c-tokens num">${row.tokens ? count(row.tokens) : html`<span class="dim">–</span>`}</span>
    <span role="cell" class="c-cost num">${money(row.cost) || html`<span class="dim">–</span>`}</span>
    <span role="cell" class="c-asked"><${RelativeTime} at=${place(row)} /></span>
  </div>`;
}

/** A note about a run: why it failed, or what it waits for. */
function why(row) {
  if (["fail", "failed", "parked", "paused"].includes(row.status)) return plain(row.summary ?? "").split("\n")[0];
  return "";
}
