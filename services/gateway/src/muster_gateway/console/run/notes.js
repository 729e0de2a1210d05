// What agents have found out about a run after its end, beside its verdict.
import { html } from "../html.js";
import { runHref } from "../router.js";
import { isolated, plain } from "../ui.js";

/** The notes beside a run, oldest first. */
export function Notes({ notes }) {
  return notes.map((note) => html`<section key=${note.source} class="run-note" aria-label="Note">
    <h2>Note <span class="dim">by ${plain(note.agent)}; it does not change the verdict</span>
      <a class="link" href=${runHref(note.source)}>How</a></h2>
    ${note.classification && html`<p><span class="tag">${plain(note.classification)}</span> ${note.severity && html`<span class="tag">${plain(note.severity)}</span>`}</p>`}
    <p class="run-note-summary"><bdi>${isolated(note.summary)}</bdi></p>
    <ul>${(note.findings ?? []).map((found, at) => html`<li key=${at}><bdi>${isolated(found.text)}</bdi>
      <span class="dim"> ${place(found)}</span>
      ${found.quote && html`<blockquote><bdi>${isolated(found.quote)}</bdi></blockquote>`}</li>`)}</ul>
    ${note.left_out > 0 && html`<p class="dim">${note.left_out} left out: no such quote in what the agent was given.</p>`}
  </section>`);
}

const place = ({ file, line, source }) => plain(file ? (line ? `${file}:${line}` : file) : (source ?? ""));
