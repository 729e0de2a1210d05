// The clauses of an expectation, each beside the checks that proved or refuted it.
import { html } from "../html.js";
import { literals } from "./model.js";
import { Mark } from "./marks.js";
import { plain } from "../ui.js";
import { Call, Marked } from "./texts.js";

/** Clauses as `shape.js` makes them; `over` says whether nothing more is to come. */
export function Evidence({ clauses, over, openPicture }) {
  if (!clauses.length) return html`<p class="dim">Nothing is expected of this sub-task beyond what its actions do.</p>`;
  return html`<ol class="run-clauses">${clauses.map((clause, at) => html`<${Clause} key=${at} clause=${clause} over=${over}
    openPicture=${openPicture} />`)}</ol>`;
}

function Clause({ clause, over, openPicture }) {
  const words = [...literals(clause.text), ...clause.literals];
  const silent = over ? "Nothing looked at it." : "Not looked at yet.";
  return html`<li class="run-clause is-${clause.state}">
    <div class="run-clause-text"><${Mark} state=${clause.state} /><p>
      ${clause.text ? html`<${Marked} text=${clause.text} words=${words} />` : "Checks beside the expectation"}</p></div>
    <div class="run-clause-proof">${clause.checks.map((check, at) => html`<${Check} key=${at} check=${check} words=${words}
      openPicture=${openPicture} />`)}
      ${!clause.checks.length && html`<p class="dim">${silent}</p>`}
      ${clause.lacks && clause.checks.length > 0 && clause.state === "open" && html`<p class="run-warning"><bdi>${plain(clause.lacks)}
        </bdi></p>`}</div></li>`;
}

function Check({ check, words, openPicture }) {
  return html`<div class="run-check"><${Mark} state=${check.passed ? "proven" : "refuted"}
    word=${check.passed ? "holds" : "does not hold"} />
    <div class="grow"><${Call} tool=${check.tool} arguments=${check.arguments} words=${words} />
      ${check.by === "model" && html`<span class="tag">bound by the model</span>`}
      ${check.early && html`<p class="run-warning">It looked before the last action, so it does not count.</p>`}
      <dl class="run-pairs">
        ${check.expected && !check.passed && html`<dt>expected</dt><dd><${Marked} text=${check.expected} words=${words} /></dd>`}
        ${check.seen && html`<dt>seen</dt><dd><${Marked} text=${check.seen} words=${words} /></dd>`}
        ${check.where && html`<dt>where</dt><dd class="mono"><${Marked} text=${check.where} /></dd>`}
      </dl>
      ${check.pictures.map((picture) => html`<button type="button" class="link" key=${picture.name}
        onClick=${() => openPicture(picture)}>Picture of the page</button>`)}
    </div></div>`;
}
