// The chat page: the conversations, and one of them or the beginning of a new one.
import { at, get, post, remove } from "../api.js";
import { Fragment, html, useEffect, useReducer, useRef, useState } from "../html.js";
import { poll } from "../live.js";
import { chatHref, lastPage, navigate, pageHref, runHref } from "../router.js";
import { ask, Button, EmptyState, ErrorNote, Icon, Liveness, plain, RelativeTime, toast, useKeys, useWho } from "../ui.js";
import { Composer, leads } from "./composer.js";
import { connect } from "./socket.js";
import { apply, EMPTY, isAnswered, openQuestion } from "./thread.js";
import { Turn } from "./turn.js";

const EVERY_MS = 15_000;
const LONGEST_NAME = 60;
const RUN = /^run-[\w-]+$/;

/** Shows the conversation of the address; without one, what begins a new one. */
export function ChatPage({ run }) {
  const [rows, list] = useState([]);
  const polling = useRef(null);
  useEffect(() => (polling.current = poll("/conversations", () => ({}), EVERY_MS, (found) => list(found.conversations))), []);
  const leave = async () => {
    if (!(await ask({ title: "Delete this conversation?", text: "It ends and leaves the list.", confirm: "Delete", danger: true }))) return;
    try {
      await remove(at("conversations", run));
      navigate(pageHref("chat"));
    } catch (error) {
      toast(error.message, "bad");
    }
  };
  return html`<${Fragment}><aside class="chat-list" aria-label="Conversations">
      <a class="button" href=${pageHref("chat")} aria-current=${run ? undefined : "page"}><${Icon} name="plus" />New conversation</a>
      <ul>${rows.map((row) => html`<li key=${row.run}><a href=${chatHref(row.run)} aria-current=${row.run === run ? "page" : undefined}>
        <span class="cut">${plain(row.name)}</span><span class="dim"><${RelativeTime} at=${row.requested_at} /></span></a></li>`)}</ul></aside>
    ${run ? html`<${Thread} key=${run} conversation=${run} leave=${leave} />` : html`<${Beginning} />`}<//>`;
}

/** The choice of an agent, its suggestions, and the first message. */
function Beginning() {
  const [talkers, know] = useState([]);
  const [chosen, choose] = useState("");
  const [busy, work] = useState(false);
  useEffect(() => void get("/workers").then((found) => know(unique(found.workers)), () => {}), []);
  const talker = talkers.find((one) => one.id === chosen) ?? talkers[0];
  const send = async (text) => {
    work(true);
    try {
      const { conversation } = await post("/conversations", { name: text.slice(0, LONGEST_NAME), agent: talker?.id ?? "" });
      await post(at("conversations", conversation, "messages"), said(text));
      navigate(chatHref(conversation));
      return true;
    } catch (error) {
      toast(error.message, "bad");
      work(false);
      return false;
    }
  };
  return html`<section class="chat" aria-label="New conversation"><div class="chat-start">
      <h1>Chat</h1><p class="dim">${talker?.description ?? "Ask about runs and tests, or have them run."}</p>
      ${talkers.length > 1 && html`<label class="field"><span>Agent</span><select value=${talker.id} onChange=${(event) => choose(event.target.value)}>
        ${talkers.map((one) => html`<option key=${one.id} value=${one.id}>${plain(one.nickname || one.id)}</option>`)}</select></label>`}
      <div class="row">${(talker?.suggestions ?? []).map((text) => html`<button type="button" class="chip" key=${text} onClick=${() => send(text)}>${text}</button>`)}</div>
      ${!talkers.length && html`<p class="dim">No worker with an agent for conversations is there yet.</p>`}</div>
    <${Composer} send=${send} busy=${busy} /></section>`;
}

const unique = (workers) => [...new Map(workers.flatMap((one) => one.talkers ?? []).map((one) => [one.id, one])).values()];

/** A message, with the page it was written from and whether its answer may lead to another. */
const said = (text) => ({ text, page: lastPage(), allow_auto_navigation: leads() });

/** Go where an answer leads, if its reader lets it and it is not an old one. */
function follow(event, opened) {
  if (event.type === "tool_result" && event.tool === "lead_to" && event.status === "ok" && event.at > opened && leads() && RUN.test(event.text)) {
    navigate(runHref(event.text));
    toast("The answer has led you here.");
  }
}

function Thread({ conversation, leave }) {
  const [heard, take] = useReducer(apply, EMPTY);
  const [about, know] = useState(null);
  const [error, tell] = useState(null);
  const [state, become] = useState("connecting");
  const who = useWho();
  useEffect(() => void get(at("conversations", conversation)).then(know, tell), [conversation]);
  useEffect(() => {
    const opened = Date.now() / 1000;
    return connect(conversation, (event) => (take(event), follow(event, opened)), become);
  }, [conversation]);
  const question = openQuestion(heard);
  const answering = !heard.over && !question && heard.turns.some((turn) => !isAnswered(turn));
  const call = async (path, body) => {
    try {
      await post(path, body);
      return true;
    } catch (problem) {
      toast(problem.message, "bad");
      return false;
    }
  };
  const reply = (text) => call(at("runs", conversation, "answer"), { question: question.id, text });
  const send = (text) => (question ? reply(text) : call(at("conversations", conversation, "messages"), said(text)));
  const stop = () => call(at("conversations", conversation, "stop"));
  useKeys([{ keys: "Escape", does: "Stop the answer", group: "Chat", typing: true, run: () => answering && stop() }]);
  if (error) return html`<section class="chat"><${ErrorNote} error=${error} /></section>`;
  const foreign = about && !who.open && who.name !== about.by ? `Only ${about.by || "who opened it"} may write here.` : "";
  return html`<section class="chat" aria-label="Conversation"><div class="page-head"><h1 class="cut">${plain(about?.name ?? "")}</h1><span class="tag">${about?.agent}</span><span class="grow"></span>
      <${Liveness} state=${heard.over ? "over" : state} />${!heard.over && html`<${Button} kind="small danger" why=${who.role === "admin" ? "" : foreign} onClick=${leave}>Delete<//>`}</div>
    <${Said} said=${heard} question=${question} reply=${foreign ? null : reply} />
    ${heard.over ? html`<p class="dim chat-over">This conversation has ended.</p>` : html`<${Composer} send=${send} stop=${answering ? stop : null} why=${foreign} hint=${question ? "Your answer" : "Message"} />`}</section>`;
}

/** The messages; scrolls along as long as the end is in view. */
function Said({ said, question, reply }) {
  const box = useRef(null);
  const atEnd = useRef(true);
  const moved = () => (atEnd.current = box.current.scrollHeight - box.current.scrollTop - box.current.clientHeight < 60);
  useEffect(() => {
    if (atEnd.current) box.current.scrollTop = box.current.scrollHeight;
  });
  return html`<div class="chat-said" ref=${box} role="log" aria-label="Messages" tabindex="0" onScroll=${moved}>
    ${said.turns.map((turn) => html`<${Turn} key=${turn.id} turn=${turn} steps=${said.steps[turn.node] ?? []} question=${question} reply=${reply} over=${said.over} />`)}
    ${!said.turns.length && html`<${EmptyState} title="No message yet" text="Write one below." />`}</div>`;
}
