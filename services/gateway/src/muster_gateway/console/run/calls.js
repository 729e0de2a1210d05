// Tool calls and model replies of an attempt in order, with a timeline bar.
import { html } from "../html.js";
import { artifactHref } from "../api.js";
import { bytes, clock, count, inWords, isolated, money, plain, took } from "../ui.js";
import { Mark } from "./marks.js";
import { isPicture, nameIn, tokensOf, waterfall } from "./model.js";
import { Shot } from "./pictures.js";
import { Call, Long } from "./texts.js";
import { FAILURES } from "../words.js";

const BRIEF = 240;
// How an element was found, where its name alone did not do.
const FOUND = { words: "found by words in it", part: "found by a part of its name", label: "found by its label" };

/** The moments of an attempt in order. */
export function Moments({ run, moments, startedAt, openPicture }) {
  const calls = moments.filter((one) => one.kind === "call");
  const bars = new Map(waterfall(calls, Date.now() / 1000).map((bar, at) => [calls[at], bar]));
  return html`<ol class="run-moments">${moments.map((one, at) => html`<li key=${at} class="run-moment is-${one.kind}">
    ${one.kind === "call" && html`<${Made} run=${run} call=${one} bar=${bars.get(one)} startedAt=${startedAt}
      openPicture=${openPicture} />`}
    ${one.kind === "reply" && html`<${Reply} reply=${one} />`}
    ${one.kind === "note" && html`<${Remark} note=${one} />`}
  </li>`)}</ol>`;
}

function Made({ run, call, bar, startedAt, openPicture }) {
  const state = call.status;
  const after = call.started_at && startedAt ?
    `started ${took(call.started_at - startedAt) || "0 ms"} into the attempt, at ${clock(call.started_at)}` : "";
  return html`<div class="run-line"><${Mark} state=${state} />
      <div class="grow"><${Call} tool=${call.tool} arguments=${call.arguments} />
        ${call.effect === "act" && html`<span class="tag" title="It changes the product, so it is never made twice">act</span>`}
        ${FOUND[call.strategy] && html`<span class="tag">${FOUND[call.strategy]}</span>`}
        ${call.confirmed === false && html`<span class="tag is-warn">effect not seen</span>`}</div>
      <span class="run-took num" title=${after}>${took((call.duration_ms ?? 0) / 1000)}</span></div>
    ${bar && state !== "asking" && html`<div class="run-bar" aria-hidden="true">
      <i class="is-${state}" style=${{ marginInlineStart: `${bar.left}%`, width: `${bar.width}%` }}></i></div>`}
    ${call.summary && html`<${Said} text=${call.summary} />`}
    ${call.failure && state !== "failed" && html`<p class="run-warning">${FAILURES[call.failure] ?? inWords(call.failure)}</p>`}
    <${Stored} run=${run} files=${call.artifacts.map(named)} element=${call.element} openPicture=${openPicture} />
    ${call.shown && html`<${Changed} run=${run} shown=${call.shown} openPicture=${openPicture} />`}`;
}

// The screen before and after an act, side by side, with what came and went.
function Changed({ run, shown, openPicture }) {
  const { pictures = [], gone = [], new: added = [], parts = [] } = shown;
  const files = pictures.map((name) => ({ name, parts: name.endsWith("-after.png") ? parts : [] }));
  return html`<details class="run-said"><summary>${files.length ? "Before and after" : "What changed on the screen"}</summary>
    <div class="run-sides">${files.map((file) => html`<${Shot} key=${file.name} run=${run} picture=${file} open=${openPicture}
      caption=${file.name.endsWith("-after.png") ? `after${parts.length ? "; what differs is marked" : ""}` : "before"} />`)}</div>
    ${added.length > 0 && html`<p class="dim">New</p><${Long} text=${added.join("\n")} />`}
    ${gone.length > 0 && html`<p class="dim">No longer there</p><${Long} text=${gone.join("\n")} />`}</details>`;
}

function Said({ text }) {
  const clean = plain(text).trim();
  if (clean.length <= BRIEF && !clean.includes("\n")) return html`<p class="run-said"><bdi>${clean}</bdi></p>`;
  return html`<details class="run-said"><summary><bdi>${clean.split("\n")[0].slice(0, BRIEF)}</bdi> …</summary><${Long} text=${clean} />
    </details>`;
}

function Reply({ reply }) {
  const tokens = tokensOf(reply);
  const spent = [tokens && `${count(tokens)} tokens`, money(reply.cost)].filter(Boolean).join(" · ");
  return html`<details><summary class="run-line"><span class="mark dim" aria-hidden="true">◆</span>
      <span class="grow">Model${reply.calls.length > 0 && html`: <code>${reply.calls.map((one) => plain(one.tool)).join(", ")}</code>`}
        </span><span class="run-took num">${spent}</span></summary>
    ${reply.text && html`<${Long} text=${reply.text} />`}
    ${reply.calls.map((one, at) => html`<${Call} key=${at} tool=${one.tool} arguments=${one.arguments} />`)}</details>`;
}

function Remark({ note }) {
  return html`<div class="run-line"><${Mark} state=${note.bad ? "retrying" : "waiting"} word="note" /><span class="grow"><bdi>
    ${plain(note.text)}</bdi></span><span class="run-took num">${note.at ? clock(note.at) : ""}</span></div>`;
}

/** A file known only by name. */
export const named = (name) => ({ name });

/** Linked files: pictures as thumbnails, others as links. */
export function Stored({ run, files, element, openPicture }) {
  if (!files.length) return null;
  return html`<ul class="run-stored">${files.map((file) => html`<li key=${file.name}>${isPicture(file)
    ? html`<${Shot} run=${run} picture=${{ ...file, element: file.element ?? element }} open=${openPicture} />`
    : html`<a href=${artifactHref(run, nameIn(run, file.name))} download><bdi>${isolated(nameIn(run, file.name).split("/").at(-1))}</bdi>
      </a> <span class="dim">${bytes(file.size)}</span>`}</li>`)}</ul>`;
}
