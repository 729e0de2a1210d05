// The page for a new run: write a case, see its problems, run it.
import { at, get } from "../api.js";
import { html, useEffect, useRef, useState } from "../html.js";
import { navigate, pageHref, runHref, useQuery } from "../router.js";
import { Button, ErrorNote, Icon, Note, plain, plural, toast, useForbidden, useKeys } from "../ui.js";
import { Meaning, Repairs, useHelp } from "./assist.js";
import { newKey, submit, useCheck } from "./check.js";
import { Editor } from "./editor.js";
import { EXAMPLES } from "./examples.js";
import { Settings } from "./settings.js";
import { FORMS, formOf, leftOut, offsetOf, repaired, toYaml } from "./text.js";

const DRAFT = "muster.draft";
const NOTHING_SET = { suite: "", tags: "", priority: "", variables: {} };

/** The editor with problems, settings and the Run button. */
export function NewRunPage() {
  const [draft, write] = useDraft();
  const [settings, set] = useState(NOTHING_SET);
  const [busy, work] = useState(false);
  const [error, tell] = useState(null);
  const [query] = useQuery();
  const field = useRef(null);
  const [caret, moveCaret] = useState(0);
  const attempt = useRef({ what: "", key: "" });
  const forbidden = useForbidden("runner");
  const check = useCheck(forbidden ? "" : draft.text, draft.form);
  const help = useHelp(forbidden ? "" : draft.text, draft.form, caret);
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
    ${forbidden && html`<${Note} kind="warn">${forbidden} You can write a case here, but you cannot check or run it.<//>`}
    <${ErrorNote} error=${error} title=${error && "The run was not started"} />
    ${missing.length > 0 && html`<${Note} kind="warn">Not copied from that run, because a case cannot contain it: ${missing.join(", ")}.<//>`}
    <div class="create">
      <div class="create-main"><${Bar} draft=${draft} write=${write} put=${put} />
        <${Editor} text=${draft.text} onText=${(text) => write({ ...draft, text })} problems=${check.problems} label="Test case" field=${field} help=${help} onCaret=${moveCaret} />
        <${Meaning} text=${help.meaning} />
        <${Told} check=${check} seek=${seek}><${Repairs} repairs=${help.repairs} write=${(one) => write({ ...draft, text: repaired(draft.text, one) })} /><//></div>
      <${Settings} settings=${settings} set=${set} check=${check} />
    </div>`;
}

/** Why the text cannot run now; empty if it can. */
function reason({ state, problems }) {
  if (state === "empty") return "No case yet: write one, or start from an example.";
  if (state === "bad") return `${plural(problems.length, "problem")} to fix first.`;
  return "";
}

/** The draft, kept while this tab is open: `[{text, form}, write]`. */
function useDraft() {
  const [draft, change] = useState(() => {
    try {
      const kept = JSON.parse(sessionStorage.getItem(DRAFT) ?? "null");
      if (kept && typeof kept.text === "string" && kept.form in FORMS) return kept;
    } catch {
      // No draft, or storage is blocked.
    }
    return { text: EXAMPLES[0].text, form: EXAMPLES[0].form };
  });
  const write = (next) => {
    change(next);
    try {
      sessionStorage.setItem(DRAFT, JSON.stringify(next));
    } catch {
      // Storage may be blocked or full; then the draft lasts as long as the page.
    }
  };
  return [draft, write];
}

/**
 * Load the case of the run in the address, if any; returns the parts of its request that were left out. Then remove the run
 * from the address, so that going back or reloading finds the draft and not the original case.
 */
function useStart(run, write, tell) {
  const [missing, miss] = useState([]);
  useEffect(() => {
    if (!run) return undefined;
    let here = true;
    get(at("runs", run)).then(({ request }) => {
      if (!here) return;
      if (!request?.job?.steps) return tell(new Error("That run has no case to start from."));
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

/** The result of the validation: problems to go to, or the cases. */
function Told({ check, seek, children }) {
  const { state, problems, cases, unread = [], error } = check;
  return html`<div id="problems" class="told told-${state}" role="status" aria-live="polite">
    ${state === "unknown" && html`<p class="told-head"><${Icon} name="warning" />Cannot be checked now: ${error.message}</p>`}
    ${state === "checking" && !problems.length && html`<p class="told-head dim"><${Icon} name="running" />Checking …</p>`}
    ${problems.length > 0 && html`<p class="told-head s-fail"><${Icon} name="fail" />${plural(problems.length, "problem")}</p><ul>${problems.map((one, index) => html`<li key=${index}>
      <button type="button" class="problem" onClick=${() => seek(one)}>${one.line > 0 && html`<span class="num dim">${one.line}:${one.column || 1}</span>`}<span>${plain(one.message)}</span></button></li>`)}</ul>`}
    ${state === "good" && html`<p class="told-head s-pass"><${Icon} name="pass" />${plural(cases.length, "case")}, ${plural(cases.reduce((sum, one) => sum + one.steps.length, 0), "step")}: can be run${unread.length > 0 && ", with a model"}</p>`}
    ${state === "good" && unread.length > 0 && html`<details class="told-unread"><summary>${plural(unread.length, "sentence")} that no phrase reads</summary><ul>${unread.map((one, index) => html`<li key=${index}>${plain(one)}</li>`)}</ul></details>`}
    ${children}
  </div>`;
}
