// The maps page: the maps of explored apps, or one of them.
import { html, useEffect, useState } from "../html.js";
import { poll } from "../live.js";
import { mapHref, pageHref, runHref } from "../router.js";
import { EmptyState, ErrorNote, Loading, plain, plural, RelativeTime, Table } from "../ui.js";
import { MapOfApp } from "./map.js";

const EVERY_MS = 10_000;

/** Lists the maps of all apps, newest first; with the run that made one, shows that map. */
export const MapsPage = ({ run }) => (run ? html`<${MapOfApp} run=${run} />` : html`<${MapList} />`);

function MapList() {
  const [maps, know] = useState(null);
  const [error, tell] = useState(null);
  useEffect(() => poll("/maps", () => ({}), EVERY_MS, (found) => (know(found.maps), tell(null)), (_, problem) => problem && tell(problem)), []);
  return html`<div class="fleet"><div class="row between"><h1>Maps</h1>${maps && html`<span class="dim">${plural(maps.length, "map")}</span>`}</div>
    <${ErrorNote} error=${error} />
    ${maps ? html`<${Table} label="Maps" columns=${COLUMNS} rows=${maps} rowKey=${(row) => row.run} empty=${NOTHING} />` : !error && html`<${Loading} />`}</div>`;
}

const NOTHING = html`<${EmptyState} icon="search" title="No app has been explored yet" text="muster explore URL --nats … explores one, as does POST /explorations.">
  <a class="button" href=${pageHref()}>Go to the runs</a><//>`;

const COLUMNS = [
  { name: "app", title: "App", class: "wide", cell: (row) => html`<a href=${mapHref(row.run)}>${plain(row.app)}</a>` },
  { name: "states", title: "States", class: "right num", cell: (row) => row.states ?? 0 },
  { name: "tried", title: "Moves tried", class: "right num", cell: (row) => `${row.edges ?? 0} of ${(row.edges ?? 0) + (row.open ?? 0)}` },
  { name: "findings", title: "Findings", class: "right num", cell: (row) => row.findings ?? 0 },
  { name: "run", title: "Run", class: "fixed", cell: (row) => html`<a class="quiet" href=${runHref(row.run)}><code>${plain(row.run)}</code></a>` },
  { name: "at", title: "Explored", class: "right slim", cell: (row) => html`<${RelativeTime} at=${row.at ?? 0} />` },
];
