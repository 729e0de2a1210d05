// The head of a run's page: name, state and controls.
import { html, useEffect, useRef, useState } from "../html.js";
import { caseHref, mapHref, pageHref, runHref } from "../router.js";
import { Button, count, duration, Icon, isolated, isOver, look, moment, money, plain, plural, RelativeTime, Status } from "../ui.js";
import { Mark, wordOf } from "./marks.js";
import { elapsed } from "./model.js";

const BRIEF = 120; // maximum number of sub-tasks with their own piece of the bar

/** Name, state, numbers and buttons. `refused` has the reason for each disabled action; `act(name, body)` performs one. */
export function Header({ view, now, refused, busy, act }) {
  const { run } = view;
  return html`<header class="run-head">
    <nav class="run-crumbs dim" aria-label="Where this run belongs"><a href=${pageHref()}>Runs</a>
      ${run.suite && html`<span aria-hidden="true">/</span><a href=${pageHref("", { suite: run.suite })}><bdi>${isolated(run.suite)}</bdi>
        </a>`}
      <span aria-hidden="true">/</span><code>${plain(run.run)}</code></nav>
    <div class="run-title"><h1><bdi>${isolated(run.name)}</bdi></h1><${Status} status=${run.status} cause=${run.cause} />
      <${Actions} view=${view} refused=${refused} busy=${busy} act=${act} /></div>
    <${Bar} nodes=${view.nodes} />
    <${Facts} view=${view} now=${now} />
  </header>`;
}

const planned = (nodes) => nodes.filter((node) => node.number);
const passed = (nodes) => planned(nodes).filter((node) => ["passed", "done"].includes(node.state)).length;

// One piece per planned sub-task in the colour of its state; for very many, one piece per state.
function Bar({ nodes }) {
  const steps = planned(nodes);
  if (!steps.length) return null;
  const says = `${passed(nodes)} of ${plural(steps.length, "sub-task")} ${steps.some((node) => node.state === "done") ? "done" : "passed"}`;
  if (steps.length > BRIEF) {
    const sums = ["passed", "done", "failed", "running", "waiting"].map((state) => [state, steps.filter((node) => node.state === state).length]);
    return html`<div class="run-progress" role="img" aria-label=${says} title=${says}>
      ${sums.filter(([, sum]) => sum).map(([state, sum]) => html`<i key=${state} class="s-${look(state)}" style=${{ flexGrow: sum }}>
      </i>`)}</div>`;
  }
  return html`<div class="run-progress" role="img" aria-label=${says} title=${says}>
    ${steps.map((node) => html`<i key=${node.id} class="s-${look(node.state)}" title=${wordOf(node.state)}></i>`)}</div>`;
}

function Facts({ view, now }) {
  const { run, nodes } = view;
  const total = planned(nodes).length;
  const progress = total ? `${passed(nodes)} of ${total}` : run.total ? `${run.done ?? 0} of ${run.total}` : isOver(run) ?
    "no plan" : "no plan yet";
  const counted = Boolean(total || run.total || view.planned); // a number that is 0 would be drawn
  const seconds = elapsed(run, now);
  const time = !run.started_at ? "not started" : isOver(run) ? duration(seconds) : duration(Math.floor(seconds));
  return html`<dl class="run-facts">
    ${counted && html`<${Fact} name="Progress">${progress}<//>`}
    <${Fact} name="Duration">${time}<//>
    <${Fact} name="Tokens" title=${(run.tokens ?? 0).toLocaleString("en")}>${count(run.tokens ?? 0)}<//>
    <${Fact} name="Cost">${money(run.cost) || "$0"}<//>
    ${view.estimate && html`<${Fact} name="Estimated">${view.estimate}<//>`}
    ${run.model_calls > 0 && html`<${Fact} name="Model calls">${count(run.model_calls)}<//>`}
    <${Fact} name=${run.started_at ? "Started" : "Asked for"}><${RelativeTime} at=${run.started_at || run.requested_at} /><//>
    <${Fact} name="Case"><a href=${caseHref(run.name, { suite: run.suite })}>History</a><//>
    ${run.job === "exploration" && isOver(run) && html`<${Fact} name="Map"><a href=${mapHref(run.run)}>Show</a><//>`}
    ${run.rerun_of && html`<${Fact} name="Repeats"><a href=${runHref(run.rerun_of)}><code>${plain(run.rerun_of)}</code></a><//>`}
    ${run.tags?.length > 0 && html`<${Fact} name="Tags">
      ${run.tags.map((tag) => html`<a class="tag" key=${tag} href=${pageHref("", { tag })}><bdi>${isolated(tag)}</bdi></a>`)}<//>`}
    ${Object.entries(run.labels ?? {}).map(([name, value]) => html`<${Fact} key=${`label ${name}`} name=${plain(name)}><bdi>
      ${plain(value)}</bdi><//>`)}
  </dl>`;
}

const Fact = ({ name, title, children }) => html`<div title=${title}><dt>${name}</dt><dd>${children}</dd></div>`;

function Actions({ view, refused, busy, act }) {
  const [cancelling, cancel] = useState(false);
  const paused = view.run.status === "paused";
  return html`<div class="run-actions" role="group" aria-label="Steer this run">
    ${paused
      ? html`<${Button} key="resume" icon="play" why=${refused.resume} busy=${busy === "resume"}
        onClick=${() => act("resume")}>Resume<//>`
      : html`<${Button} key="pause" why=${refused.pause} busy=${busy === "pause"} onClick=${() => act("pause")}>Pause<//>`}
    <${Button} why=${refused.cancel} busy=${busy === "cancel"} onClick=${() => cancel(true)}>Cancel<//>
    <${Button} icon="retrying" why=${refused.rerun} busy=${busy === "rerun"} onClick=${() => act("rerun")}>Rerun<//>
    ${cancelling && html`<${CancelDialog} close=${() => cancel(false)} act=${act} />`}
  </div>`;
}

function CancelDialog({ close, act }) {
  const box = useRef(null);
  const [reason, write] = useState("");
  useEffect(() => box.current.showModal(), []);
  const send = (event) => {
    event.preventDefault();
    close();
    act("cancel", { reason });
  };
  return html`<dialog ref=${box} class="dialog" aria-labelledby="cancel-title" onClose=${close}
    onClick=${(event) => event.target === box.current && close()}>
    <form class="dialog-body" onSubmit=${send}><h2 id="cancel-title">Cancel this run?</h2>
      <p>Sub-tasks in progress are aborted, the rest does not start. The run ends with cause “cancelled”.</p>
      <label class="run-field"><span>Reason (optional, shown with the run)</span>
        <input value=${reason} maxlength="500" autofocus onInput=${(event) => write(event.target.value)} /></label>
      <div class="row end"><button type="button" class="button" onClick=${close}>Keep it going</button>
        <button type="submit" class="button danger">Cancel the run</button></div>
    </form></dialog>`;
}

/** What a run waits for, with an answer form for each question. `titleOf(node)` names sub-tasks. */
export function Waiting({ view, refused, act, select, titleOf }) {
  if (isOver(view.run)) return null;
  if (view.questions.length) {
    return view.questions.map((one) => html`<${Question} key=${one.id} question=${one} refused=${refused} act=${act} select=${select}
      title=${titleOf(one.node)} />`);
  }
  const says = view.waits_for || (view.run.status === "paused" ? "it is paused; click Resume to continue" : "");
  return says && html`<section class="run-waits" role="status"><${Mark} state="parked" word="waits" /><p><b>It waits:</b> <bdi>
    ${plain(says)}</bdi></p></section>`;
}

function Question({ question, refused, act, select, title }) {
  const [text, write] = useState("");
  const [sending, sends] = useState(false);
  const send = async (event) => {
    event.preventDefault();
    if (!text.trim() || refused.answer || sending) return;
    sends(true);
    await act("answer", { question: question.id, text });
    sends(false);
  };
  const keys = (event) => event.key === "Enter" && (event.ctrlKey || event.metaKey) && send(event);
  return html`<section class="run-question" aria-label="The run asks you">
    <h2><${Icon} name="asking" />The run asks${question.node && html`<button type="button" class="link"
      onClick=${() => select(question.node)}><bdi>${title}</bdi></button>`}</h2>
    <p class="run-question-text"><bdi>${isolated(question.text)}</bdi></p>
    <form onSubmit=${send}>
      <label class="run-field"><span class="sr">Your answer</span>
        <textarea rows="2" maxlength="100000" placeholder="Your answer" value=${text} readonly=${!!refused.answer}
        onInput=${(event) => write(event.target.value)} onKeyDown=${keys}></textarea></label>
      <div class="row"><${Button} type="submit" kind="primary" busy=${sending}
        why=${refused.answer || (text.trim() ? "" : "Write an answer first.")} onClick=${undefined}>Send the answer<//>
        <span class="dim">${refused.answer || "Ctrl+Enter sends; the answer is stored with the run."}</span></div>
    </form></section>`;
}
