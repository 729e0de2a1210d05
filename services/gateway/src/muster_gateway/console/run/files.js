// The files of a run: reports, recordings, downloads and pictures.
import { html } from "../html.js";
import { artifactHref, at } from "../api.js";
import { bytes, ErrorNote, Icon, isolated, isOver, Loading, RelativeTime, Table } from "../ui.js";
import { fileKind, isPicture } from "./model.js";
import { Shot } from "./pictures.js";

const NONE = "None. Traces, network recordings (HAR), the browser's console, downloads and long outputs appear here.";
const REPORTS = [["html", "HTML", "one page that opens from disk"], ["junit", "JUnit", "XML as CI servers read it"],
  ["json", "JSON", "verdict, results and evidence"]];

/** `stored` is the result of `useFiles`. */
export function FilesTab({ view, stored, openPicture }) {
  const run = view.run.run;
  const all = stored.files ?? [];
  const pictures = all.filter(isPicture);
  const others = all.filter((file) => !isPicture(file));
  return html`<div class="run-files">
    <section><h3>Report</h3>${isOver(view.run) ? html`<ul class="run-reports">
      ${REPORTS.map(([format, title, says]) => html`<li key=${format}>
      <a class="button" href=${`${at("runs", run, "report")}?format=${format}`}
      download=${`${run}.${format === "junit" ? "xml" : format}`}><${Icon} name="download" />${title}</a><span class="dim">${says}</span>
      </li>`)}</ul>`
      : html`<p class="dim">The report can be downloaded once the run is over.</p>`}</section>
    <section><h3>Recordings and other files</h3><${Others} run=${run} files=${others} loading=${!stored.files && !stored.error} />
      ${stored.error && html`<${ErrorNote} error=${stored.error} title="The files cannot be listed" retry=${() => stored.again(0)} />`}
        </section>
    ${pictures.length > 0 && html`<section><h3>Pictures <span class="count">${pictures.length}</span></h3><ul class="run-pictures">
      ${pictures.map((file) => html`<li key=${file.name}><${Shot} run=${run} picture=${file} open=${openPicture} /></li>`)}</ul>
      </section>`}
  </div>`;
}

function Others({ run, files, loading }) {
  if (loading) return html`<${Loading} rows=${3} />`;
  if (!files.length) return html`<p class="dim">${NONE}</p>`;
  const columns = [
    { name: "name", title: "File", cell: (file) => html`<div><a href=${artifactHref(run, file.name)} download><bdi>${isolated(file.name)}
      </bdi></a>${fileKind(file.name).hint && html`<div class="dim">
      ${fileKind(file.name).hint.map((part) => part.code ? html`<code key=${part.code}>${part.code}</code>` : part)}</div>`}</div>` },
    { name: "kind", title: "What", cell: (file) => fileKind(file.name).label },
    { name: "size", title: "Size", class: "right num", cell: (file) => bytes(file.size) },
  ];
  return html`<${Table} columns=${columns} rows=${files} rowKey=${(file) => file.name} label="Files of the run" />`;
}

/** The newest picture of the page, shown next to the plan. */
export function LastPicture({ view, files, openPicture }) {
  const newest = (files ?? []).filter(isPicture).sort((a, b) => b.at - a.at)[0];
  if (!newest) return html`<p class="dim run-no-picture">
    ${isOver(view.run) ? "No picture of the page was taken." : "No picture of the page yet."}</p>`;
  return html`<${Shot} run=${view.run.run} picture=${newest} open=${openPicture}
    caption=${html`Last picture of the page${newest.at > 0 && html`, <${RelativeTime} at=${newest.at / 1000} />`}`} />`;
}

