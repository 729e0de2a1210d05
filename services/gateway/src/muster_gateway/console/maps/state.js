// One state of a map: its picture, the way to it, and what can be done there.
import { artifactHref, at, get } from "../api.js";
import { html, useEffect, useRef, useState } from "../html.js";
import { Shot } from "../run/pictures.js";
import { Button, ErrorNote, isolated, Loading, plain } from "../ui.js";
import { FindingLine } from "./lists.js";

/** Shows a state beside the map; `choose(id)` shows another one, or none. */
export function StateSide({ run, id, choose, enlarge }) {
  const [view, know] = useState(null);
  const [error, tell] = useState(null);
  const title = useRef(null);
  useEffect(() => {
    let current = true;
    tell(null);
    get(at("maps", run, "states", id)).then((found) => current && know(found), (problem) => current && tell(problem));
    return () => (current = false);
  }, [run, id]);
  const ready = view?.state.id === id;
  useEffect(() => ready && title.current?.focus(), [ready]);
  return html`<aside class="map-side" aria-label="State">
    <div class="row between"><h2 ref=${title} tabindex="-1"><bdi>${ready ? plain(view.state.title) : "…"}</bdi></h2><${Button} kind="icon" icon="close" label="Close the state" keys="Escape" onClick=${() => choose("")} /></div>
    <${ErrorNote} error=${error} />
    ${ready ? html`<${State} run=${run} view=${view} choose=${choose} enlarge=${enlarge} />` : !error && html`<${Loading} rows=${4} />`}</aside>`;
}

function State({ run, view, choose, enlarge }) {
  const { state, path, moves, left_out, findings } = view;
  return html`<p class="dim map-address"><bdi>${isolated(state.address)}</bdi></p>
    ${state.picture && html`<${Shot} run=${run} picture=${{ name: state.picture }} open=${enlarge} caption="As it was seen" />`}
    ${view.source && html`<p><a href=${artifactHref(run, view.source)}>Page source</a></p>`}
    ${findings.length > 0 && html`<section aria-label="Findings here"><h3>Findings</h3><ul class="map-list">${findings.map((one, index) => html`<li key=${index}><${FindingLine} finding=${one} /></li>`)}</ul></section>`}
    <section aria-label="The way here"><h3>The way here</h3>${path.length ? html`<ol class="map-list is-numbered">${path.map((step, index) => html`<li key=${index}>${plain(step)}</li>`)}</ol>` : html`<p class="dim">It is where the app starts.</p>`}</section>
    <section aria-label="What can be done here"><h3>What can be done here <span class="count">${state.tried}/${state.moves}</span></h3>
      ${moves.length ? html`<ul class="map-list">${moves.map((move, index) => html`<li key=${index}>${plain(move.text)} <${Outcome} move=${move} choose=${choose} /></li>`)}</ul>` : html`<p class="dim">Nothing.</p>`}</section>
    ${left_out.length > 0 && html`<section aria-label="Left out"><h3>Left out</h3><ul class="map-list">${left_out.map((one) => html`<li key=${one}>${plain(one)}</li>`)}</ul></section>`}`;
}

function Outcome({ move, choose }) {
  if (move.target) return html`<span>→ <button type="button" class="link" onClick=${() => choose(move.target)}><bdi>${isolated(move.title)}</bdi></button></span>`;
  return html`<span class="dim">${{ open: "not tried", reached: "" }[move.outcome] ?? move.outcome}${move.said && `: ${plain(move.said)}`}</span>`;
}
