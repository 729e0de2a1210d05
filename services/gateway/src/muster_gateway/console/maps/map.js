// One map: its head with the versions of the app's map, and its tabs.
import { at, get } from "../api.js";
import { html, useEffect, useState } from "../html.js";
import { mapHref, navigate, pageHref, runHref, useQuery } from "../router.js";
import { ErrorNote, Icon, isolated, Loading, moment, plain, Tabs, useKeys } from "../ui.js";
import { Large, Kept } from "../run/pictures.js";
import { Changes } from "./changes.js";
import { Graph } from "./graph.js";
import { ElementCoverage, Findings, PageCoverage, States } from "./lists.js";
import { StateSide } from "./state.js";

const FORMATS = [["json", "JSON"], ["mermaid", "Mermaid"], ["graphml", "GraphML"]];

/** Shows the map that a run has made. Tab, state and the map that it is compared with stand in the address. */
export function MapOfApp({ run }) {
  const [query, change] = useQuery();
  const [map, know] = useState(null);
  const [error, tell] = useState(null);
  const [large, enlarge] = useState(null);
  const load = () => (tell(null), get(at("maps", run)).then(know, tell));
  useEffect(() => void load(), [run]);
  const state = query.get("state") ?? "";
  const tab = TABS.includes(query.get("tab")) ? query.get("tab") : "graph";
  useKeys([{ keys: "Escape", does: "Close the state", group: "Map", run: () => state && change({ state: "" }) }]);
  if (!map) return html`<div class="fleet"><h1>Map</h1><${ErrorNote} error=${error} retry=${load} />${!error && html`<${Loading} />`}</div>`;
  const choose = (id) => change({ state: id });
  const names = new Set([...map.states, ...map.findings].map((one) => one.picture).filter(Boolean));
  return html`<${Kept.Provider} value=${{ names, over: true }}><div class="fleet map">
    <${Head} map=${map} />
    <${Tabs} tabs=${titled(map)} chosen=${tab} label="Parts of the map" onChoose=${(name) => change({ tab: name === "graph" ? "" : name })} />
    <div class="map-body ${state ? "has-state" : ""}"><div id="panel-${tab}" role="tabpanel" aria-labelledby="tab-${tab}" class="map-panel">${shown(tab, map, state, choose, enlarge)}</div>
      ${state && html`<${StateSide} run=${run} id=${state} choose=${choose} enlarge=${enlarge} />`}</div>
    ${large && html`<${Large} run=${run} picture=${large} close=${() => enlarge(null)} />`}</div><//>`;
}

const TABS = ["graph", "states", "coverage", "findings", "changes"];

const titled = (map) => [
  { name: "graph", title: "Graph" },
  { name: "states", title: "States", count: map.states.length },
  { name: "coverage", title: "Coverage" },
  { name: "findings", title: "Findings", count: map.findings.length },
  { name: "changes", title: "Changes" },
];

function shown(tab, map, state, choose, enlarge) {
  switch (tab) {
    case "states":
      return html`<${States} states=${map.states} choose=${choose} />`;
    case "coverage":
      return html`<${PageCoverage} rows=${map.pages} /><${ElementCoverage} rows=${map.elements} />`;
    case "findings":
      return html`<${Findings} run=${map.row.run} findings=${map.findings} choose=${choose} enlarge=${enlarge} />`;
    case "changes":
      return html`<${Changes} map=${map} choose=${choose} />`;
    default:
      return html`<${Graph} drawing=${map.drawing} chosen=${state} choose=${choose} />`;
  }
}

function Head({ map }) {
  const { row, versions } = map;
  const tried = row.edges ?? 0;
  const file = (format) => `${at("maps", row.run)}/file?format=${format}`;
  return html`<header class="map-head">
    <nav class="run-crumbs dim" aria-label="Where this map belongs"><a href=${pageHref("maps")}>Maps</a><span aria-hidden="true">/</span><a href=${runHref(row.run)}><code>${plain(row.run)}</code></a></nav>
    <div class="row between"><h1><bdi>${isolated(row.app)}</bdi></h1><span class="row map-files">${FORMATS.map(([format, title]) => html`<a key=${format} class="button small" href=${file(format)} download><${Icon} name="download" />${title}</a>`)}</span></div>
    <dl class="run-facts"><div><dt>States</dt><dd>${row.states ?? 0}</dd></div><div><dt>Moves tried</dt><dd>${tried} of ${tried + (row.open ?? 0)}</dd></div>
      <div><dt>Findings</dt><dd>${row.findings ?? 0}</dd></div><div><dt>Steps</dt><dd>${map.steps}</dd></div><div><dt>Policy</dt><dd>${map.policy.join(", ")}, seed ${map.seed}</dd></div>
      <div><dt>Explored</dt><dd>${versions.length > 1 ? html`<select aria-label="Version" onChange=${(event) => navigate(mapHref(event.target.value))}>
        ${versions.map((one) => html`<option key=${one.run} value=${one.run} selected=${one.run === row.run}>${moment(one.at ?? 0)}</option>`)}</select>` : row.at ? moment(row.at) : "–"}</dd></div></dl>
    ${row.over && html`<p class="dim map-over">${plain(row.over)}</p>`}</header>`;
}
