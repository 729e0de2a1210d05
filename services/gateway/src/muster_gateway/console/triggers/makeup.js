// The form that has a trigger make up for times of its schedule that have passed.
import { at, post } from "../api.js";
import { html, useState } from "../html.js";
import { Button, ErrorNote, toast, useForbidden } from "../ui.js";

const MINUTE_MS = 60_000;

/** A moment as the fields take it: `2026-11-24T12:00`, in the local time zone. */
const local = (moment) => new Date(moment - new Date(moment).getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 16);

/** Asks for a span; its times are made up for one after the other. */
export function MakeUp({ id, again }) {
  const [from, begin] = useState(() => local(Date.now() - 24 * 60 * MINUTE_MS));
  const [to, end] = useState(() => local(Date.now()));
  const [busy, work] = useState(false);
  const [error, tell] = useState(null);
  const why = useForbidden("runner") || (from && to ? "" : "Name both moments first.");
  const ask = async (event) => {
    event.preventDefault();
    if (why) return toast(why);
    work(true);
    tell(null);
    try {
      await post(at("triggers", id, "backfill"), { from: new Date(from).toISOString(), to: new Date(to).toISOString() });
      toast(`${id}: an orchestrator makes up for the times in this span`, "good");
      again();
    } catch (problem) {
      tell(problem);
    }
    work(false);
  };
  return html`<details><summary>Make up for times that have passed</summary>
    <form class="row" onSubmit=${ask}><label class="row">From <input class="input" type="datetime-local" value=${from} onInput=${(event) => begin(event.target.value)} /></label>
      <label class="row">to <input class="input" type="datetime-local" value=${to} onInput=${(event) => end(event.target.value)} /></label>
      <${Button} kind="small" icon="retrying" why=${why} busy=${busy} type="submit">Make up<//></form>
    <p class="dim">In your time zone; 100 times at most, one after the other. A time whose runs were started before starts none.</p>
    <${ErrorNote} error=${error} /></details>`;
}
