// The history page of a case.
import { at, post } from "../api.js";
import { html, useState } from "../html.js";
import { navigate, pageHref, runHref, useQuery } from "../router.js";
import { useRuns } from "../runs/feed.js";
import { filtersOf, place } from "../runs/filters.js";
import { Button, count, duration, Duration, EmptyState, ErrorNote, Liveness, Loading, money, plain, RelativeTime, Status, Table, toast, useForbidden } from "../ui.js";
import { Bars, summed } from "./past.js";

const NO_FILTERS = filtersOf(new URLSearchParams());

/** Shows past results and durations of a case, in one suite if the query names it; `name` comes from the address. */
export function CasePage({ name }) {
  const [query] = useQuery();
  const asked = name || query.get("name") || "";
  const { rows, loading, error, more, next, state, again } = useRuns({ ...NO_FILTERS, name: asked, suite: query.get("suite") ?? "" });
  if (loading && !rows.length) return html`<${Loading} />`;
  return html`<div class="case-head"><div class="grow"><p class="dim crumbs"><a href=${pageHref("suites")}>Suites</a>${rows[0]?.suite && html` / <a href=${pageHref("suites", { open: rows[0].suite })}>${plain(rows[0].suite)}</a>`}</p>
      <h1>${plain(asked) || "A case"}</h1></div>
      <${Liveness} state=${state} />${rows[0] && html`<a class="button" href=${pageHref("new", { from: rows[0].run })}>Edit</a><${Again} run=${rows[0].run} />`}</div>
    <${ErrorNote} error=${error} retry=${again} />
    ${rows.length ? html`<${Sums} rows=${rows} more=${more} /><${Bars} rows=${rows} /><${Past} rows=${rows} />
      ${more && html`<p><${Button} onClick=${next}>Show older runs<//></p>`}`
    : !error && html`<${EmptyState} icon="search" title="No run has this name" text="It never ran, or its runs were removed.">
      <a class="button" href="/console/">Go to the runs</a><//>`}`;
}

function Again({ run }) {
  const [busy, work] = useState(false);
  const why = useForbidden("runner");
  const start = async () => {
    work(true);
    try {
      const { run: made } = await post(at("runs", run, "rerun"));
      navigate(runHref(made));
    } catch (error) {
      toast(error.message, "bad");
      work(false);
    }
  };
  return html`<${Button} kind="primary" icon="play" why=${why} busy=${busy} onClick=${start}>Run again<//>`;
}

function Sums({ rows, more }) {
  const { runs, passed, median, flips, streak } = summed(rows);
  const word = streak.status === "pass" ? "passed" : "failed";
  const tiles = [
    ["Pass rate", runs ? `${Math.round((passed / runs) * 100)} %` : "–", `${passed} of ${runs}${more ? " newest" : ""}`],
    ["Median duration", median === null ? "–" : duration(median), median === null ? "no run has passed" : "of passed runs"],
    ["Streak", streak.length ? String(streak.length) : "–", streak.length ? `newest ${streak.length === 1 ? "run" : "runs"} ${word}` : ""],
    ["Changes", String(flips), "from pass to fail or back"],
  ];
  return html`<dl class="tiles">${tiles.map(([title, value, more]) => html`<div key=${title}><dt>${title}</dt><dd><b>${value}</b> <span class="dim">${more}</span></dd></div>`)}</dl>`;
}

const COLUMNS = [
  { name: "status", title: "Status", cell: (row) => html`<a href=${runHref(row.run)}><${Status} status=${row.status} cause=${row.cause} /></a>` },
  { name: "summary", title: "Summary", class: "wide", cell: (row) => html`<a class="quiet" href=${runHref(row.run)}>${plain(row.summary) || row.run}</a>` },
  { name: "duration", title: "Duration", class: "right", cell: (row) => html`<${Duration} from=${row.started_at ?? 0} to=${row.ended_at ?? 0} />` },
  { name: "tokens", title: "Tokens", class: "right slim", cell: (row) => html`<span class="num">${row.tokens ? count(row.tokens) : "–"}</span>` },
  { name: "cost", title: "Cost", class: "right slim", cell: (row) => html`<span class="num">${money(row.cost) || "–"}</span>` },
  { name: "asked", title: "Asked for", class: "right", cell: (row) => html`<${RelativeTime} at=${place(row)} />` },
];

const Past = ({ rows }) => html`<${Table} columns=${COLUMNS} rows=${rows} rowKey=${(row) => row.run} label="Past runs" />`;
