// The last days as stacked bars: how many runs passed, failed, and judged nothing.
import { html } from "../html.js";
import { count, money, plural } from "../ui.js";

const PARTS = [["pass", "passed", "passed"], ["fail", "failed", "failed"], ["cancelled", "unjudged", "without a judgement"]];
const date = (day) => new Date(day * 1000).toLocaleDateString(undefined, { timeZone: "UTC", day: "numeric", month: "short" });

/** Runs of each day, oldest on the left; nothing for a single day, which has no trend. */
export function Days({ days }) {
  if (days.length < 2) return null;
  const most = Math.max(...days.map(total));
  return html`<section class="fleet-part" aria-label="Last days"><header><h2>Last days</h2><p class="dim">Ended runs by day (UTC): passed, failed, without a judgement.</p></header>
    <ol class="days">${days.map((one) => html`<li key=${one.day} class="day" title=${told(one)}><span class="sr">${told(one)}</span>
      <span class="day-bar" aria-hidden="true">${PARTS.map(([look, field]) => one[field] > 0 && html`<i key=${field} class="s-${look}" style=${{ height: `${(one[field] / most) * 100}%` }}></i>`)}</span>
      <span class="day-name num" aria-hidden="true">${date(one.day)}</span></li>`)}</ol></section>`;
}

const total = (one) => PARTS.reduce((sum, [, field]) => sum + (one[field] ?? 0), 0);

/** A day in words. */
function told(one) {
  const parts = PARTS.filter(([, field]) => one[field] > 0).map(([, field, word]) => `${one[field]} ${word}`);
  const spent = one.tokens > 0 ? [`${count(one.tokens)} tokens`, money(one.cost ?? 0)].filter(Boolean) : [];
  return `${date(one.day)}: ${plural(total(one), "run")}, ${[...parts, ...spent].join(", ")}`;
}
