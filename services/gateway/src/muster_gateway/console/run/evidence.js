// The clauses of an expectation with the checks that proved or refuted them.
import { html } from "../html.js";
import { isPicture } from "./model.js";
import { Mark } from "./marks.js";
import { isolated } from "../ui.js";
import { Call, Marked } from "./texts.js";

/** Clauses (ClauseView); `over`: no more checks will come. */
export function Evidence({ clauses, over, openPicture }) {
  if (!clauses.length) return html`<p class="dim">Nothing is expected of this sub-task beyond what its actions do.</p>`;
  return html`<ol class="run-clauses">${clauses.map((clause, at) => html`<${Clause} key=${at} clause=${clause} over=${over}
    openPicture=${openPicture} />`)}</ol>`;
}

function Clause({ clause, over, openPicture }) {
  const words = clause.literals;
  const silent = over ? "Not checked." : "Not checked yet.";
  return html`<li class="run-clause is-${clause.state}">
    <div class="run-clause-text"><${Mark} state=${clause.state} /><p>
      ${clause.shown ? html`<${Marked} text=${clause.shown} words=${words} />` : "Other checks"}</p></div>
    <div class="run-clause-proof">${clause.evidence.map((check, at) => html`<${Check} key=${at} check=${check} words=${words}
      openPicture=${openPicture} />`)}
      ${!clause.evidence.length && html`<p class="dim">${silent}</p>`}
      ${clause.lacks && clause.evidence.length > 0 && clause.state === "open" && html`<p class="run-warning"><bdi>${isolated(clause.lacks)}
        </bdi></p>`}</div></li>`;
}

function Check({ check, words, openPicture }) {
  return html`<div class="run-check"><${Mark} state=${check.passed ? "proven" : "refuted"}
    word=${check.passed ? "holds" : "does not hold"} />
    <div class="grow"><${Call} tool=${check.check} arguments=${check.arguments} words=${words} />
      ${check.by === "model" && html`<span class="tag">bound by the model</span>`}
      ${check.note && html`<p class="run-warning">It ${check.note}.</p>`}
      <dl class="run-pairs">
        ${check.expected && !check.passed && html`<dt>expected</dt><dd><${Marked} text=${check.expected} words=${words} /></dd>`}
        ${check.seen && html`<dt>seen</dt><dd><${Marked} text=${check.seen} words=${words} /></dd>`}
        ${check.where && html`<dt>where</dt><dd class="mono"><${Marked} text=${check.where} /></dd>`}
      </dl>
      ${(check.artifacts ?? []).map((name) => ({ name })).filter(isPicture).map((picture) => html`<button type="button" class="link" key=${picture.name}
        onClick=${() => openPicture(picture)}>Picture of the page</button>`)}
    </div></div>`;
}
