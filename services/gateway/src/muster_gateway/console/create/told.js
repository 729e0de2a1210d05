// What the validation of a text has found.
import { html } from "../html.js";
import { Icon, plain, plural } from "../ui.js";

/** The result of the validation: problems to go to, or the cases. */
export function Told({ check, seek, children }) {
  const { state, problems, cases, unread = [], error } = check;
  return html`<div id="problems" class="told told-${state}" role="status" aria-live="polite">
    ${state === "unknown" && html`<p class="told-head"><${Icon} name="warning" />Cannot be checked now: ${error.message}</p>`}
    ${state === "checking" && !problems.length && html`<p class="told-head dim"><${Icon} name="running" />Checking …</p>`}
    ${problems.length > 0 && html`<p class="told-head s-fail"><${Icon} name="fail" />${plural(problems.length, "problem")}</p><ul>${problems.map((one, index) => html`<li key=${index}>
      <button type="button" class="problem" onClick=${() => seek(one)}>${one.line > 0 && html`<span class="num dim">${one.line}:${one.column || 1}</span>`}<span>${plain(one.message)}</span></button></li>`)}</ul>`}
    ${state === "good" && html`<p class="told-head s-pass"><${Icon} name="pass" />${plural(cases.length, "case")}, ${plural(cases.reduce((sum, one) => sum + one.steps.length, 0), "step")}: can be run${unread.length > 0 && ", with a model"}</p>`}
    ${state === "good" && unread.length > 0 && html`<details><summary>${plural(unread.length, "sentence")} that no phrase reads</summary><ul>${unread.map((one, index) => html`<li key=${index}>${plain(one)}</li>`)}</ul></details>`}
    ${children}
  </div>`;
}
