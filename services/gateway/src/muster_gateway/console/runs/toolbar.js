// The filters of the list.
import { get } from "../api.js";
import { html, useEffect, useState } from "../html.js";
import { Icon, look, plain, word } from "../ui.js";
import { active, CAUSES, STATES, WITHIN } from "./filters.js";

const TYPING_MS = 250;
const STATE_WORDS = { waits: "Waits" };
/** The icon of a filter state, which also names its colour. */
const iconOf = (state) => (state === "waits" ? "parked" : look(state));

/** Filters for text, state, cause, suite, tag and time; `change` writes them into the address. */
export function Toolbar({ filters, change, search, rows }) {
  const [open, toggle] = useState(false);
  const suites = useSuites();
  const tags = [...new Set(rows.slice(0, 500).flatMap((row) => row.tags ?? []))].sort();
  const flip = (name, list, one) => change({ [name]: list.includes(one) ? list.filter((other) => other !== one) : [...list, one] });
  const set = active(filters);
  return html`<div class="toolbar" role="search">
    <div class="toolbar-first"><${Search} text=${filters.text} change=${change} field=${search} />
      <button type="button" class="button toolbar-toggle" aria-expanded=${String(open)} aria-controls="filters" onClick=${() => toggle(!open)}>
        Filters${set > 0 && html`<span class="count">${set}</span>`}</button></div>
    <div id="filters" class="toolbar-filters ${open ? "open" : ""}">
      <div class="chips" role="group" aria-label="Status">${STATES.map((one) => html`<button type="button" class="chip" key=${one} aria-pressed=${String(filters.states.includes(one))}
        onClick=${() => flip("status", filters.states, one)}><span class="s-${iconOf(one)}"><${Icon} name=${one === "running" ? "play" : iconOf(one)} /></span>${STATE_WORDS[one] ?? word(one)}</button>`)}</div>
      <${Choice} label="Cause" any="Any cause" value=${filters.causes[0] ?? ""} values=${CAUSES.map((one) => [one, one[0].toUpperCase() + one.slice(1)])} choose=${(cause) => change({ cause })} />
      <${Choice} label="Suite" any="Any suite" value=${filters.suite} values=${suites.map((one) => [one, plain(one)])} choose=${(suite) => change({ suite })} />
      <${Choice} label="Tag" any="Any tag" value=${filters.tag} values=${tags.map((one) => [one, plain(one)])} choose=${(tag) => change({ tag })} />
      <${Choice} label="Time" any="Any time" value=${filters.within} values=${Object.entries(WITHIN).map(([key, [told]]) => [key, told])} choose=${(within) => change({ within })} />
    </div></div>`;
}

function Choice({ label, any, value, values, choose }) {
  const all = value && !values.some(([key]) => key === value) ? [[value, value], ...values] : values;
  return html`<select class="input choice ${value ? "set" : ""}" aria-label=${label} value=${value} onChange=${(event) => choose(event.target.value)}>
    <option value="">${any}</option>${all.map(([key, told]) => html`<option key=${key} value=${key}>${told}</option>`)}</select>`;
}

function Search({ text, change, field }) {
  const [typed, type] = useState(text);
  useEffect(() => type(text), [text]);
  useEffect(() => {
    if (typed.trim() === text) return undefined;
    const timer = setTimeout(() => change({ text: typed.trim() }), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const leave = (event) => {
    if (event.key === "Escape") type(""), event.target.blur();
    else if (event.key === "Enter" || event.key === "ArrowDown") change({ text: typed.trim() }), event.target.blur();
  };
  return html`<label class="search"><${Icon} name="search" /><span class="sr">Search runs by name, id or summary</span>
    <input ref=${field} class="input" type="search" placeholder="Search name, id or summary" value=${typed} maxlength="200" spellcheck="false" autocomplete="off"
      onInput=${(event) => type(event.target.value)} onKeyDown=${leave} /></label>`;
}

/** Names of all suites, loaded on first use; empty on errors. */
function useSuites() {
  const [names, know] = useState([]);
  useEffect(() => {
    get("/suites").then((found) => know(found.suites.map((one) => one.name).filter(Boolean)), () => know([]));
  }, []);
  return names;
}
