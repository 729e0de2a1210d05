// What failed and why, at the top of a run's page.
import { html } from "../html.js";
import { Icon, plain } from "../ui.js";
import { Marked } from "./texts.js";
import { Shot } from "./pictures.js";
import { literals } from "./model.js";
import { CAUSES, FAILURES, inWords } from "./words.js";

/**
 * The failure of a run that has one: sub-task, expected and seen, where, cause, and the picture of the page. `brief` leaves
 * it at a line, for beside what needs the room.
 */
export function Failure({ view, rows, titleOf, select, picture, openPicture, brief }) {
  const verdict = view.verdict;
  if (view.run.status !== "fail") return null;
  const node = rows.find((row) => row.node.id === verdict?.failed_node)?.node;
  const result = verdict?.results?.findLast((one) => one.node === verdict.failed_node);
  const decision = verdict?.results?.findLast((one) => one.output?.decision && one.node.startsWith(`${verdict.failed_node}-`))?.output.decision;
  const failure = result?.failure ?? node?.failure;
  const cancelled = view.run.cause === "cancelled";
  const expected = verdict?.expected || node?.expected || "";
  const seen = verdict?.seen || node?.seen || "";
  const words = literals(node?.clauses?.find((clause) => clause.state === "refuted")?.text ?? node?.expected_result ?? "");
  const summary = plain(verdict?.summary ?? view.run.summary);
  if (brief) {
    return html`<section class="run-failure is-brief ${cancelled ? "is-cancelled" : ""}" aria-label="What went wrong">
      <${Icon} name=${cancelled ? "cancelled" : "fail"} />
      <button type="button" class="run-failure-summary" title="Show what failed"
        onClick=${() => (node ? select(node.id, "step") : select("", "step"))}><bdi>${summary}</bdi></button></section>`;
  }
  return html`<section class="run-failure ${cancelled ? "is-cancelled" : ""}" aria-label="What went wrong">
    <div class="run-failure-said">
      <h2><${Icon} name=${cancelled ? "cancelled" : "fail"} />
        ${cancelled ? "Cancelled" : "What failed"}${node && html`<button type="button" class="link" onClick=${() => select(node.id)}><bdi>
        ${titleOf(node.id)}</bdi></button>`}</h2>
      ${!(expected && seen) && html`<p class="run-failure-summary"><bdi>${summary}</bdi></p>`}
      ${(expected || seen) && html`<div class="run-compare">
        <${Side} name="Expected" text=${expected || node?.expected_result} words=${words} kind="expected" />
        <${Side} name="Seen" text=${seen} words=${words} kind="seen" /></div>`}
      <dl class="run-pairs">
        ${(verdict?.where || node?.where) && html`<dt>Where</dt><dd class="mono"><bdi>${plain(verdict?.where || node?.where)}</bdi></dd>`}
        ${view.run.cause && html`<dt>Cause</dt><dd><b>${view.run.cause}</b>${CAUSES[view.run.cause] && html`: ${CAUSES[view.run.cause]}`}
          </dd>`}
        ${failure && !cancelled && html`<dt>Why</dt><dd>${FAILURES[failure] ?? inWords(failure)}</dd>`}
        ${decision?.reason && html`<dt>Evaluator</dt><dd><bdi>${plain(decision.reason)}</bdi></dd>`}
      </dl>
    </div>
    ${picture && html`<${Shot} run=${view.run.run} picture=${picture} open=${openPicture} caption="The page at that moment" />`}
  </section>`;
}

function Side({ name, text, words, kind }) {
  return html`<div class="run-side is-${kind}"><h3>${name}</h3>${text ? html`<pre><${Marked} text=${text} words=${words} />
    </pre>` : html`<p class="dim">nothing</p>`}</div>`;
}
