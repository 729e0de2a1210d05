// Settings next to the text of a case.
import { html } from "../html.js";
import { plain } from "../ui.js";
import { placeholders } from "./text.js";

/** Suite, tags, priority and variables, which override those in the text; and the parsed cases. */
export function Settings({ settings, set, check }) {
  const change = (name) => (event) => set({ ...settings, [name]: event.target.value });
  const suites = [...new Set(check.requests.map((one) => one.suite).filter(Boolean))].join(", ");
  return html`<aside class="create-side" aria-label="Settings of the run">
    <div class="panel fields"><h2>Settings</h2>
      <label class="field"><span>Suite</span><input value=${settings.suite} placeholder=${plain(suites) || "none"} maxlength="200" onInput=${change("suite")} /></label>
      <label class="field"><span>More tags, parted by commas</span><input value=${settings.tags} maxlength="500" onInput=${change("tags")} /></label>
      <label class="field"><span>Priority</span><select value=${settings.priority} onChange=${change("priority")}>
        <option value="">As in the text, or normal</option><option value="critical">Critical: before all others</option><option value="high">High: before others in a busy fleet</option><option value="normal">Normal</option></select></label>
      <${Variables} settings=${settings} set=${set} cases=${check.cases} /></div>
    <${Understood} cases=${check.cases} stale=${check.state !== "good"} />
  </aside>`;
}

function Variables({ settings, set, cases }) {
  const found = placeholders(cases);
  const secrets = [...new Set(cases.flatMap((one) => one.secrets ?? []))];
  const write = (name, value) => set({ ...settings, variables: { ...settings.variables, [name]: value } });
  return html`${found.length > 0 && html`<h3>Variables</h3>`}
    ${found.map(({ name, set: value }) => html`<label class="field" key=${name}><span class="mono">${name}</span>
      <input class=${value === undefined && !settings.variables[name] ? "missing" : ""} value=${settings.variables[name] ?? ""} placeholder=${value === undefined ? "needs a value" : value || "empty"}
        onInput=${(event) => write(name, event.target.value)} /></label>`)}
    ${secrets.length > 0 && html`<p class="hint dim">Secrets come from the workers: ${secrets.map((one) => html`<code key=${one}>${one}</code> `)}</p>`}`;
}

function Understood({ cases, stale }) {
  if (!cases.length) return null;
  return html`<div class="understood ${stale ? "stale" : ""}"><h2>As it is understood</h2>${cases.slice(0, 20).map((one, index) => html`<details key=${index} open=${cases.length === 1}>
    <summary><span class="cut">${plain(one.name)}</span><span class="count">${one.steps.length}</span></summary>
    <ol>${(one.preconditions ?? []).map((text, at) => html`<li key=${`p${at}`}><span class="dim">First:</span> ${plain(text)}</li>`)}
      ${one.steps.map((step, at) => html`<li key=${at}>${plain(step.action)}${step.expected && html`<p class="dim">${plain(step.expected)}</p>`}</li>`)}</ol></details>`)}
    ${cases.length > 20 && html`<p class="dim">and ${cases.length - 20} more</p>`}</div>`;
}
