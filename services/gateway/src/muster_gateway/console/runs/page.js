// The list of runs.
import { html, useCallback, useEffect, useRef, useState } from "../html.js";
import { navigate, pageHref, runHref, useQuery } from "../router.js";
import { Button, EmptyState, ErrorNote, Liveness, Loading, plural, useKeys, useMedia, VirtualList } from "../ui.js";
import { useRuns } from "./feed.js";
import { active, filtersOf } from "./filters.js";
import { RunHead, RunRow } from "./row.js";
import { Toolbar } from "./toolbar.js";

const WIDE_ROW = 50;
const NARROW_ROW = 78;
let left = { top: 0, run: "" }; // the reader's last position

/** Lists runs, newest first and live, with filters that are kept in the address. */
export function RunsPage() {
  const [query, change] = useQuery();
  const filters = filtersOf(query);
  const { rows, loading, error, more, next, state, again } = useRuns(filters);
  const [chosen, choose] = useState(left.run);
  const narrow = useMedia("(max-width: 720px)");
  const at = rows.findIndex((row) => row.run === chosen);
  const search = useRef(null);
  const list = useRef({ rows, at });
  list.current = { rows, at };
  useEffect(() => () => (left.run = list.current.rows[list.current.at]?.run ?? ""), []);
  const go = (by) => {
    const { rows, at } = list.current;
    const row = rows[Math.max(0, Math.min(rows.length - 1, at < 0 ? 0 : at + by))];
    if (row) choose(row.run);
  };
  useKeys([
    { keys: "j", does: "Next run", group: "List", run: () => go(1) },
    { keys: "k", does: "Previous run", group: "List", run: () => go(-1) },
    { keys: "Enter", does: "Open the run", group: "List", run: () => list.current.at >= 0 && open(list.current.rows[list.current.at].run) },
    { keys: "/", does: "Search", group: "List", run: () => search.current?.focus() },
    { keys: "x", does: "Clear the filters", group: "List", run: () => navigate(pageHref()) },
  ]);
  const open = (run) => {
    left.run = run;
    navigate(runHref(run));
  };
  const render = useCallback((row) => html`<${RunRow} row=${row} onFilter=${change} />`, []);
  const place = useCallback((top) => (left.top = top), []);
  const filtered = active(filters) > 0 || filters.text;
  return html`<div class="runs-head">
      <h1 class="sr">Runs</h1>
      <${Toolbar} filters=${filters} change=${change} search=${search} rows=${rows} />
      <div class="runs-told"><span class="dim" role="status">${told(rows, more, loading, filtered)}</span>${more && html`<span class="dim wide-only">more as you scroll</span>`}
        ${filtered && html`<button type="button" class="link" onClick=${() => navigate(pageHref())}>Clear filters</button>`}
        <span class="grow"></span><${Liveness} state=${state} /></div>
      <${ErrorNote} error=${error} retry=${again} />
    </div>
    ${loading && !rows.length ? html`<${Loading} rows=${10} />` : html`<${VirtualList} class="runs-list ${loading ? "stale" : ""}" label="Runs" role="table" rowRole="row" items=${rows}
      rowHeight=${narrow ? NARROW_ROW : WIDE_ROW} itemKey=${runOf} render=${render} active=${at} onEnd=${more ? next : undefined}
      start=${left.top} onPlace=${place} header=${narrow ? null : html`<${RunHead} />`} empty=${html`<${Nothing} filtered=${filtered} failed=${error} />`}
      footer=${more && html`<p class="runs-more dim">Loading older runs …</p>`} />`}`;
}

const runOf = (row) => row.run;

function told(rows, more, loading, filtered) {
  if (loading && !rows.length) return "Loading …";
  if (!rows.length) return filtered ? "No run matches" : "No runs";
  return `${plural(rows.length, "run")}${more ? " loaded" : ""}`;
}

function Nothing({ filtered, failed }) {
  if (failed) return null;
  if (filtered) {
    return html`<${EmptyState} icon="search" title="No run matches these filters" text="Remove a filter, or search for another text.">
      <${Button} onClick=${() => navigate(pageHref())}>Clear filters<//><//>`;
  }
  return html`<${EmptyState} icon="play" title="No runs yet" text="Write a case and run it here, submit one with muster submit, or try the bundled ones with muster demo.">
    <a class="button primary" href=${pageHref("new")}>New run</a><//>`;
}
