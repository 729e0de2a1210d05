// A new run: writing a case, seeing what is wrong with it, and running it.
import { at, get } from "../api.js";
import { html, useEffect, useRef, useState } from "../html.js";
import { navigate, pageHref, runHref, useQuery } from "../router.js";
import { Button, ErrorNote, Icon, Note, plain, plural, toast, useForbidden, useKeys } from "../ui.js";
import { newKey, submit, useCheck } from "./check.js";
import { Editor } from "./editor.js";
import { EXAMPLES } from "./examples.js";
import { Settings } from "./settings.js";
import { FORMS, formOf, leftOut, offsetOf, toYaml } from "./text.js";

const DRAFT = "muster.draft";
const NOTHING_SET = { suite: "", tags: "", priority: "", variables: {} };

/** An editor for cases with what is wrong with them, what is set beside them, and the button that runs them. */
export function NewRunPage() {
  const [draft, write] = useDraft();
  const [settings, set] = useState(NOTHING_SET);
  const [busy, work] = useState(false);
  const [error, tell] = useState(null);
  const [query] = useQuery();
  const field = useRef(null);
  const attempt = useRef({ what: "", key: "" });
  const forbidden = useForbidden("runner");
  const check = useCheck(forbidden ? "" : draft.text, draft.form);
  const why = forbidden || reason(check);
  const missing = useStart(query.get("from"), write, tell);

  const start = async () => {
    if (why || busy) return why && toast(why);
    work(true);
    tell(null);
    const what = JSON.stringify([draft, settings]);
    if (attempt.current.what !== what) attempt.current = { what, key: newKey() };
    try {
      const runs = await submit(draft.text, draft.form, settings, attempt.current.key);
      if (runs.length > 1) toast(`${plural(runs.length, "run")} submitted`, "good");
      navigate(runs.length === 1 ? runHref(runs[0]) : pageHref());
    } catch (problem) {
      tell(problem);
      work(false);
    }
    return undefined;
  };
  const seek = ({ line, column }) => {
    const place = offsetOf(draft.text, line, column || 1);
    field.current.focus();
    field.current.setSelectionRange(place, place);
  };
  useKeys([
    { keys: "Ctrl+Enter", does: "Run", group: "New run", typing: true, run: start },
    { keys: "e", does: "Go to the editor", group: "New run", run: () => field.current.focus() },
    { keys: "Escape", does: "Leave the editor", group: "New run", typing: true, run: () => document.activeElement.blur() },
  ]);
  const put = (text, fileName) => write({ text, form: formOf(text, draft.form, fileName) });
  return html`<div class="page-head"><h1>New run</h1><span class="grow"></span>
      <${Button} kind="primary" icon="play" why=${why} busy=${busy} keys="Ctrl+Enter" label="Run" onClick=${start}>${check.cases.length > 1 ? `Run ${check.cases.length} cases` : "Run"}<//></div>
    ${forbidden && html`<${Note} kind="warn">${forbidden} You can write a case here, but neither check nor run it.<//>`}
    <${ErrorNote} error=${error} title=${error && "It was not run"} />
    ${missing.length > 0 && html`<${Note} kind="warn">Not taken over from that run, as a case cannot hold it: ${missing.join(", ")}.<//>`}
    <div class="create">
      <div class="create-main"><${Bar} draft=${draft} write=${write} put=${put} />
        <${Editor} text=${draft.text} onText=${(text) => write({ ...draft, text })} problems=${check.problems} label="Test case" field=${field} />
        <${Told} check=${check} seek=${seek} /></div>
      <${Settings} settings=${settings} set=${set} check=${check} />
    </div>`;
}

/** Why the text cannot be run now; empty if it can. */
function reason({ state, problems }) {
  if (state === "empty") return "There is no case yet; write one, or start from an example.";
  if (state === "bad") return `${plural(problems.length, "problem")} to mend first.`;
  return "";
}

/** What is written, kept while this tab is open: `[{text, form}, write]`. */
function useDraft() {
  const [draft, change] = useState(() => {
    try {
      const kept = JSON.parse(sessionStorage.getItem(DRAFT) ?? "null");
      if (kept && typeof kept.text === "string" && kept.form in FORMS) return kept;
    } catch {
      // Nothing was kept, or nothing may be kept.
    }
    return { text: EXAMPLES[0].text, form: EXAMPLES[0].form };
  });
  const write = (next) => {
    change(next);
    try {
      sessionStorage.setItem(DRAFT, JSON.stringify(next));
    } catch {
      // It may be forbidden or full; then the text lasts as long as the page.
    }
  };
  return [draft, write];
}

/**
 * Start from the case of a run, if the address names one; returns what of its request was left out. The run then leaves
 * the address: going back or loading anew must find what was written since, not the case once more.
 */
function useStart(run, write, tell) {
  const [missing, miss] = useState([]);
  useEffect(() => {
    if (!run) return undefined;
    let here = true;
    get(at("runs", run)).then(({ request }) => {
      if (!here) return;
      if (!request?.job?.steps) return tell(new Error("That run holds no case to start from."));
      write({ text: toYaml(request), form: "yaml" });
      miss(leftOut(request));
      navigate(pageHref("new"), { replace: true });
    }, (problem) => here && tell(problem));
    return () => (here = false);
  }, [run]);
  return missing;
}

function Bar({ draft, write, put }) {
  const file = useRef(null);
  const example = (event) => {
    const chosen = EXAMPLES[Number(event.target.value)];
    event.target.value = "";
    if (chosen) write({ text: chosen.text, form: chosen.form });
  };
  const open = async () => {
    const [chosen] = file.current.files;
    if (chosen) put(await chosen.text(), chosen.name);
    file.current.value = "";
  };
  return html`<div class="create-bar"><div class="segments" role="radiogroup" aria-label="Written in">${Object.entries(FORMS).map(([form, [title]]) => html`<button type="button" role="radio" key=${form}
      aria-checked=${String(draft.form === form)} onClick=${() => write({ ...draft, form })}>${title}</button>`)}</div>
    <span class="grow"></span>
    <select class="input" aria-label="Start from an example" onChange=${example}><option value="">Examples …</option>${EXAMPLES.map((one, index) => html`<option key=${index} value=${index}>${one.title}</option>`)}</select>
    <label class="button file">Open a file<input ref=${file} type="file" accept=".yaml,.yml,.feature,.md,.markdown" onChange=${open} /></label></div>`;
}

/** What the gateway says of the text: problems to go to, or the cases as it understands them. */
function Told({ check, seek }) {
  const { state, problems, cases, unread = [], error } = check;
  return html`<div id="problems" class="told told-${state}" role="status" aria-live="polite">
    ${state === "unknown" && html`<p class="told-head"><${Icon} name="warning" />It cannot be checked now: ${error.message}</p>`}
    ${state === "checking" && !problems.length && html`<p class="told-head dim"><${Icon} name="running" />Checking …</p>`}
    ${problems.length > 0 && html`<p class="told-head s-fail"><${Icon} name="fail" />${plural(problems.length, "problem")}</p><ul>${problems.map((one, index) => html`<li key=${index}>
      <button type="button" class="problem" onClick=${() => seek(one)}>${one.line > 0 && html`<span class="num dim">${one.line}:${one.column || 1}</span>`}<span>${plain(one.message)}</span></button></li>`)}</ul>`}
    ${state === "good" && html`<p class="told-head s-pass"><${Icon} name="pass" />${plural(cases.length, "case")}, ${plural(cases.reduce((sum, one) => sum + one.steps.length, 0), "step")}: can be run${unread.length > 0 && ", with a model"}</p>`}
    ${state === "good" && unread.length > 0 && html`<details class="told-unread"><summary>${plural(unread.length, "sentence")} that no phrase reads</summary><ul>${unread.map((one, index) => html`<li key=${index}>${plain(one)}</li>`)}</ul></details>`}
  </div>`;
}
