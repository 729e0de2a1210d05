// Computes layouts from API data: graph, bars, highlighted words, kinds of files. Pure.
import { isOver } from "../format.js";

const LEVELS = ["debug", "info", "warning", "error"];

// Whether each planned sub-task needs only the one before it, so that a list suffices.
export function isChain(nodes) {
  const planned = nodes.filter((node) => node.number);
  return planned.every((node, index) => {
    const needs = node.needs ?? [];
    return needs.length === (index ? 1 : 0) && (index === 0 || needs[0] === planned[index - 1].id);
  });
}

// Graph layout of the planned sub-tasks: {places: [{node, column, row}], edges: [[from, to]], columns, rows}.
export function graph(nodes) {
  const planned = nodes.filter((node) => node.number);
  const byId = new Map(planned.map((node) => [node.id, node]));
  const depth = new Map();
  const depthOf = (id, path) => {
    if (depth.has(id) || path.has(id)) return depth.get(id) ?? 0;
    const needs = (byId.get(id).needs ?? []).filter((need) => byId.has(need));
    const found = needs.length ? 1 + Math.max(...needs.map((need) => depthOf(need, new Set(path).add(id)))) : 0;
    depth.set(id, found);
    return found;
  };
  const filled = [];
  const places = planned.map((node) => {
    const row = depthOf(node.id, new Set());
    filled[row] = (filled[row] ?? 0) + 1;
    return { node, row, column: filled[row] - 1 };
  });
  for (const place of places) place.width = filled[place.row];
  const known = (node) => (node.needs ?? []).filter((need) => byId.has(need)).map((need) => [need, node.id]);
  return { places, edges: planned.flatMap(known), columns: Math.max(1, ...filled.map((n) => n ?? 0)), rows: filled.length };
}

const ACTIONS = ["cancel", "pause", "resume", "rerun", "answer"];
/** Why an action is disabled, by its name; empty if it is not. `forbidden` is the reason for the user's role. */
export const refusals = (view, forbidden) => Object.fromEntries(ACTIONS.map((name) => [name, forbidden || view.refused[name] || ""]));

/** A text split at whole-word matches of some words: `[{text, hit}]`. Ignores case. */
export function marked(text, words) {
  const wanted = [...new Set(words.filter(Boolean))].sort((a, b) => b.length - a.length);
  if (!text || !wanted.length) return text ? [{ text, hit: false }] : [];
  const pattern = new RegExp(wanted.map(alone).join("|"), "giu");
  const parts = [];
  let at = 0;
  for (const match of text.matchAll(pattern)) {
    if (match.index > at) parts.push({ text: text.slice(at, match.index), hit: false });
    parts.push({ text: match[0], hit: true });
    at = match.index + match[0].length;
  }
  if (at < text.length) parts.push({ text: text.slice(at), hit: false });
  return parts;
}

// A pattern for a whole word: "2" is not in "29.99".
function alone(word) {
  const quoted = word.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
  const before = /^[\p{L}\p{N}]/u.test(word) ? "(?<![\\p{L}\\p{N}])" : "";
  const after = /[\p{L}\p{N}]$/u.test(word) ? "(?![\\p{L}\\p{N}])" : "";
  return before + quoted + after;
}

/** Bars of the timeline: for each call `{left, width}` in percent of the attempt's duration, or null. */
export function waterfall(calls, now = 0) {
  const spans = calls.map((call) => {
    const end = call.ended_at || (call.status === "running" ? now : 0) || call.started_at;
    return { begin: call.started_at ?? 0, end };
  });
  const known = spans.filter((span) => span.begin > 0);
  const first = Math.min(...known.map((span) => span.begin));
  const whole = Math.max(0.001, Math.max(...known.map((span) => span.end)) - first);
  return spans.map(({ begin, end }) => {
    if (!(begin > 0)) return null;
    const width = Math.max(0.8, ((end - begin) / whole) * 100);
    return { left: Math.min(((begin - first) / whole) * 100, 100 - width), width };
  });
}

// Whether a log record passes a filter {source, kind, level, node, text}; `level` is the minimum.
export function fits(record, filter) {
  if (filter.source && record.source !== filter.source) return false;
  if (filter.kind && record.kind !== filter.kind) return false;
  if (filter.level && LEVELS.indexOf(record.level ?? "info") < LEVELS.indexOf(filter.level)) return false;
  if (filter.node && record.node !== filter.node) return false;
  return !filter.text || (record.text ?? "").toLowerCase().includes(filter.text);
}

// Duration of a run in seconds, up to now while it runs; 0 before its start.
export function elapsed(row, now) {
  if (!row.started_at) return 0;
  return Math.max(0, (row.ended_at || (isOver(row) ? row.started_at : now)) - row.started_at);
}

export function tokensOf(usage) {
  return (usage?.input_tokens ?? 0) + (usage?.output_tokens ?? 0);
}

/* Types that are shown as pictures. */
const PICTURES = /^image\/(png|jpeg|gif|webp)$/;

export function isPicture(file) {
  return PICTURES.test((file.content_type ?? "").split(";")[0]) || (!file.content_type && /\.(png|jpe?g|webp|gif)$/i.test(file.name));
}

// A file's name without `<run>/`, as in its address.
export function nameIn(run, name) {
  return name.startsWith(`${run}/`) ? name.slice(run.length + 1) : name;
}

/** Label of a file and, if not obvious, how to open it, as parts `"text"` or `{code}`. */
export function fileKind(name) {
  const last = name.split("/").at(-1).toLowerCase();
  if (/trace.*\.zip$/.test(last)) return { label: "Playwright trace", hint: ["Open it with ",
    { code: `npx playwright show-trace ${last}` }, " or drop it onto trace.playwright.dev"] };
  if (/\.har(\.zip)?$/.test(last)) return { label: "Network (HAR)", hint: ["Import it in the Network panel of a browser's developer tools"] };
  if (/console.*\.(jsonl?|ndjson|log|txt)$/.test(last)) return { label: "Browser console" };
  if (/^output.*\.txt$/.test(last)) return { label: "Long output" };
  if (/\.(png|jpe?g|webp|gif)$/.test(last)) return { label: "Picture" };
  if (/download/.test(name.toLowerCase())) return { label: "Download of the page" };
  return { label: "File" };
}
