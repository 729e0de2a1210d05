// The log of a run: live, filtered, searchable and linked with the sub-tasks; renders only visible lines.
import { html, useEffect, useMemo, useRef, useState } from "../html.js";
import { Button, clock, duration, EmptyState, Icon, isolated, Liveness, moment, plain, useKeys, VirtualList } from "../ui.js";
import { artifactHref } from "../api.js";
import { fits, nameIn } from "./model.js";

const HEIGHT = 22; // pixels of a line
const CUT = 400; // characters of a line in the list; expanding shows the whole line
const LEVELS = [["", "All levels"], ["info", "Info and above"], ["warning", "Warnings and errors"], ["error", "Errors"]];
const KINDS = ["message", "picture", "decision", "transition", "progress", "tool_call", "tool_result", "thinking", "result", "error", "verdict"];
const NO_LINES = {
  over: "No log lines: none were written, or they have expired.",
  refused: "Your key does not allow following this log.",
  away: "The gateway is unreachable; reconnecting.",
};
const LOOKS = { tool_call: "is-call", tool_result: "is-result", thinking: "is-thinking", verdict: "is-verdict", decision: "is-decision" };

/**
 * `log` is what `useLog` returns; `filter` `{source, kind, level, text, only}` and `refilter(changes)`; `node` the chosen
 * sub-task, `wanted` the one the user chose; `pick(node)` is called when a line of another one is clicked; `over` says whether
 * the run is.
 */
export function Log({ run, log, over, filter, refilter, node, wanted, pick, search }) {
  const [follow, setFollow] = useState(!over);
  const [chosen, choose] = useState(null);
  const box = useRef(null);
  const text = filter.text.toLowerCase();
  const { lines } = log;
  const sources = useMemo(() => [...new Set(lines.map((line) => line.record.source))].sort(), [lines.length]);
  const shown = useMemo(() => {
    const wanted = { ...filter, text, node: filter.only ? node : "" };
    return lines.filter((line) => fits(line.record, wanted));
  }, [lines, lines.length, filter.source, filter.kind, filter.level, text, filter.only && node, filter.only]);
  const [first] = useState(over ? node : "");
  useInSight(box, shown, wanted || first, chosen, setFollow);
  const click = (line) => {
    choose(line);
    setFollow(false);
    if (line.record.node) pick(line.record.node);
  };
  useKeys([
    { keys: "n", does: "Next line", group: "Log", run: () => step(1) },
    { keys: "p", does: "Line before", group: "Log", run: () => step(-1) },
  ]);
  const step = (by) => {
    const at = shown.findIndex((line) => line.cursor === chosen?.cursor);
    const next = shown[at < 0 ? rowInSight(box.current) : Math.min(shown.length - 1, Math.max(0, at + by))];
    if (next) click(next), intoSight(box.current, shown.indexOf(next));
  };
  const render = (line) => html`<${Line} line=${line} mine=${node !== "" && line.record.node === node}
    chosen=${line.cursor === chosen?.cursor} click=${click} text=${text} />`;
  return html`<div class="run-log" ref=${box}>
    <${Tools} filter=${filter} refilter=${refilter} sources=${sources} node=${node} follow=${follow} setFollow=${setFollow} log=${log}
      shown=${shown.length} search=${search} />
    <${VirtualList} class="run-lines" label="Log lines" items=${shown} rowHeight=${HEIGHT} itemKey=${(line) => line.cursor}
      render=${render}
      follow=${follow} onFollow=${setFollow} empty=${html`<${Nothing} log=${log} filtered=${lines.length > 0} />`} />
    ${chosen && html`<${Whole} run=${run} line=${chosen} close=${() => choose(null)} />`}
  </div>`;
}

const rowInSight = (box) => Math.ceil(box.querySelector(".run-lines").scrollTop / HEIGHT);

// Scrolls as little as possible to show a line.
function intoSight(box, at) {
  const list = box.querySelector(".run-lines");
  if (at * HEIGHT < list.scrollTop) list.scrollTop = at * HEIGHT;
  else if ((at + 1) * HEIGHT > list.scrollTop + list.clientHeight) list.scrollTop = (at + 1) * HEIGHT - list.clientHeight;
}

// Shows the first line of a sub-task when it is selected elsewhere, or when the log of a finished run is opened.
function useInSight(box, shown, node, chosen, setFollow) {
  const told = useRef("");
  useEffect(() => {
    if (!node || told.current === node || !shown.length) return;
    const at = shown.findIndex((line) => line.record.node === node);
    if (at < 0) return;
    told.current = node;
    if (chosen?.record.node === node) return;
    setFollow(false);
    box.current.querySelector(".run-lines").scrollTop = Math.max(0, (at - 2) * HEIGHT);
  }, [node, shown]);
}

function Tools({ filter, refilter, sources, node, follow, setFollow, log, shown, search }) {
  const pickers = [
    ["source", "Source", [["", "All sources"], ...sources.map((one) => [one, plain(one)])]],
    ["kind", "Kind", [["", "All kinds"], ...KINDS.map((one) => [one, one.replace("_", " ")])]],
    ["level", "Level", LEVELS],
  ];
  const all = log.lines.length;
  return html`<div class="run-tools">
    <label class="search grow"><${Icon} name="search" /><span class="sr">Search the log</span>
      <input class="input" type="search" placeholder="Search the log" ref=${search} value=${filter.text}
      onInput=${(event) => refilter({ text: event.target.value })}
        onKeyDown=${(event) => event.key === "Escape" && event.target.blur()} /></label>
    ${pickers.map(([name, label, options]) => html`<label key=${name}><span class="sr">${label}</span>
      <select class="input ${filter[name] ? "is-set" : ""}" value=${filter[name]}
      onChange=${(event) => refilter({ [name]: event.target.value })}>
      ${options.map(([value, title]) => html`<option key=${value} value=${value} selected=${value === filter[name]}>${title}</option>`)}
        </select></label>`)}
    <button type="button" class="chip" aria-pressed=${String(filter.only)} aria-disabled=${node ? undefined : "true"}
      onClick=${() => node && refilter({ only: !filter.only })}>Only this sub-task</button>
    <button type="button" class="chip run-follow" aria-pressed=${String(follow)} title="Stay at the end (.)"
      onClick=${() => setFollow(!follow)}>Follow</button>
    <span class="run-count dim num" role="status">
      ${shown === all ? `${all.toLocaleString("en")} lines` : `${shown.toLocaleString("en")} of ${all.toLocaleString("en")}`}</span>
    ${log.state !== "over" && html`<${Liveness} state=${log.joined || log.state !== "live" ? log.state : "opening"} />`}
  </div>`;
}

function Line({ line, mine, chosen, click, text }) {
  const { record } = line;
  const said = plain(record.text).replace(/^\s*\[(Sub-agent|Orchestrator)\] ?/, "").trimEnd().replace(/\s*\n\s*/g, " ⏎ ");
  const at = text ? said.toLowerCase().indexOf(text) : -1;
  const from = at > CUT - text.length ? at - 40 : 0;
  const cut = (from ? "…" : "") + said.slice(from, from + CUT);
  return html`<button type="button" tabindex="-1" class="run-logline l-${record.level ?? "info"} ${LOOKS[record.kind] ?? ""} ${mine ?
    "is-mine" : ""} ${chosen ? "is-chosen" : ""}" onClick=${() => click(line)}>
    <time class="num dim">${record.at ? clock(record.at) : ""}</time><span class="run-source dim">${plain(record.source)}</span>
      <${Hit} text=${cut} word=${text} />
    ${record.duration_ms > 0 && html`<span class="num dim">${duration(record.duration_ms / 1000)}</span>`}</button>`;
}

function Hit({ text, word }) {
  const at = word ? text.toLowerCase().indexOf(word) : -1;
  if (at < 0) return html`<bdi class="run-said-line">${text}</bdi>`;
  return html`<bdi class="run-said-line">${text.slice(0, at)}<mark>${text.slice(at, at + word.length)}</mark>
    ${text.slice(at + word.length)}</bdi>`;
}

// The expanded line.
function Whole({ run, line, close }) {
  const { record } = line;
  const facts = [["time", record.at ? moment(record.at) : ""], ["source", record.source], ["kind", record.kind],
    ["level", record.level ?? "info"], ["sub-task", record.node], ["tool", record.tool],
    ["status", record.status], ["took", record.duration_ms ? duration(record.duration_ms / 1000) : ""],
      ["line", line.cursor]].filter(([, value]) => value);
  return html`<section class="run-whole" aria-label="The chosen line"><div class="row between"><dl class="run-facts is-small">
    ${facts.map(([name, value]) => html`<div key=${name}><dt>${name}</dt><dd><bdi>${isolated(value)}</bdi></dd></div>`)}</dl>
      <${Button} kind="icon" icon="close" label="Close the line" onClick=${close} /></div>
    <pre><bdi>${isolated(record.text)}</bdi></pre>
    ${record.artifacts?.length > 0 && html`<ul class="run-stored">${record.artifacts.map((name) => html`<li key=${name}>
      <a href=${artifactHref(run, nameIn(run, name))} download><bdi>${isolated(nameIn(run, name))}</bdi></a></li>`)}</ul>`}</section>`;
}

function Nothing({ log, filtered }) {
  if (filtered) return html`<${EmptyState} title="No line matches" text="Remove a filter, or search for something else." />`;
  const text = NO_LINES[log.state] ?? "Lines appear here as soon as they are written.";
  return html`<${EmptyState} title="No lines" text=${text} />`;
}
