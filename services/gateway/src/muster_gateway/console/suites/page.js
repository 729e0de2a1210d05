// The suites page.
import { get, post } from "../api.js";
import { byCase, Strip } from "../history/past.js";
import { html, useEffect, useRef, useState } from "../html.js";
import { poll } from "../live.js";
import { caseHref, pageHref, useQuery, withQuery } from "../router.js";
import { place } from "../runs/filters.js";
import { Button, Duration, EmptyState, ErrorNote, Icon, Liveness, Loading, plain, plural, RelativeTime, Status, toast, useForbidden, useKeys } from "../ui.js";

const EVERY_MS = 4000;
const RUNS = 500;
const PAGES = 8;

/** Lists suites with the newest result of each case; an expanded suite lists its cases. */
export function SuitesPage() {
  const [suites, know] = useState(null);
  const [state, become] = useState("connecting");
  const [error, tell] = useState(null);
  const [query, change] = useQuery();
  const open = query.getAll("open");
  const polling = useRef(null);
  useEffect(() => (polling.current = poll("/suites", () => ({}), EVERY_MS, (found) => know(found.suites), (state, problem) => (become(state === "live" ? "polling" : state), tell(problem)))), []);
  const toggle = (name) => change({ open: open.includes(name) ? open.filter((one) => one !== name) : [...open, name] });
  useKeys([
    { keys: "j", does: "Next suite", group: "List", run: () => step(1) },
    { keys: "k", does: "Previous suite", group: "List", run: () => step(-1) },
  ]);
  return html`<div class="page-head"><h1>Suites</h1><span class="grow"></span>${suites && html`<span class="dim">${plural(suites.length, "suite")}</span>`}<${Liveness} state=${state} /></div>
    <${ErrorNote} error=${state === "away" ? error : null} retry=${() => polling.current?.now()} />
    ${!suites ? !error && html`<${Loading} />` : suites.length ? suites.map((suite) => html`<${Suite} key=${suite.name} suite=${suite} open=${open.includes(suite.name)} toggle=${() => toggle(suite.name)} />`)
    : html`<${EmptyState} icon="tag" title="No suites yet" text="A run belongs to a suite when its case names one; cases of one folder share the folder's name."><a class="button" href=${pageHref("new")}>New run</a><//>`}`;
}

/** Move the focus to the next or previous suite. */
function step(by) {
  const all = [...document.querySelectorAll(".suite-toggle")];
  const here = all.indexOf(document.activeElement);
  all[Math.max(0, Math.min(all.length - 1, here + by))]?.focus();
}

function Suite({ suite, open, toggle }) {
  const name = plain(suite.name) || "No suite";
  return html`<section class="suite ${open ? "open" : ""}">
    <div class="suite-head"><button type="button" class="suite-toggle" aria-expanded=${String(open)} onClick=${toggle}>
        <${Icon} name=${open ? "down" : "right"} /><span class="suite-name">${name}</span><span class="suite-size dim">${plural(suite.cases ?? suite.passed + suite.failed + suite.running, "case")}, ${plural(suite.runs, "run")}</span></button>
      <${Shares} suite=${suite} />
      <span class="suite-when">${suite.newest && html`<${RelativeTime} at=${place(suite.newest)} />`}</span>
      <span class="suite-acts">${suite.name && html`<${Acts} suite=${suite} />`}</span></div>
    ${open && html`<${Cases} suite=${suite} />`}
  </section>`;
}

const Acts = ({ suite }) => html`${suite.failed > 0 && html`<${RerunFailed} suite=${suite.name} />`}
  <a class="button small" href=${pageHref("", { suite: suite.name })}>Runs</a>
  <a class="button small" href=${withQuery("/suites/report", { suite: suite.name, format: "junit" })} download title="JUnit report of the newest runs"><${Icon} name="download" />JUnit</a>`;

/** Results of the cases as a bar with numbers and icons. */
function Shares({ suite }) {
  const parts = [["pass", suite.passed], ["fail", suite.failed], ["running", suite.running]].filter(([, number]) => number > 0);
  const total = parts.reduce((sum, [, number]) => sum + number, 0) || 1;
  return html`<span class="shares"><span class="shares-bar" aria-hidden="true">${parts.map(([kind, number]) => html`<i key=${kind} class="s-${kind}" style=${{ width: `${(number / total) * 100}%` }}></i>`)}</span>
    <span class="shares-told">${parts.map(([kind, number]) => html`<span key=${kind} class="status s-${kind}" title=${`${number} ${{ pass: "passed", fail: "failed", running: "under way" }[kind]}`}><${Icon} name=${kind} />${number}</span>`)}</span></span>`;
}

function RerunFailed({ suite }) {
  const [busy, work] = useState(false);
  const why = useForbidden("runner");
  const start = async () => {
    work(true);
    try {
      const { runs } = await post(withQuery("/suites/rerun-failed", { suite }));
      toast(runs.length ? `${plural(runs.length, "run")} submitted` : "Nothing to rerun: it is already running", "good");
    } catch (error) {
      toast(error.message, "bad");
    }
    work(false);
  };
  return html`<${Button} kind="small" icon="retrying" why=${why} busy=${busy} onClick=${start}>Rerun failed<//>`;
}

/** The cases of a suite with their newest runs; loads pages until each was seen, within a time limit. */
async function casesOf({ name, cases }) {
  const rows = [];
  let cursor = "";
  for (let page = 0; page < PAGES; page++) {
    const found = await get("/runs", { suite: name, limit: RUNS, cursor });
    rows.push(...found.runs.filter((row) => (row.suite ?? "") === name));
    cursor = found.cursor;
    if (!cursor || byCase(rows).length >= cases) break;
  }
  return byCase(rows);
}

function Cases({ suite }) {
  const [cases, know] = useState(null);
  const [error, tell] = useState(null);
  const newest = suite.newest ? `${suite.newest.run}/${suite.newest.status}/${suite.passed}/${suite.failed}` : "";
  useEffect(() => {
    let here = true;
    casesOf(suite).then((found) => here && (know(found), tell(null)), (problem) => here && tell(problem));
    return () => (here = false);
  }, [newest]);
  if (error) return html`<${ErrorNote} error=${error} />`;
  if (!cases) return html`<${Loading} rows=${3} />`;
  return html`<ul>${cases.map(({ name, rows }) => html`<${Case} key=${name} name=${name} suite=${suite.name} rows=${rows} />`)}</ul>`;
}

function Case({ name, suite, rows }) {
  const [newest] = rows;
  return html`<li class="case"><${Status} status=${newest.status} cause=${newest.cause} quiet=${true} />
    <a class="case-name stretched" href=${caseHref(name, { suite })}>${plain(name)}</a>
    <${Strip} rows=${rows} /><span class="case-time"><${Duration} from=${newest.started_at ?? 0} to=${newest.ended_at ?? 0} /></span>
    <span class="case-when"><${RelativeTime} at=${place(newest)} /></span></li>`;
}
