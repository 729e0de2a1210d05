// One message of a conversation with its answer: the calls that were made for it, questions, and the text.
import { html } from "../html.js";
import { runHref } from "../router.js";
import { Button, Icon, plain } from "../ui.js";
import { isAnswered, parts } from "./thread.js";

export function Turn({ turn, steps, question, reply, over }) {
  const waits = !isAnswered(turn) && !over;
  return html`<article class="chat-turn"><div class="chat-person"><p>${plain(turn.text)}</p></div>
    ${steps.length > 0 && html`<${Steps} steps=${steps} open=${waits} />`}
    ${turn.asked.map((one) => html`<${Question} key=${one.id} asked=${one} reply=${question?.id === one.id ? reply : null} />`)}
    ${turn.answer && html`<div class="chat-agent"><p><${Linked} text=${turn.answer} /></p></div>`}
    ${turn.stopped && html`<p class="dim">Stopped</p>`}
    ${turn.error && html`<p class="status s-fail"><${Icon} name="fail" />No answer: ${plain(turn.error)}</p>`}
    ${waits && !turn.asked.some((one) => one.answer === undefined) && html`<p class="status s-running" role="status"><${Icon} name="running" />${turn.node ? "Working" : "Waiting"}</p>`}</article>`;
}

/** A text whose ids of runs are links. */
function Linked({ text }) {
  return parts(plain(text)).map((part) => (part.run ? html`<a href=${runHref(part.run)}>${part.run}</a>` : part.text));
}

function Steps({ steps, open }) {
  const calls = steps.filter((one) => one.type === "tool_call").length;
  return html`<details class="chat-steps" open=${open}><summary>${calls === 1 ? "1 call" : `${calls} calls`}</summary>
    <ol>${steps.map((one, place) => html`<li key=${place} class="chat-${one.type} ${one.status && one.status !== "ok" ? "s-fail" : ""}"><${Linked} text=${one.text ?? ""} /></li>`)}</ol></details>`;
}

function Question({ asked, reply }) {
  return html`<div class="note warn"><${Icon} name="asking" /><div><p class="chat-question">${plain(asked.text)}</p>
    ${asked.answer !== undefined ? html`<p class="dim">Answered: ${plain(asked.answer)}</p>` : reply
    && html`<div class="row"><${Button} kind="small primary" onClick=${() => reply("yes")}>Allow<//><${Button} kind="small" onClick=${() => reply("no")}>Refuse<//></div>`}</div></div>`;
}
