// The page of a run: head, failure, plan, and next to it the selected sub-task, log, files or case.
import { at, post } from "../api.js";
import { html, useCallback, useEffect, useMemo, useRef, useState } from "../html.js";
import { navigate, pageHref, runHref, useQuery } from "../router.js";
import { EmptyState, ErrorNote, isOver, Loading, plain, Tabs, toast, useForbidden, useKeys, useMedia, useNow } from "../ui.js";
import { useFiles, useLog, useMessages, useMoment, useNode, useNotes, useRun, withPushed } from "./data.js";
import { Failure } from "./failure.js";
import { FilesTab, LastPicture } from "./files.js";
import { Header, Waiting } from "./header.js";
import { Log } from "./log.js";
import { isPicture, refusals } from "./model.js";
import { MachineTab } from "./machine.js";
import { MessagesTab } from "./messages.js";
import { Notes } from "./notes.js";
import { Kept, Large } from "./pictures.js";
import { Graph, Plan } from "./plan.js";
import { RequestTab } from "./request.js";
import { SubTask } from "./subtask.js";

const DONE = {
  cancel: "Cancellation requested.", pause: "The run pauses after its current sub-tasks.", resume: "The run continues.",
  answer: "The answer is stored; the run continues.",
};
const TELLING = ["progress", "result", "decision", "message", "error", "verdict"]; // kinds of lines after which a run may stand differently
const FILTERS = ["source", "kind", "level", "text"];

/** The page of a run. */
export function RunPage({ run }) {
  const asked = useRun(run);
  if (!asked.view) return html`<${Missing} run=${run} error=${asked.error} retry=${() => asked.again(0)} />`;
  return html`<${Shown} run=${run} asked=${asked} />`;
}

function Missing({ run, error, retry }) {
  if (!error) return html`<${Loading} rows=${8} />`;
  if (error.status !== 404) return html`<${ErrorNote} title="The run cannot be shown" error=${error} retry=${retry} />`;
  return html`<${EmptyState} title="There is no such run"
    text=${`“${plain(run)}” never existed, or was removed with its log.`}>
    <a class="button" href=${pageHref()}>To the runs</a><//>`;
}

function Shown({ run, asked }) {
  const { view } = asked;
  const [query, change] = useQuery();
  const narrow = useMedia("(max-width: 860px)");
  const over = isOver(view.run);
  const now = useNow(over ? 0 : 1000);
  const node = view.nodes.find((one) => one.id === query.get("node")) ?? view.nodes.find((one) => one.id === view.focus);
  const id = node?.id ?? "";
  const chosen = useNode(run, node && node.state !== "waiting" && node.state !== "skipped" ? id : "");
  const listed = useFiles(run);
  const [pushed, push] = useState([]);
  const files = useMemo(() => withPushed(run, listed.files, pushed), [run, listed.files, pushed]);
  const stored = { ...listed, files };
  const found = useNotes(run, over);
  const tab = tabOf(query.get("tab"), narrow);
  const talk = useMessages(run, tab === "messages");
  const moment = useMoment(run, tab === "machine");
  const log = useHeard(run, over, id, asked, chosen, stored, talk, push, moment);
  const [picture, openPicture] = useState(null);
  const [busy, act] = useActions(run, asked);
  const refused = refusals(view, useForbidden("runner"));
  const search = useRef(null);
  const select = useCallback((id, next) => change({ node: id, attempt: "", tab: next ?? (tab === "log" ? "log" : "step") }), [tab]);
  const title = (id) => nameOf(view.nodes, id);
  useTitle(view);
  useFresh(chosen, node);
  useRunKeys({ nodes: view.nodes, node: id, select, change, tab, search });

  const panels = {
    plan: () => html`<${PlanPane} view=${view} node=${id} select=${select} now=${now}
      files=${stored.files} openPicture=${openPicture} />`,
    step: () => html`<${SubTask} view=${view} node=${node} asked=${chosen} attempt=${Number(query.get("attempt")) || 0}
      choose=${(number) => change({ attempt: String(number) })} openPicture=${openPicture} />`,
    log: () => html`<${Log} run=${run} log=${log} over=${over} filter=${filterOf(query)} refilter=${refilter(change)} node=${id}
      wanted=${query.get("node") ?? ""} pick=${(id) => change({ node: id, attempt: "" })} search=${search} />`,
    files: () => html`<${FilesTab} view=${view} stored=${stored} openPicture=${openPicture} />`,
    messages: () => html`<${MessagesTab} view=${view} asked=${talk} />`,
    machine: () => html`<${MachineTab} view=${view} log=${log} asked=${moment} now=${now} over=${over} />`,
    case: () => html`<${RequestTab} view=${view} />`,
  };
  const tabs = [
    ...(narrow ? [{ name: "plan", title: "Plan" }] : []),
    { name: "step", title: "Sub-task" },
    { name: "log", title: "Log", count: log.lines.length ? log.lines.length.toLocaleString("en") : undefined },
    { name: "files", title: "Files", count: stored.files?.length || undefined },
    { name: "messages", title: "Messages" },
    { name: "machine", title: "Machine" },
    { name: "case", title: "Case" },
  ];
  const kept = useMemo(() => ({ names: stored.files && new Set(stored.files.map((file) => file.name)), over }), [stored.files, over]);
  return html`<${Kept.Provider} value=${kept}><div class="run on-${tab}">
    <${Header} view=${view} now=${now} refused=${refused} busy=${busy} act=${act} />
    ${asked.error && html`<${ErrorNote} title="This may be out of date" error=${asked.error} retry=${() => asked.again(0)} />`}
    <${Waiting} view=${view} refused=${refused} act=${act} select=${select} titleOf=${title} />
    <${Failure} view=${view} titleOf=${title} select=${select} picture=${failurePicture(view, stored.files)}
      openPicture=${openPicture} brief=${tab !== "step" && tab !== "plan"} />
    ${(tab === "step" || tab === "plan") && html`<${Notes} notes=${found.notes} />`}
    <div class="run-body">
      ${!narrow && html`<aside class="run-side-pane" aria-label="Plan">${panels.plan()}</aside>`}
      <div class="run-main"><${Tabs} tabs=${tabs} chosen=${tab} onChoose=${(name) => change({ tab: name })} label="Parts of the run" />
        <div class="run-panel is-${tab}" role="tabpanel" id="panel-${tab}" aria-labelledby="tab-${tab}">${panels[tab]()}</div></div>
    </div>
    ${picture && html`<${Large} run=${run} picture=${picture} close=${() => openPicture(null)} />`}
  </div><//>`;
}

function PlanPane({ view, node, select, now, files, openPicture }) {
  return html`<div class="run-plan-pane"><${Graph} nodes=${view.nodes} selected=${node} select=${select} />
    <${Plan} view=${view} selected=${node} select=${select} now=${now} />
    <${LastPicture} view=${view} files=${files} openPicture=${openPicture} /></div>`;
}

function tabOf(wanted, narrow) {
  const known = ["step", "log", "files", "messages", "machine", "case", ...(narrow ? ["plan"] : [])];
  return known.includes(wanted) ? wanted : narrow ? "plan" : "step";
}

function nameOf(nodes, id) {
  const node = nodes.find((one) => one.id === id);
  return node ? (node.number ? `${node.number}. ` : "") + plain(node.title) : plain(id);
}

// The last picture of the failed sub-task.
function failurePicture(view, files) {
  const node = view.nodes.find((one) => one.id === view.failure?.node);
  const name = node?.artifacts.findLast((one) => isPicture({ name: one }));
  return name ? (files?.find((file) => file.name === name) ?? { name }) : null;
}

const filterOf = (query) => ({ ...Object.fromEntries(FILTERS.map((name) => [name, query.get(name) ??
  ""])), only: query.get("only") === "1" });

const refilter = (change) => ({ only, ...changes }) => change({ ...changes, ...(only === undefined ? {} : { only: only ? "1" : "" }) });

// The log, which also signals when to reload the run.
function useHeard(run, over, node, asked, chosen, stored, talk, push, moment) {
  return useLog(run, over, (records) => {
    if (records.some((record) => TELLING.includes(record.kind))) (asked.again(), talk.again(800), moment.again(400));
    if (records.some((record) => record.node === node)) chosen.again(400);
    const pictures = records.filter((record) => record.picture);
    if (pictures.length) push((old) => [...old, ...pictures]);
    if (records.some((record) => record.artifacts?.length || record.kind === "result")) stored.again(800);
  });
}

// The journal of a sub-task is reloaded when its state changes.
function useFresh(chosen, node) {
  useEffect(() => chosen.again(0), [node?.id, node?.state, node?.attempt]);
}

function useTitle(view) {
  useEffect(() => {
    document.title = `${{ pass: "✓ ", fail: "✗ " }[view.run.status] ?? ""}${plain(view.run.name)} · Muster`;
  }, [view.run.status, view.run.name]);
}

function useActions(run, asked) {
  const [busy, work] = useState("");
  const act = async (name, body) => {
    work(name);
    try {
      const done = await post(at("runs", run, name), body);
      if (name === "rerun") return void (toast("The run was submitted again.", "good"), navigate(runHref(done.run)));
      toast(DONE[name], "good");
    } catch (error) {
      toast(error.message, "bad");
    } finally {
      work("");
      asked.again(0);
    }
    return undefined;
  };
  return [busy, act];
}

function useRunKeys({ nodes, node, select, change, tab, search }) {
  const step = (by) => {
    const next = nodes[Math.min(nodes.length - 1, Math.max(0, nodes.findIndex((one) => one.id === node) + by))];
    if (next) select(next.id, tab === "plan" ? "plan" : undefined);
  };
  const show = (name) => change({ tab: name });
  const evidence = () => {
    show("step");
    requestAnimationFrame(() => document.getElementById("run-evidence")?.scrollIntoView({ block: "start" }));
  };
  useKeys([
    { keys: "j", does: "Next sub-task", group: "Run", run: () => step(1) },
    { keys: "k", does: "Sub-task before", group: "Run", run: () => step(-1) },
    { keys: "Enter", does: "Show the sub-task", group: "Run", run: () => show("step") },
    { keys: "e", does: "Its evidence", group: "Run", run: evidence },
    { keys: "l", does: "Log", group: "Run", run: () => show("log") },
    { keys: "f", does: "Files", group: "Run", run: () => show("files") },
    { keys: "m", does: "Messages and shared values", group: "Run", run: () => show("messages") },
    { keys: "c", does: "Case as submitted", group: "Run", run: () => show("case") },
    { keys: "/", does: "Search the log", group: "Run", run: () => (show("log"), requestAnimationFrame(() => search.current?.focus())) },
    { keys: ".", does: "Follow the log", group: "Run", run: () => document.querySelector(".run-follow")?.click() },
  ]);
}
