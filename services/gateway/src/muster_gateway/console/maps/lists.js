// The tables of a map: states, coverage by page and by element, findings.
import { html, useState } from "../html.js";
import { Shot } from "../run/pictures.js";
import { EmptyState, Icon, isolated, plain, plural, Table } from "../ui.js";

const spoken = (kind) => kind.replaceAll("_", " ");

/** All states with what was tried in each. */
export function States({ states, choose }) {
  const [text, write] = useState("");
  const wanted = text.trim().toLowerCase();
  const found = states.filter((one) => `${one.title} ${one.address}`.toLowerCase().includes(wanted));
  return html`<p><input class="input library-search" type="search" aria-label="Search states" placeholder="Title or address" value=${text} onInput=${(event) => write(event.target.value)} /></p>
    <${Table} label="States" columns=${stateColumns(choose)} rows=${found.slice(0, MOST)} rowKey=${(row) => row.id} empty=${html`<${EmptyState} icon="search" title="No state fits" text="Search for a part of its title or address." />`} />
    ${found.length > MOST && html`<p class="dim">… and ${found.length - MOST} more.</p>`}`;
}

const MOST = 500;

const stateColumns = (choose) => [
  { name: "title", title: "State", class: "wide", cell: (row) => html`<div><button type="button" class="link" onClick=${() => choose(row.id)}><bdi>${isolated(row.title)}</bdi></button>${row.goal && html` <span class="tag">goal</span>`}${row.outside && html` <span class="tag">outside</span>`}
    <div class="dim map-address"><bdi>${isolated(row.address)}</bdi></div></div>` },
  { name: "depth", title: "From the start", class: "right num", cell: (row) => row.depth },
  { name: "tried", title: "Moves tried", class: "right", cell: (row) => html`<${Share} row=${row} />` },
  { name: "findings", title: "Findings", class: "right num", cell: (row) => row.findings },
];

function Share({ row }) {
  const share = row.moves ? Math.min(1, row.tried / row.moves) : 1;
  return html`<span class="progress s-running"><span class="progress-bar"><i style=${{ width: `${share * 100}%` }}></i></span><span class="num">${row.tried}/${row.moves}</span></span>`;
}

const coverage = (title) => [
  { name: "name", title, class: "wide", cell: (row) => html`<bdi class="map-address">${plain(row.name)}</bdi>` },
  { name: "states", title: "States", class: "right num", cell: (row) => row.states },
  { name: "tried", title: "Moves tried", class: "right", cell: (row) => html`<${Share} row=${row} />` },
];

export const PageCoverage = ({ rows }) => html`<section class="fleet-part" aria-label="By page"><header><h2>By page</h2><p class="dim">Numbers and ids in addresses aside.</p></header>
  <${Table} label="Coverage by page" columns=${coverage("Page")} rows=${rows} rowKey=${(row) => row.name} /></section>`;

export const ElementCoverage = ({ rows }) => html`<section class="fleet-part" aria-label="By element"><header><h2>By element</h2></header>
  <${Table} label="Coverage by element" columns=${coverage("Element")} rows=${rows} rowKey=${(row) => row.name} /></section>`;

/** A finding in one line. */
export const FindingLine = ({ finding }) => html`<span class="s-fail"><${Icon} name="warning" /></span> <b>${spoken(finding.kind)}</b>: ${plain(finding.text)}`;

/** What is wrong, with pictures. */
export function Findings({ run, findings, choose, enlarge }) {
  if (!findings.length) return html`<${EmptyState} icon="pass" title="Nothing wrong was found" text="Errors of servers and scripts, dead links, broken pictures, crashes and bad accessibility would stand here." />`;
  return html`<ul class="map-findings">${findings.map((one, index) => html`<li key=${index}>
    ${one.picture && html`<${Shot} run=${run} picture=${{ name: one.picture }} open=${enlarge} caption=" " />`}<div><p><${FindingLine} finding=${one} /></p>
    <p class="dim map-address">${one.request ? plain(one.request) : plain(one.address)}</p>
    <p class="dim">${plural(one.times, "time")}${one.pages > 1 && ` on ${one.pages} pages`}${one.case ? "; muster explore --emit writes a case that shows it" : `; no case shows it: ${one.no_case}`}${one.state && html` · <button type="button" class="link" onClick=${() => choose(one.state)}>Show the state</button>`}</p></div></li>`)}</ul>`;
}
