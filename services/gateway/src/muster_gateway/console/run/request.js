// The case as submitted, with variables and limits.
import { html } from "../html.js";
import { EmptyState, isolated, plain } from "../ui.js";
import { Long } from "./texts.js";

/** The case of a run. */
export function RequestTab({ view }) {
  const { request } = view;
  if (!request) return html`<${EmptyState} title="The request is no longer stored" text="Only the run's row is known." />`;
  const { job } = request;
  const limits = Object.entries(request.limits ?? {});
  const facts = [["id", view.run.run], ["priority", request.priority ?? "normal"], ["suite", request.suite],
    ["idempotency key", request.idempotency_key], ["repeats", request.rerun_of], ["webhook", request.webhook],
    ["secrets", (job.secrets ?? []).join(", ")], ["domains", (job.domains ??
      []).join(", ")], ...limits.map(([name, value]) => [name.replaceAll("_", " "), value])].filter(([, value]) => value);
  return html`<div class="run-request">
    ${job.preconditions?.length > 0 && html`<section><h3>Preconditions</h3><ul class="run-written">
      ${job.preconditions.map((text, at) => html`<li key=${at}><bdi>${isolated(text)}</bdi></li>`)}</ul></section>`}
    ${job.steps?.length > 0 && html`<section><h3>Steps as written</h3><ol class="run-written">
      ${job.steps.map((step, at) => html`<li key=${at}><span class="dim num">${at + 1}</span><div><bdi>${isolated(step.action)}</bdi>
      ${step.expected && html`<p class="run-expects"><span class="dim">expects</span> <bdi>${isolated(step.expected)}</bdi></p>`}</div>
      </li>`)}</ol></section>`}
    <${Named} title="Variables" named=${job.variables} />
    <section><h3>Request</h3><dl class="run-pairs">${facts.map(([name, value]) => html`<dt key=${name}>${name}</dt><dd class="mono"><bdi>
      ${plain(value)}</bdi></dd>`)}</dl></section>
    <details><summary>As JSON</summary><${Long} text=${JSON.stringify(request, null, 2)} /></details>
  </div>`;
}

function Named({ title, named }) {
  const found = Object.entries(named ?? {});
  if (!found.length) return null;
  return html`<section><h3>${title}</h3><dl class="run-pairs">${found.map(([name, value]) => html`<dt key=${name} class="mono">
    ${plain(name)}</dt><dd class="mono"><bdi>${isolated(value)}</bdi></dd>`)}</dl></section>`;
}
