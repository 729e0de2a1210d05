// One sub-task: what it was to do, the evidence for its expectation, what its sub-agent did, and what it cost.
import { html } from "../html.js";
import { clock, count, EmptyState, ErrorNote, Loading, money, plain, Status } from "../ui.js";
import { Moments, Stored } from "./calls.js";
import { Evidence } from "./evidence.js";
import { filled, tokensOf } from "./model.js";
import { Badges, titleOf } from "./plan.js";
import { aClause } from "./shape.js";
import { Long, Marked } from "./texts.js";
import { FAILURES, inWords, took } from "./words.js";

/** The chosen sub-task; `asked` is what `useNode` returns, `attempt` the number of the one to show (0: the last). */
export function SubTask({ view, row, asked, attempt, choose, values, openPicture }) {
  if (!row) return html`<${EmptyState} title="No sub-task yet" text="They appear here as soon as the run is planned." />`;
  const { node } = row;
  const attempts = asked.detail?.attempts ?? [];
  const shown = attempts.find((one) => one.number === attempt) ?? attempts.at(-1);
  return html`<article class="run-task">
    <header><div class="row"><${Status} status=${node.state} /><${Badges} node=${node} beside /></div>
      <h2>${row.number > 0 && html`<span class="dim num">${row.number}. </span>`}<bdi>${titleOf(row, values)}</bdi></h2></header>
    <${Attempts} attempts=${attempts} shown=${shown} choose=${choose} />
    ${asked.error && html`<${ErrorNote} error=${asked.error} title="The sub-task's journal cannot be read"
      retry=${() => asked.again(0)} />`}
    ${shown ? html`<${Attempt} view=${view} row=${row} attempt=${shown} values=${values} openPicture=${openPicture} />`
      : html`<${Bare} row=${row} loading=${!asked.detail && !asked.error} values=${values} openPicture=${openPicture} />`}
  </article>`;
}

function Attempts({ attempts, shown, choose }) {
  if (attempts.length < 2) return null;
  return html`<div class="row run-attempts" role="group" aria-label="Attempts">
    ${attempts.map((one) => html`<button type="button" class="chip" key=${one.number}
    aria-pressed=${String(one === shown)}
      onClick=${() => choose(one.number)}>Attempt ${one.number}${one.result && html` · ${one.result.status}`}</button>`)}</div>`;
}

// A sub-task nobody has begun, or of which no attempt is known yet.
function Bare({ row, loading, values, openPicture }) {
  const { node } = row;
  if (loading && node.state !== "waiting" && node.state !== "skipped") return html`<${Loading} rows=${4} />`;
  const clauses = (node.clauses ?? []).map(aClause);
  return html`${node.expected_result && html`<section><h3>Expected</h3>${clauses.length
      ? html`<${Evidence} clauses=${clauses} over=${node.state === "skipped"} openPicture=${openPicture} />` : html`<p>
        <${Marked} text=${filled(node.expected_result, values)} /></p>`}</section>`}
    <p class="dim">${node.state === "skipped" ? "It was not begun." : "It has not been begun yet."}</p>`;
}

function Attempt({ view, row, attempt, values, openPicture }) {
  const { result } = attempt;
  const over = !!result || ["passed", "failed", "cancelled"].includes(row.node.state);
  const run = view.run.run;
  const known = { ...values, ...attempt.values };
  const clauses = attempt.clauses.map((clause) => ({ ...clause, text: filled(clause.text, known) }));
  return html`${attempt.notice && html`<p class="run-warning"><bdi>${plain(attempt.notice)}</bdi></p>`}
    ${result && html`<${Outcome} node=${row.node} result=${result}
      told=${clauses.some((clause) => clause.checks.some((check) => !check.passed && check.seen === result.seen))} />`}
    ${(row.node.expected_result || clauses.length > 0) && html`<section id="run-evidence" tabindex="-1">
      <h3>Expected, and the evidence</h3><${Evidence} clauses=${clauses} over=${over} openPicture=${openPicture} /></section>`}
    <section><h3>What it did${attempt.moments.length > 0 && html` <span class="count">${attempt.moments.length}</span>`}</h3>
      ${attempt.moments.length ? html`<${Moments} run=${run} moments=${attempt.moments} startedAt=${attempt.startedAt}
        asking=${row.node.state === "asking"} openPicture=${openPicture} />`
        : html`<p class="dim">${over ? "No call is recorded." : "Nothing yet."}</p>`}</section>
    ${attempt.artifacts.length > 0 && html`<section><h3>Files</h3>
      <${Stored} run=${run} files=${attempt.artifacts} openPicture=${openPicture} /></section>`}
    <${Captured} outputs=${result?.output?.captured} />
    ${attempt.told && html`<details class="run-told"><summary>What the sub-agent was told had happened before</summary>
      <${Long} text=${attempt.told} /></details>`}
    ${attempt.retried && html`<p class="run-warning">Tried again: <bdi>${plain(attempt.retried)}</bdi></p>`}
    <${Facts} node=${row.node} attempt=${attempt} />`;
}

// What came of an attempt; `told` says that the evidence below shows what was expected and seen.
function Outcome({ node, result, told }) {
  const bad = result.status !== "pass";
  const refused = !bad && node.state === "failed";
  const decision = result.output?.decision;
  return html`<div class="run-outcome ${bad || refused ? "is-bad" : ""}"><p><bdi>
    ${plain(refused ? node.summary || result.summary : result.summary)}</bdi></p>
    ${refused && html`<p class="run-warning">Its worker claimed a pass; the run did not accept that.</p>`}
    ${decision && html`<p>Decision: <b>${decision.action}</b>${decision.recovery && html` — <bdi>${plain(decision.recovery)}
      </bdi>`}${decision.reason && html` (<bdi>${plain(decision.reason)}</bdi>)`}</p>`}
    ${bad && html`<dl class="run-pairs">
      ${result.expected && !told && html`<dt>expected</dt><dd><bdi>${plain(result.expected)}</bdi></dd>`}
      ${result.seen && !told && html`<dt>seen</dt><dd><bdi>${plain(result.seen)}</bdi></dd>`}
      ${result.where && !told && html`<dt>where</dt><dd class="mono"><bdi>${plain(result.where)}</bdi></dd>`}
      ${result.failure && !told && html`<dt>why</dt><dd>${FAILURES[result.failure] ?? inWords(result.failure)}</dd>`}</dl>`}</div>`;
}

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
  const waited = first?.at && attempt.startedAt ? first.at - attempt.startedAt : 0;
  const facts = [
    ["worker", result?.worker ?? takers.at(-1)?.worker],
    ["taken over", takers.length > 1 ? `${takers.length - 1} ×` : ""],
    ["begun", attempt.startedAt ? clock(attempt.startedAt) : ""],
    ["took", took((attempt.endedAt || 0) - attempt.startedAt) || took(usage.seconds)],
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
  return html`<dl class="run-facts is-small">${facts.map(([name, value]) => html`<div key=${name}><dt>${name}</dt><dd><bdi>${plain(value)}
    </bdi></dd></div>`)}</dl>`;
}
