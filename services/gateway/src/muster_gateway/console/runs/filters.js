// Filters of the run list: in the address, in the request, and as a test of a row. Pure.
import { CAUSES as MEANINGS } from "../words.js";

export const STATES = ["running", "queued", "waits", "pass", "fail", "done"];
/** Statuses of a filter state: waiting runs are paused or parked, and runs without a verdict of their own fail, too. */
const MEANS = { waits: ["paused", "parked"], fail: ["fail", "failed"] };
export const CAUSES = Object.keys(MEANINGS);
export const WITHIN = { "1h": ["Last hour", 3600], "24h": ["Last 24 hours", 86_400], "7d": ["Last 7 days", 604_800], "30d": ["Last 30 days", 2_592_000] };

/** The filters in a query string (URLSearchParams), without unknown values. */
export function filtersOf(query) {
  return {
    states: query.getAll("status").filter((one) => STATES.includes(one)),
    causes: query.getAll("cause").filter((one) => CAUSES.includes(one)),
    name: query.get("name") ?? "",
    suite: query.get("suite") ?? "",
    tag: query.get("tag") ?? "",
    text: query.get("text") ?? "",
    within: query.get("within") in WITHIN ? query.get("within") : "",
  };
}

/** How many filters are set, the text not counted. */
export const active = (filters) =>
  filters.states.length + filters.causes.length + Number(Boolean(filters.suite)) + Number(Boolean(filters.name)) + Number(Boolean(filters.tag)) + Number(Boolean(filters.within));

const statuses = (filters) => filters.states.flatMap((one) => MEANS[one] ?? [one]);
const since = (filters, now) => (filters.within ? Math.floor(now - WITHIN[filters.within][1]) : 0);

/** The query of `GET /runs`; `now` in unix seconds. */
export function asked(filters, now) {
  const { causes: cause, name, suite, tag, text } = filters;
  return { status: statuses(filters), cause, name, suite, tag, text, since: since(filters, now) || undefined };
}

/** Whether a row matches, by the gateway's rules. */
export function fits(row, filters, now) {
  const wanted = statuses(filters);
  const text = filters.text.toLowerCase();
  return (
    (!wanted.length || wanted.includes(row.status)) &&
    (!filters.causes.length || filters.causes.includes(row.cause ?? "")) &&
    (!filters.name || row.name === filters.name) &&
    (!filters.suite || row.suite === filters.suite) &&
    (!filters.tag || (row.tags ?? []).includes(filters.tag)) &&
    (!filters.within || place(row) >= since(filters, now)) &&
    (!text || [row.name, row.run, row.summary ?? ""].some((part) => part.toLowerCase().includes(text)))
  );
}

/** Time of the request; lists are sorted by it, newest first. */
export const place = (row) => row.requested_at || row.started_at || 0;

/** Negative if `a` comes before `b`: it is newer, or its id is greater. */
export const order = (a, b) => place(b) - place(a) || (a.run < b.run ? 1 : a.run > b.run ? -1 : 0);

/** The later of two rows of one run, by position in the run's log; the last received if equal. */
const later = (old, row) => (old && (old.sequence ?? 0) > (row.sequence ?? 0) ? old : row);

/**
 * Rows merged with changed ones: each run once, in order. Rows older than the last one are omitted while there are `more`
 * pages, since scrolling loads them; rows that no longer match are removed.
 */
export function merged(rows, changed, filters, more, now) {
  if (!changed.length) return rows;
  const known = new Map(rows.map((row) => [row.run, row]));
  const news = new Map(changed.map((row) => [row.run, later(known.get(row.run), row)]));
  const last = rows[rows.length - 1];
  const kept = rows.map((row) => news.get(row.run) ?? row).filter((row) => !news.has(row.run) || fits(row, filters, now));
  const added = [...news.values()].filter(
    (row) => !known.has(row.run) && fits(row, filters, now) && (!more || !last || order(row, last) < 0),
  );
  return added.length ? [...kept, ...added].sort(order) : kept;
}

/** The rows with the next page appended: `{rows, cursor}`. */
export function extended(shown, page) {
  const known = new Set(shown.rows.map((row) => row.run));
  return { rows: [...shown.rows, ...page.runs.filter((row) => !known.has(row.run))], cursor: page.cursor ?? "" };
}

/**
 * The rows after reloading the first page; older rows stay if there is no gap: `{rows, cursor}`.
 */
export function refreshed(shown, page) {
  const { runs, cursor = "" } = page;
  const known = new Map(shown.rows.map((row) => [row.run, row]));
  const fresh = runs.map((row) => later(known.get(row.run), row));
  const last = runs[runs.length - 1];
  if (!cursor || !runs.some((row) => known.has(row.run))) return { rows: fresh, cursor };
  const older = shown.rows.filter((row) => order(row, last) > 0);
  return older.length ? { rows: [...fresh, ...older], cursor: shown.cursor } : { rows: fresh, cursor };
}
