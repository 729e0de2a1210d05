// The page of a stored case: its text in the editor, its versions, and Run.
import { ask, at, get, post } from "../api.js";
import { Meaning, Repairs, useHelp } from "../create/assist.js";
import { newKey, useCheck } from "../create/check.js";
import { Editor } from "../create/editor.js";
import { FORMS, formOf, offsetOf, repaired } from "../create/text.js";
import { Told } from "../create/told.js";
import { html, useEffect, useRef, useState } from "../html.js";
import { navigate, pageHref, runHref, useQuery } from "../router.js";
import { Button, ErrorNote, Loading, Note, plain, plural, RelativeTime, toast, useForbidden, useKeys } from "../ui.js";
import { Newest } from "./page.js";

const BLANK = (id) => ({ text: `name: ${id}\nsteps:\n  - action: Open "http://127.0.0.1:8000"\n    expected: The page title is "Demo shop"\n`, versions: [], file: `${id}.yaml`, version: null });

/** Shows one case in its newest version, or in that of the query, to be changed, saved and run. */
export function StoredCasePage({ name }) {
  const [query, change] = useQuery();
  const number = query.get("version") ?? "";
  const fresh = Boolean(query.get("new"));
  const [found, know] = useState(null);
  const [error, tell] = useState(null);
  const [turn, load] = useState(0);
  useEffect(() => {
    let here = true;
    know(null);
    if (fresh) return know(BLANK(name));
    get(at("cases", name), { version: number }).then((told) => here && (know(told), tell(null)), (problem) => here && (problem.status === 404 && !number ? know(BLANK(name)) : tell(problem)));
    return () => (here = false);
  }, [name, number, fresh, turn]);
  const saved = () => (number || fresh ? change({ version: "", new: "" }) : load((count) => count + 1));
  if (error) return html`<${ErrorNote} error=${error} retry=${() => load((count) => count + 1)} />`;
  if (!found) return html`<${Loading} />`;
  return html`<${Opened} key=${found.version?.digest ?? ""} id=${name} found=${found} saved=${saved} />`;
}

function Opened({ id, found, saved }) {
  const [text, write] = useState(found.text);
  const [form, choose] = useState(formOf(found.text, "yaml", found.file));
  const [note, remark] = useState("");
  const [busy, work] = useState("");
  const [error, tell] = useState(null);
  const field = useRef(null);
  const forbidden = useForbidden("runner");
  const [caret, moveCaret] = useState(0);
  const check = useCheck(forbidden ? "" : text, form);
  const help = useHelp(forbidden ? "" : text, form, caret);
  const newest = found.versions[0];
  const old = Boolean(found.version && found.version.number !== newest.number);
  const changed = text !== found.text || !found.version || old;
  const problems = check.state === "bad" ? `${plural(check.problems.length, "problem")} to fix first.` : check.state === "empty" ? "There is no case yet." : "";
  const whySave = forbidden || problems || (changed ? "" : "Nothing has changed.");
  const whyRun = forbidden || (!found.version ? "Save it first." : text !== found.text ? "Save the change first." : "");
  const perform = async (what, act) => {
    work(what);
    tell(null);
    try {
      await act();
    } catch (problem) {
      tell(problem);
    }
    work("");
  };
  const save = () => (whySave ? toast(whySave) : perform("save", async () => {
    const query = { replaces: newest?.digest ?? "", note };
    const { version } = await ask("PUT", `${at("cases", id)}?${new URLSearchParams(query)}`, { body: text, type: FORMS[form][1] });
    toast(`Version ${version.number} saved`, "good");
    saved();
  }));
  const run = () => (whyRun ? toast(whyRun) : perform("run", async () => {
    const { runs } = await post("/runs", { case: id, version: found.version.number }, { headers: { "Idempotency-Key": newKey() } });
    navigate(runs.length === 1 ? runHref(runs[0].run) : pageHref());
  }));
  const seek = ({ line, column }) => {
    const place = offsetOf(text, line, column || 1);
    field.current.focus();
    field.current.setSelectionRange(place, place);
  };
  useKeys([
    { keys: "Ctrl+s", does: "Save", group: "Case", typing: true, run: save },
    { keys: "Ctrl+Enter", does: "Run", group: "Case", typing: true, run },
    { keys: "Escape", does: "Leave the editor", group: "Case", typing: true, run: () => document.activeElement.blur() },
  ]);
  return html`<div class="page-head"><div class="grow"><p class="dim crumbs"><a href=${pageHref("library")}>Cases</a></p><h1>${id}</h1></div>
      <${Button} icon="pass" why=${whySave} busy=${busy === "save"} keys="Ctrl+s" label="Save" onClick=${save}>Save<//>
      <${Button} kind="primary" icon="play" why=${whyRun} busy=${busy === "run"} keys="Ctrl+Enter" label="Run" onClick=${run}>Run<//></div>
    <${ErrorNote} error=${error} title=${error && "Nothing was done"} />
    ${!found.version && html`<${Note}>There is no case of this id yet. Save makes it.<//>`}
    ${old && html`<${Note} kind="warn">This is version ${found.version.number}; version ${newest.number} is the newest. Save makes this text the newest again.<//>`}
    <div class="create"><div class="create-main"><div class="create-bar"><div class="segments" role="radiogroup" aria-label="Written in">${Object.entries(FORMS).map(([name, [title]]) => html`<button type="button" role="radio" key=${name} aria-checked=${String(form === name)} onClick=${() => choose(name)}>${title}</button>`)}</div>
        <span class="grow"></span><input class="input" aria-label="Why it is changed" placeholder="Why (optional)" value=${note} maxlength="500" onInput=${(event) => remark(event.target.value)} /></div>
      <${Editor} text=${text} onText=${write} problems=${check.problems} label="Test case" field=${field} help=${help} onCaret=${moveCaret} />
      <${Meaning} text=${help.meaning} />
      <${Told} check=${check} seek=${seek}><${Repairs} repairs=${help.repairs} write=${(one) => write(repaired(text, one))} /><//></div>
      <div class="create-side"><${Runs} found=${found} /><${Versions} id=${id} found=${found} /></div></div>`;
}

const Runs = ({ found }) => found.case && html`<section aria-label="Newest runs"><h2>Newest runs</h2>
  <ul>${found.case.cases.map((one) => html`<li key=${one.name}><${Newest} one=${one} /> ${plain(one.name)}</li>`)}</ul></section>`;

const Versions = ({ id, found }) => found.versions.length > 0 && html`<section aria-label="Versions"><h2>Versions</h2><ol class="library-versions">${found.versions.map((one, index) => html`<li key=${one.number}>
  <a href=${`/console/library/${encodeURIComponent(id)}${index ? `?version=${one.number}` : ""}`} aria-current=${one.number === found.version.number ? "true" : undefined}>Version ${one.number}</a>
  <span class="dim"> <${RelativeTime} at=${one.at ?? 0} />${one.by && ` by ${plain(one.by)}`}${one.note && `: ${plain(one.note)}`}</span></li>`)}</ol></section>`;
