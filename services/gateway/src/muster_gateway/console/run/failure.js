// What failed and why, at the top of a run's page.
import { html } from "../html.js";
import { Icon, isolated, plain } from "../ui.js";
import { Marked } from "./texts.js";
import { Shot } from "./pictures.js";

/**
 * The failure of a run that has one: sub-task, expected and seen, where, cause, and the picture of the page. `brief` leaves
 * it at a line, for beside what needs the room.
 */
export function Failure({ view, titleOf, select, picture, openPicture, brief }) {
  const { failure } = view;
  if (!failure) return null;
  const cancelled = failure.cause === "cancelled";
  const { node, expected, seen, literals: words } = failure;
  const summary = plain(failure.summary);
  if (brief) {
    return html`<section class="run-failure is-brief ${cancelled ? "is-cancelled" : ""}" aria-label="What went wrong">
      <${Icon} name=${cancelled ? "cancelled" : "fail"} />
      <button type="button" class="run-failure-summary" title="Show what failed"
        onClick=${() => select(node ?? "", "step")}><bdi>${summary}</bdi></button></section>`;
  }
  return html`<section class="run-failure ${cancelled ? "is-cancelled" : ""}" aria-label="What went wrong">
    <div class="run-failure-said">
      <h2><${Icon} name=${cancelled ? "cancelled" : "fail"} />
        ${cancelled ? "Cancelled" : "What failed"}${node && html`<button type="button" class="link" onClick=${() => select(node)}><bdi>
        ${titleOf(node)}</bdi></button>`}</h2>
      ${!(expected && seen) && html`<p class="run-failure-summary"><bdi>${summary}</bdi></p>`}
      ${(expected || seen) && html`<div class="run-compare">
        <${Side} name="Expected" text=${expected} words=${words} kind="expected" />
        <${Side} name="Seen" text=${seen} words=${words} kind="seen" /></div>`}
      <dl class="run-pairs">
        ${failure.where && html`<dt>Where</dt><dd class="mono"><bdi>${isolated(failure.where)}</bdi></dd>`}
        ${failure.cause && html`<dt>Cause</dt><dd><b>${failure.cause}</b>: ${failure.meaning}</dd>`}
        ${failure.why && !cancelled && html`<dt>Why</dt><dd>${failure.why}</dd>`}
        ${failure.evaluator && html`<dt>Evaluator</dt><dd><bdi>${isolated(failure.evaluator)}</bdi></dd>`}
      </dl>
    </div>
    ${picture && html`<${Shot} run=${view.run.run} picture=${picture} open=${openPicture} caption="The page at that moment" />`}
  </section>`;
}

function Side({ name, text, words, kind }) {
  return html`<div class="run-side is-${kind}"><h3>${name}</h3>${text ? html`<pre><${Marked} text=${text} words=${words} />
    </pre>` : html`<p class="dim">nothing</p>`}</div>`;
}
