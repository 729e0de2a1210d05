// The health page: which tests can be trusted, how the last days went, and fails that belong together.
import { get } from "../api.js";
import { html, useEffect, useState } from "../html.js";
import { poll } from "../live.js";
import { caseHref, pageHref, runHref, useQuery } from "../router.js";
import { Days } from "./days.js";
import { Button, count, duration, EmptyState, ErrorNote, Icon, Loading, money, plain, plural, RelativeTime, Table } from "../ui.js";

const EVERY_MS = 15_000;
const MOST_COSTLY = 10;
const AT_ONCE = 200;
const LOOKS = {
  broken: ["fail", "Broken", "It was healthy and fails since a certain run."],
  flaky: ["retrying", "Flaky", "It fails now and then, without order."],
  unknown: ["queued", "Unknown", "Too few runs to tell."],
  healthy: ["pass", "Healthy", "It hardly ever fails."],
};

/** Shows the health of the tests of all suites, or of the one in the query; polls. */
export function HealthPage() {
  const [query, change] = useQuery();
  const suite = query.get("suite") ?? "";
  const [suites, list] = useState([]);
  const [found, know] = useState(null);
  const [error, tell] = useState(null);
  useEffect(() => void get("/suites").then((all) => list(all.suites.map((one) => one.name).filter(Boolean)), () => {}), []);
  useEffect(() => (know(null), poll("/suites/analysis", () => ({ suite }), EVERY_MS, (told) => (know(told), tell(null)), (_, problem) => problem && tell(problem))), [suite]);
  return html`<div class="fleet"><div class="row between"><h1>Health</h1>
      <label class="row">Suite <select onChange=${(event) => change({ suite: event.target.value })}>
        <option value="" selected=${!suite}>All</option>${suites.map((one) => html`<option key=${one} value=${one} selected=${one === suite}>${plain(one)}</option>`)}</select></label></div>
    <${ErrorNote} error=${error} />
    ${found ? html`<${Found} found=${found} />` : !error && html`<${Loading} />`}</div>`;
}

function Found({ found }) {
  if (!found.cases.length) {
    return html`<${EmptyState} icon="tag" title="No test has ended yet" text="The health of a test is told from its newest 60 runs.">
      <a class="button" href=${pageHref("new")}>New run</a><//>`;
  }
  return html`<${Sums} cases=${found.cases} />
    <${Days} days=${found.days ?? []} />
    <${Tests} cases=${found.cases} />
    <${Costs} cases=${found.cases} />
    ${found.clusters.length > 0 && html`<section class="fleet-part" aria-label="Fails that look alike"><header><h2>Fails that look alike</h2>
      <p class="dim">The same cause, message, clause, page and request, numbers and ids aside; most frequent first.</p></header>
      <${Table} label="Fails that look alike" columns=${CLUSTERS} rows=${found.clusters.slice(0, AT_ONCE)} rowKey=${(row) => `${row.cause}/${row.signature}`} /></section>`}`;
}

/** The tests, worst first; thousands are shown some hundreds at a time, those whose names have a text alone. */
function Tests({ cases }) {
  const [text, search] = useState("");
  const [most, show] = useState(AT_ONCE);
  const wanted = text ? cases.filter((one) => one.name.toLowerCase().includes(text.toLowerCase())) : cases;
  return html`<section class="fleet-part" aria-label="Tests"><header><h2>Tests</h2><p class="dim">From the newest 60 runs that judged the product; worst first.</p>
      <span class="grow"></span>${cases.length > AT_ONCE && html`<input class="input" type="search" aria-label="Search tests" placeholder="Search" value=${text} onInput=${(event) => search(event.target.value)} />`}</header>
    <${Table} label="Tests" columns=${CASES} rows=${wanted.slice(0, most)} rowKey=${(row) => `${row.suite ?? ""}/${row.name}`} empty=${html`<p class="dim">No test has this in its name.</p>`} />
    ${wanted.length > most && html`<p><${Button} onClick=${() => show(most + AT_ONCE)}>Show ${Math.min(AT_ONCE, wanted.length - most)} of ${count(wanted.length - most)} more<//></p>`}</section>`;
}

/** The tests that have spent most on models, by cost and then by tokens; nothing if no test has. */
function Costs({ cases }) {
  const spent = cases.filter((one) => one.tokens > 0).sort((a, b) => (b.cost ?? 0) - (a.cost ?? 0) || b.tokens - a.tokens).slice(0, MOST_COSTLY);
  return spent.length > 0 && html`<section class="fleet-part" aria-label="What costs most"><header><h2>What costs most</h2>
      <p class="dim">Tokens of models in the newest 60 runs of each test, and what they came to.</p></header>
      <${Table} label="What costs most" columns=${COSTS} rows=${spent} rowKey=${(row) => `${row.suite ?? ""}/${row.name}`} /></section>`;
}

function Sums({ cases }) {
  const number = (health) => cases.filter((one) => one.health === health).length;
  return html`<dl class="tiles">${Object.entries(LOOKS).map(([health, [icon, word, means]]) => html`<div key=${health} title=${means}>
    <dt>${word}</dt><dd><b class="status s-${icon}"><${Icon} name=${icon} />${number(health)}</b></dd></div>`)}</dl>`;
}

function Health({ health, sure }) {
  const [icon, word, means] = LOOKS[health];
  return html`<span class="status s-${icon}" title=${sure ? `${means} Probability: ${Math.round(sure * 100)} %.` : means}><${Icon} name=${icon} /><span>${word}</span></span>`;
}

/** What is worth knowing beside the health. */
function notes(row) {
  return [
    row.flips > 1 && `changed ${row.flips} times`,
    row.passed_again > 0 && `passed again ${row.passed_again} of ${row.failed ?? 0} times`,
    row.unjudged > 0 && `${plural(row.unjudged, "run")} without a judgement`,
    row.slower > 0 && `${row.slower.toFixed(1)} times as slow as before`,
  ].filter(Boolean).join(", ");
}

const CASES = [
  { name: "health", title: "Health", cell: (row) => html`<${Health} health=${row.health} sure=${row.sure} />` },
  { name: "test", title: "Test", class: "wide", cell: (row) => html`<div><a href=${caseHref(row.name, { suite: row.suite })}>${plain(row.name)}</a> <span class="dim">
    ${[plain(row.suite), notes(row)].filter(Boolean).join(" · ")}</span></div>` },
  { name: "failed", title: "Failed", class: "right num", cell: (row) => html`${row.failed ?? 0} of ${row.runs}` },
  { name: "since", title: "Fails since", class: "right", cell: (row) => (row.broken_by ? html`<a href=${runHref(row.broken_by)}><${RelativeTime} at=${row.broken_since} /></a>` : html`<span class="dim">–</span>`) },
  { name: "time", title: "Duration", class: "right num slim", cell: (row) => (row.seconds ? duration(row.seconds) : html`<span class="dim">–</span>`) },
];

const COSTS = [
  { name: "test", title: "Test", class: "wide", cell: (row) => html`<a href=${caseHref(row.name, { suite: row.suite })}>${plain(row.name)}</a>` },
  { name: "runs", title: "Runs", class: "right num slim", cell: (row) => row.runs },
  { name: "tokens", title: "Tokens", class: "right num", cell: (row) => count(row.tokens) },
  { name: "cost", title: "Cost", class: "right num", cell: (row) => money(row.cost ?? 0) || html`<span class="dim">–</span>` },
];

const CLUSTERS = [
  { name: "what", title: "Fail", class: "wide", cell: (row) => html`<a class="quiet" href=${runHref(row.example)}>${plain(row.signature)}</a>` },
  { name: "runs", title: "Runs", class: "right num", cell: (row) => row.runs },
  { name: "tests", title: "Tests", class: "right num", cell: (row) => html`<span title=${row.cases.map(plain).join("\n")}>${row.cases.length}</span>` },
  { name: "first", title: "First", class: "right slim", cell: (row) => html`<${RelativeTime} at=${row.first_at} />` },
  { name: "last", title: "Last", class: "right", cell: (row) => html`<${RelativeTime} at=${row.last_at} />` },
];
