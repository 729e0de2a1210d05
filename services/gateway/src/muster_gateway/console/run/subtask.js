// A sub-task: its description, evidence, calls, and cost.
import { html } from "../html.js";
import { clock, count, EmptyState, ErrorNote, isolated, Loading, money, plain, Status, took } from "../ui.js";
import { Moments, Stored } from "./calls.js";
import { Evidence } from "./evidence.js";
import { tokensOf } from "./model.js";
import { Shot } from "./pictures.js";
import { Badges } from "./plan.js";
import { Long } from "./texts.js";

/** The selected sub-task; `asked` is the result of `useNode`, `attempt` the number of the attempt to show (0: the last). */
export function SubTask({ view, node, asked, attempt, choose, openPicture }) {
  if (!node) return html`<${EmptyState} title="No sub-task yet" text="They appear here as soon as the run is planned." />`;
  const attempts = asked.detail?.attempts ?? [];
  const shown = attempts.find((one) => one.attempt === attempt) ?? attempts.at(-1);
  return html`<article class="run-task">
    <header><div class="row"><${Status} status=${node.state} /><${Badges} node=${node} beside /></div>
      <h2>${node.number > 0 && html`<span class="dim num">${node.number}. </span>`}<bdi>${isolated(node.title)}</bdi></h2></header>
    <${Attempts} node=${node} attempts=${attempts} shown=${shown} choose=${choose} />
    ${asked.error && html`<${ErrorNote} error=${asked.error} title="The sub-task's journal cannot be read"
      retry=${() => asked.again(0)} />`}
    ${shown ? html`<${Attempt} view=${view} node=${node} attempt=${shown} openPicture=${openPicture} />`
      : html`<${Bare} node=${node} loading=${!asked.detail && !asked.error} openPicture=${openPicture} />`}
  </article>`;
}

function Attempts({ node, attempts, shown, choose }) {
  if (attempts.length < 2) return null;
  return html`<div class="row run-attempts" role="group" aria-label="Attempts">
    ${attempts.map((one) => html`<button type="button" class="chip" key=${one.attempt}
    aria-pressed=${String(one === shown)}
      onClick=${() => choose(one.attempt)}>Attempt ${one.attempt}${one.result && html` · ${node.state === "done" && one.result.status === "pass" ? "done" : one.result.status}`}</button>`)}</div>`;
}

// A sub-task without attempts.
function Bare({ node, loading, openPicture }) {
  if (loading && node.state !== "waiting" && node.state !== "skipped") return html`<${Loading} rows=${4} />`;
  return html`${node.clauses.length > 0 && html`<section><h3>Expected</h3>
      <${Evidence} clauses=${node.clauses} over=${node.state === "skipped"} openPicture=${openPicture} /></section>`}
    <p class="dim">${node.state === "skipped" ? "It was not started." : "It has not started yet."}</p>`;
}

function Attempt({ view, node, attempt, openPicture }) {
  const { result, clauses, moments } = attempt;
  const over = !!result || ["passed", "done", "failed", "cancelled"].includes(node.state);
  const run = view.run.run;
  const files = attempt.artifacts.map((name) => ({ name, element: attempt.element }));
  return html`${attempt.notice && html`<p class="run-warning"><bdi>${isolated(attempt.notice)}</bdi></p>`}
    ${result && html`<${Outcome} attempt=${attempt} />`}
    ${node.refusals?.length > 0 && html`<section><h3>Refused calls <span class="count">${node.refusals.length}</span></h3>
      <ul class="run-refusals">${node.refusals.map((text, at) => html`<li key=${at} class="mono"><bdi>${isolated(text)}</bdi></li>`)}</ul></section>`}
    ${clauses.length > 0 && html`<section id="run-evidence" tabindex="-1">
      <h3>Expected, and the evidence</h3><${Evidence} clauses=${clauses} over=${over} openPicture=${openPicture} /></section>`}
    ${attempt.healing && html`<${Healing} run=${run} healing=${attempt.healing} openPicture=${openPicture} />`}
    <section><h3>What it did${moments.length > 0 && html` <span class="count">${moments.length}</span>`}</h3>
      ${moments.length ? html`<${Moments} run=${run} moments=${moments} startedAt=${attempt.dispatched_at} openPicture=${openPicture} />`
        : html`<p class="dim">${over ? "No call is recorded." : "Nothing yet."}</p>`}</section>
    ${files.length > 0 && html`<section><h3>Files</h3>
      <${Stored} run=${run} files=${files} openPicture=${openPicture} /></section>`}
    <${Captured} outputs=${result?.output?.captured} />
    ${attempt.told && html`<details><summary>Summary of earlier steps given to the sub-agent</summary>
      <${Long} text=${attempt.told} /></details>`}
    ${attempt.retried && html`<p class="run-warning">Tried again: <bdi>${isolated(attempt.retried)}</bdi></p>`}
    <${Facts} node=${node} attempt=${attempt} />`;
}

// The result of an attempt, without what the evidence below shows.
function Outcome({ attempt }) {
  const { result, refused, findings = {} } = attempt;
  const decision = result.output?.decision;
  return html`<div class="run-outcome ${result.status !== "pass" ? "is-bad" : ""}"><p><bdi>${isolated(result.summary)}</bdi></p>
    ${refused && html`<p class="run-warning">${refused}</p>`}
    ${decision && html`<p>Decision: <b>${decision.action}</b>${decision.recovery && html` — <bdi>${isolated(decision.recovery)}
      </bdi>`}${decision.reason && html` (<bdi>${isolated(decision.reason)}</bdi>)`}</p>`}
    <dl class="run-pairs">${Object.entries(findings).map(([name, text]) => html`<dt key=${name}>${name}</dt>
      <dd class=${name === "where" ? "mono" : ""}><bdi>${isolated(text)}</bdi>
      </dd>`)}</dl></div>`;
}

// Where the recording of a step no longer fitted: what was recorded, what was done instead, and what became of it.
function Healing({ run, healing, openPicture }) {
  const { key, reason, why, policy, outcome, accepted, lines = [], pictures = [] } = healing;
  const facts = Object.entries({ why, policy, outcome, recording: key }).filter(([, text]) => text);
  return html`<section class="run-healing"><h3>The recording missed <span class="dim">(${reason})</span></h3>
    <dl class="run-pairs">${facts.map(([name, text]) => html`<dt key=${name}>${name}</dt>
      <dd class=${name === "outcome" && !accepted ? "is-bad" : ""}><bdi>${isolated(text)}</bdi></dd>`)}</dl>
    ${lines.length > 0 && html`<pre class="run-diff">${lines.map(({ mark, text }, at) => html`<span key=${at}
      class=${MARKS[mark]}>${mark} <bdi>${isolated(text)}</bdi>${"\n"}</span>`)}</pre>`}
    ${pictures.map((name) => html`<${Shot} key=${name} run=${run} picture=${{ name }} open=${openPicture}
      caption="Where it missed" />`)}</section>`;
}

const MARKS = { "-": "is-old", "+": "is-new", " ": "" };

function Captured({ outputs }) {
  const named = Object.entries(outputs ?? {});
  if (!named.length) return null;
  return html`<section><h3>Remembered</h3><dl class="run-pairs">${named.map(([name, value]) => html`<dt key=${name} class="mono">
    ${plain(name)}</dt><dd><${Long} text=${value} /></dd>`)}</dl></section>`;
}

function Facts({ node, attempt }) {
  const { result, takers } = attempt;
  const usage = result?.usage ?? {};
  const first = takers[0];
  const waited = first?.at && attempt.dispatched_at ? first.at - attempt.dispatched_at : 0;
  const facts = [
    ["worker", result?.worker ?? takers.at(-1)?.worker],
    ["taken over", attempt.takeovers ? `${attempt.takeovers} ×` : ""],
    ["begun", attempt.dispatched_at ? clock(attempt.dispatched_at) : ""],
    ["took", took((attempt.ended_at || 0) - attempt.dispatched_at) || took(usage.seconds)],
    ["waited for a worker", waited >= 0.5 ? took(waited) : ""],
    ["done by", result?.source],
    ["tool calls", usage.calls],
    ["model calls", usage.model_calls],
    ["tokens", tokensOf(usage) ? `${count(usage.input_tokens ?? 0)} in, ${count(usage.output_tokens ?? 0)} out` : ""],
    ["cost", money(usage.cost)],
    ["iterations", result?.iterations],
    ["kind", node.label],
    ["session", node.session],
  ].filter(([, value]) => value);
  return html`<dl class="run-facts is-small">${facts.map(([name, value]) => html`<div key=${name}><dt>${name}</dt><dd><bdi>${isolated(value)}
    </bdi></dd></div>`)}</dl>`;
}
