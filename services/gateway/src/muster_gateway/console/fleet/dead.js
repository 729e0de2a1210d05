// Dead letters: reason, history and content; replay or drop them.
import { at, get, post, remove } from "../api.js";
import { html, useEffect, useState } from "../html.js";
import { runHref } from "../router.js";
import { ask, Button, bytes, ErrorNote, Icon, isolated, Loading, plain, plural, RelativeTime, toast, useForbidden } from "../ui.js";

const GONE = "This deletes the message and its history for good.";
const WHAT = { REQUESTS: "request of a run", TASKS: "sub-task", WEBHOOKS: "webhook" };

/** `found` is the first page of /dead; `refresh()` loads it again. */
export function Dead({ found, refresh }) {
  const forbidden = useForbidden("admin");
  const [more, add] = useState({ letters: [], cursor: null, error: null });
  const [gone, leave] = useState(new Set());
  useEffect(() => add((old) => (found.cursor ? old : { letters: [], cursor: null, error: null })), [found]);
  const letters = unique([...found.letters, ...more.letters]).filter((one) => !gone.has(one.id));
  const cursor = more.cursor ?? found.cursor;
  const next = async () => {
    try {
      const page = await get("/dead", { limit: 50, cursor });
      add((old) => ({ letters: [...old.letters, ...page.letters], cursor: page.cursor, error: null }));
    } catch (error) {
      add((old) => ({ ...old, error }));
    }
  };
  const settled = (id) => (leave((old) => new Set(old).add(id)), refresh());
  if (!letters.length && !cursor) return html`<p class="dim fleet-none"><${Icon} name="pass" /> None. Everything could be worked on.</p>`;
  return html`<ul class="fleet-dead">${letters.map((one) => html`<${Letter} key=${one.id} letter=${one} forbidden=${forbidden}
    settled=${settled} />`)}</ul>
    ${more.error && html`<${ErrorNote} error=${more.error} retry=${next} />`}
    ${cursor && html`<${Button} onClick=${next}>Show older ones<//>`}`;
}

const unique = (letters) => [...new Map(letters.map((one) => [one.id, one])).values()];

function Letter({ letter, forbidden, settled }) {
  const [open, show] = useState(false);
  const [busy, work] = useState("");
  const settle = async (name, question, doing, done) => {
    if (!(await ask(question))) return;
    work(name);
    try {
      await doing();
      toast(done, "good");
      settled(letter.id);
    } catch (error) {
      toast(error.message, "bad");
      work("");
    }
  };
  const replay = () => settle("replay",
    { title: `Put dead letter ${letter.id} back?`, text: `It returns to ${plain(letter.subject)} and is processed again.`, confirm: "Put it back" },
    () => post(`${at("dead", String(letter.id))}/replay`), `Dead letter ${letter.id} is back in its queue.`);
  const drop = () => settle("drop",
    { title: `Drop dead letter ${letter.id} for good?`, text: GONE, confirm: "Drop it", danger: true },
    () => remove(at("dead", String(letter.id))), `Dead letter ${letter.id} was dropped.`);
  const cannot = letter.can_replay ? "" : letter.cut ?
    "Only a part of it was kept, so it cannot be put back." : "It came from no queue, so it can only be read.";
  return html`<li class="fleet-letter"><div class="fleet-letter-head">
      <div class="grow"><div class="fleet-letter-what"><b class="num">#${letter.id}</b> <span>
        ${WHAT[letter.stream] ?? plain(letter.stream)}</span>
          ${letter.has_run ? html`<a class="mono" href=${runHref(letter.run)}>${plain(letter.task || letter.run)}</a>` : html`<span class="mono">${plain(letter.run)}</span>`}<span class="dim">
            <${RelativeTime} at=${letter.at} /> · ${bytes(letter.size)}${letter.delivery > 0 && ` · handed out ${plural(letter.delivery, "time")}`}</span></div>
        <p class="fleet-reason"><bdi>${isolated(letter.reason)}</bdi></p></div>
      <div class="row"><${Button} kind="small" icon="retrying" busy=${busy === "replay"} why=${forbidden || cannot}
        onClick=${replay}>Put back<//><${Button} kind="small danger" busy=${busy === "drop"} why=${forbidden} onClick=${drop}>Drop<//>
        </div></div>
    <details onToggle=${(event) => show(event.target.open)}><summary>History and message</summary>
      ${open && html`<${Whole} letter=${letter} />`}</details></li>`;
}

function Whole({ letter }) {
  const [state, show] = useState({ data: null, error: null });
  useEffect(() => {
    const abort = new AbortController();
    get(at("dead", String(letter.id)), undefined,
      { signal: abort.signal }).then(({ data }) => show({ data, error: null }), (error) => abort.signal.aborted || show({ data: null, error }));
    return () => abort.abort();
  }, [letter.id]);
  return html`${letter.history.length > 0 && html`<ol class="fleet-history">${letter.history.map((line, index) => html`<li key=${index}>
    <bdi>${isolated(line)}</bdi></li>`)}</ol>`}
    <p class="dim mono">${plain(letter.subject)}</p>
    ${state.error ? html`<${ErrorNote} error=${state.error} />` : state.data === null ? html`<${Loading}
      rows=${2} />` : html`<pre class="fleet-data"><bdi>${isolated(pretty(state.data)) || "(empty)"}</bdi></pre>`}`;
}

/** Indented JSON; other text unchanged. Pure. */
export function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
