// What is different between this map and an earlier one of the app.
import { at, get } from "../api.js";
import { html, useEffect, useState } from "../html.js";
import { useQuery } from "../router.js";
import { EmptyState, ErrorNote, isolated, Loading, moment, plain, plural } from "../ui.js";
import { FindingLine } from "./lists.js";

/** Compares with the map in the query, by default with the one before. */
export function Changes({ map, choose }) {
  const [query, change] = useQuery();
  const { row, versions } = map;
  const others = versions.filter((one) => one.run !== row.run);
  const base = query.get("base") ?? others.find((one) => (one.at ?? 0) < (row.at ?? 0))?.run ?? others[0]?.run ?? "";
  const [found, know] = useState(null);
  const [error, tell] = useState(null);
  useEffect(() => {
    know(null), tell(null);
    if (base) get(`${at("maps", row.run)}/changes`, { base }).then(know, tell);
  }, [row.run, base]);
  if (!base) return html`<${EmptyState} icon="parked" title="There is no other map of this app" text="Explore it again, and what is new, gone or changed stands here." />`;
  return html`<p><label class="row">Compared with <select onChange=${(event) => change({ base: event.target.value })}>${others.map((one) => html`<option key=${one.run} value=${one.run} selected=${one.run === base}>${moment(one.at ?? 0)}, ${plural(one.states ?? 0, "state")}</option>`)}</select></label></p>
    <${ErrorNote} error=${error} />
    ${found ? html`<${Found} found=${found} choose=${choose} />` : !error && html`<${Loading} />`}`;
}

function Found({ found, choose }) {
  const some = Object.values(found).some((list) => list.length);
  if (!some) return html`<${EmptyState} icon="pass" title="Nothing is different" text="Both maps have the same states, moves and findings." />`;
  return html`<${Part} title="New" list=${found.new} line=${(one) => html`<button type="button" class="link" onClick=${() => choose(one.id)}><bdi>${isolated(one.title)}</bdi></button> <span class="dim map-address">${plain(one.address)}</span>`} />
    <${Part} title="Gone" list=${found.gone} line=${(one) => html`<bdi>${isolated(one.title)}</bdi> <span class="dim map-address">${plain(one.address)}</span>`} />
    <${Part} title="Changed" list=${found.changed} line=${(one) => html`<bdi>${isolated(one.title)}</bdi> <span class="dim map-address">${plain(one.address)}</span><ul class="map-list">${one.changes.map((what) => html`<li key=${what}>${plain(what)}</li>`)}</ul>`} />
    <${Part} title="New findings" list=${found.new_findings} line=${(one) => html`<${FindingLine} finding=${one} />`} />
    <${Part} title="Mended" list=${found.mended} line=${(one) => html`<b>${one.kind.replaceAll("_", " ")}</b>: ${plain(one.text)}`} />`;
}

const Part = ({ title, list, line }) => list.length > 0 && html`<section class="fleet-part" aria-label=${title}><header><h2>${title} <span class="count">${list.length}</span></h2></header>
  <ul class="map-list">${list.map((one, index) => html`<li key=${index}>${line(one)}</li>`)}</ul></section>`;
