// The messages between the parts of the fleet in a run, as a sequence diagram, and the values that its steps share.
import { html, useState } from "../html.js";
import { duration } from "../format.js";
import { EmptyState, ErrorNote, isolated, Loading, plain, Table } from "../ui.js";

const MOST = 300; // messages drawn at once
const LONGEST = 120; // characters of one

/** `asked` is the result of `useMessages`. */
export function MessagesTab({ view, asked }) {
  return html`<div class="run-talk"><${Values} view=${view} />
    <section><h3>Messages</h3><${Messages} asked=${asked} /></section></div>`;
}

function Messages({ asked }) {
  const [party, choose] = useState("");
  if (asked.error && !asked.messages) return html`<${ErrorNote} title="The messages cannot be listed" error=${asked.error} retry=${() => asked.again(0)} />`;
  if (!asked.messages) return html`<${Loading} rows=${4} />`;
  const all = partiesOf(asked.messages);
  const chosen = asked.messages.filter((one) => !party || one.sender === party || one.recipient === party);
  if (!chosen.length) return html`<${EmptyState} title="Nobody has said anything yet" />`;
  const shown = chosen.slice(-MOST);
  return html`<label class="row">Of <select value=${party} onChange=${(event) => choose(event.target.value)}>
      <option value="">all</option>${all.map((name) => html`<option key=${name} value=${name}>${plain(name)}</option>`)}</select></label>
    ${shown.length < chosen.length && html`<p class="dim">The newest ${MOST} of ${chosen.length}.</p>`}
    <${Diagram} messages=${shown} begun=${asked.messages[0].at} />`;
}

function Diagram({ messages, begun }) {
  const parties = partiesOf(messages);
  return html`<div class="run-sequence" role="list" aria-label="Messages" tabindex="0" style=${{ gridTemplateColumns: `4.5rem repeat(${parties.length}, minmax(9rem, 1fr))` }}>
    <span></span>${parties.map((name) => html`<b key=${name}>${plain(name)}</b>`)}
    ${messages.map((one) => html`<${Arrow} key=${one.id} one=${one} parties=${parties} begun=${begun} />`)}</div>`;
}

function Arrow({ one, parties, begun }) {
  const [from, to] = [parties.indexOf(one.sender), parties.indexOf(one.recipient)];
  const ended = [one.status, one.parent && duration(one.took ?? 0)].filter(Boolean).join(", ");
  const text = plain(one.text);
  return html`<div role="listitem" class="run-message"><span class="dim num">${duration(one.at - begun)}</span>
    <div class=${`run-arrow ${to < from ? "is-left" : "is-right"} ${one.parent ? "is-answer" : ""}`}
      style=${{ gridColumn: `${Math.min(from, to) + 2} / ${Math.max(from, to) + 3}` }}>
      <span class="sr">${plain(one.sender)} to ${plain(one.recipient)}: </span>${one.type} ${one.node ?? ""}: <bdi>${text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text}</bdi>
      ${ended && html` <small class="dim">${ended}</small>`}</div></div>`;
}

function Values({ view }) {
  if (!view.values?.length) return null;
  const begun = view.run.started_at ?? 0;
  const columns = [
    { name: "name", title: "Name", cell: (one) => html`<code>${plain(one.name)}</code>` },
    { name: "value", title: "Value", cell: (one) => html`<bdi>${isolated(one.value)}</bdi>` },
    { name: "by", title: "Set by", cell: (one) => `${plain(one.set_by)}${one.number ? `, sub-task ${one.number}` : ""}` },
    { name: "from", title: "Taken from", cell: (one) => html`<bdi>${isolated(one.taken_from ?? "")}</bdi>` },
    { name: "after", title: "After", class: "right num", cell: (one) => (one.at && begun ? duration(Math.max(0, one.at - begun)) : "") },
  ];
  return html`<section><h3>Shared values</h3><${Table} columns=${columns} rows=${view.values}
    rowKey=${(one) => `${one.node ?? ""} ${one.name}`} label="Shared values" /></section>`;
}

const partiesOf = (messages) => [...new Set(messages.flatMap((one) => [one.sender, one.recipient]))];
