// Past results of a case: statistics (pure) and charts.
import { html } from "../html.js";
import { runHref } from "../router.js";
import { duration, Icon, isOver, look, moment, useMedia, word } from "../ui.js";
import { place } from "../runs/filters.js";

const seconds = (row) => (isOver(row) && row.started_at ? Math.max(0, (row.ended_at || row.started_at) - row.started_at) : 0);

/** Statistics of the rows of one case (newest first), without cancelled runs. */
export function summed(rows) {
  const told = rows.filter((row) => isOver(row) && row.cause !== "cancelled");
  const passed = told.filter((row) => row.status === "pass");
  const times = passed.map(seconds).filter(Boolean).sort((a, b) => a - b);
  const flips = told.filter((row, at) => at > 0 && row.status !== told[at - 1].status).length;
  return { runs: told.length, passed: passed.length, median: times[times.length >> 1] ?? null, flips, streak: streakOf(told) };
}

/** Number of newest runs with the same result. */
function streakOf(told) {
  const first = told.findIndex((row) => row.status !== told[0].status);
  return { status: told[0]?.status ?? "", length: first < 0 ? told.length : first };
}

/** Rows by name: `[{name, rows}]`, most recent case first; rows newest first. */
export function byCase(rows) {
  const cases = new Map();
  for (const row of rows) cases.set(row.name, [...(cases.get(row.name) ?? []), row]);
  return [...cases].map(([name, rows]) => ({ name, rows }));
}

const told = (row) => `${word(row.status, row.cause)}${row.cause && row.cause !== "cancelled" ? ` (${row.cause})` : ""}, ${duration(seconds(row)) || "not over"}, ${moment(place(row))}`;

/** The last `most` results as a strip of icons, newest on the right. */
export const Strip = ({ rows, most = 12 }) => html`<span class="strip">${rows.slice(0, most).reverse().map(
  (row) => html`<a key=${row.run} class="above s-${look(row.status, row.cause)}" href=${runHref(row.run)} title=${told(row)}><${Icon} name=${look(row.status, row.cause)} label=${told(row)} size=${14} /></a>`,
)}</span>`;

/** Past durations as bars, newest on the right; a fail has a cross. */
export function Bars({ rows }) {
  const most = useMedia("(max-width: 720px)") ? 28 : 48;
  const shown = rows.slice(0, most).reverse();
  const longest = Math.max(...shown.map(seconds), 0.001);
  return html`<div class="bars" role="group" aria-label="Durations of past runs, the newest on the right">
    <div class="bars-scale" aria-hidden="true"><span>${duration(longest)}</span><span>0 s</span></div>
    <div class="bars-box">${shown.map((row) => html`<a key=${row.run} class="bar s-${look(row.status, row.cause)}" href=${runHref(row.run)} title=${told(row)} aria-label=${told(row)}>
      ${row.status !== "pass" && html`<${Icon} name=${look(row.status, row.cause)} size=${12} />`}
      <i style=${{ height: `calc((100% - 14px) * ${Math.max(0.03, seconds(row) / longest)})` }}></i></a>`)}</div></div>`;
}
