// What a run's page shows, computed from what the API tells. Pure: nothing here touches the page or the network.

const QUOTED = /"((?:[^"\\]|\\.)*)"|“([^”]*)”|‘([^’]*)’|(?<!\w)'((?:[^'\\]|\\.)*)'(?!\w)|`([^`]*)`/g;
const LEVELS = ["debug", "info", "warning", "error"];

/** Whether a run has its verdict, by its row. */
export const isOver = (row) => row.status === "pass" || row.status === "fail";

/**
 * Rows of the plan in the order of work: `[{node, depth, number}]`. Recoveries and evaluations stand below the
 * sub-task they are for; what no plan has stands before it (planning) or after it.
 */
export function planRows(nodes) {
  const planned = nodes.filter((node) => node.planned);
  const ids = new Set(planned.map((node) => node.id));
  const helpers = new Map();
  for (const node of nodes) if (!node.planned) helpers.set(ownerOf(node, ids), [...(helpers.get(ownerOf(node, ids)) ?? []), node]);
  const row = (node, depth, number) => ({ node, depth, number });
  const loose = helpers.get("") ?? [];
  const first = nodes.findIndex((node) => node.planned); // what stands before the plan was done before it: planning
  const isBefore = (node) => first < 0 || nodes.indexOf(node) < first;
  return [
    ...loose.filter((node) => isBefore(node)).map((node) => row(node, 0, 0)),
    ...planned.flatMap((node, at) => [row(node, 0, at + 1), ...(helpers.get(node.id) ?? []).map((helper) => row(helper, 1, 0))]),
    ...loose.filter((node) => !isBefore(node)).map((node) => row(node, 0, 0)),
  ];
}

function ownerOf(node, planned) {
  return planned.has(node.of) ? node.of : "";
}

// Whether each planned sub-task needs the one before it and nothing else, so that a list says it all.
export function isChain(nodes) {
  const planned = nodes.filter((node) => node.planned);
  return planned.every((node, index) => {
    const needs = node.needs ?? [];
    return needs.length === (index ? 1 : 0) && (index === 0 || needs[0] === planned[index - 1].id);
  });
}

// Where the planned sub-tasks stand in a graph: {places: [{node, column, row}], edges: [[from, to]], columns, rows}.
export function graph(nodes) {
  const planned = nodes.filter((node) => node.planned);
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
  const places = planned.map((node, index) => {
    const row = depthOf(node.id, new Set());
    filled[row] = (filled[row] ?? 0) + 1;
    return { node, row, column: filled[row] - 1, number: index + 1 };
  });
  for (const place of places) place.width = filled[place.row];
  const known = (node) => (node.needs ?? []).filter((need) => byId.has(need)).map((need) => [need, node.id]);
  return { places, edges: planned.flatMap(known), columns: Math.max(1, ...filled.map((n) => n ?? 0)), rows: filled.length };
}

// The sub-task to show when nobody has chosen one: what failed, else what asks or runs, else the last that was done.
export function defaultNode(rows, verdict) {
  const failed = verdict?.failed_node;
  if (failed && rows.some((row) => row.node.id === failed)) return failed;
  const first = (...states) => rows.find((row) => states.includes(row.node.state))?.node.id;
  const done = rows.filter((row) => !row.depth && row.node.state !== "waiting" && row.node.state !== "skipped");
  return first("failed") ?? first("asking") ?? first("running", "retrying") ?? (done.at(-1) ?? rows[0])?.node.id ?? "";
}

/** Why an action cannot be asked for now, by its name; empty if it can. `forbidden` says so of whoever looks. */
export function refusals(view, forbidden) {
  const { status } = view.run;
  const over = isOver(view.run);
  const ended = over ? `The run is over (${status}).` : "";
  return {
    cancel: forbidden || ended,
    pause: forbidden || ended || (status === "paused" ? "The run is paused already." : ""),
    resume: forbidden || ended || (status === "paused" ? "" : "The run is not paused."),
    rerun: forbidden || (view.request ? "" : "What was asked for is not stored any more; submit its case again."),
    answer: forbidden || ended,
  };
}

// The quoted literals of a text, without their quotes; as `muster_text.clauses` reads them.
export function literals(text) {
  const found = [...(text ?? "").matchAll(QUOTED)].map((match) => match.slice(1).find((group) => group !== undefined));
  return found.map((literal) => literal.replace(/\\(["'\\])/g, "$1")).filter((literal) => literal.trim());
}

/** A text cut where one of the words stands in it, as a word of its own: `[{text, hit}]`. Case does not count. */
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

// A pattern for a word that is not a part of a longer one: "2" is not in "29.99".
function alone(word) {
  const quoted = word.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
  const before = /^[\p{L}\p{N}]/u.test(word) ? "(?<![\\p{L}\\p{N}])" : "";
  const after = /[\p{L}\p{N}]$/u.test(word) ? "(?![\\p{L}\\p{N}])" : "";
  return before + quoted + after;
}

// A text with known values in place of `${name}`; secrets stay placeholders.
export function filled(text, values) {
  return (text ?? "").replace(/\$\{([A-Za-z_][A-Za-z0-9_.-]*)\}/g, (whole, name) => Object.hasOwn(values ?? {}, name) ?
    values[name] : whole);
}

/**
 * Bars of a waterfall: for each call `{left, width}` in percent of the attempt's time, or null. What only looks is written
 * down with what follows it, so that begins are reckoned back from the ends, each call before the next.
 */
export function waterfall(calls, now = 0) {
  const spans = [];
  let next = Infinity;
  for (const call of [...calls].reverse()) {
    const end = Math.min(call.ended_at || (call.status === "running" ? now : 0) || call.started_at, next);
    const begin = call.status === "running" ? call.started_at : end - (call.duration_ms ?? 0) / 1000;
    spans.unshift({ begin, end });
    if (begin > 0) next = begin;
  }
  const known = spans.filter((span) => span.begin > 0);
  const first = Math.min(...known.map((span) => span.begin));
  const whole = Math.max(0.001, Math.max(...known.map((span) => span.end)) - first);
  return spans.map(({ begin, end }) => {
    if (!(begin > 0)) return null;
    const width = Math.max(0.8, ((end - begin) / whole) * 100);
    return { left: Math.min(((begin - first) / whole) * 100, 100 - width), width };
  });
}

// Whether a log record passes a filter {source, kind, level, node, text}; `level` is the lowest that is shown.
export function fits(record, filter) {
  if (filter.source && record.source !== filter.source) return false;
  if (filter.kind && record.kind !== filter.kind) return false;
  if (filter.level && LEVELS.indexOf(record.level ?? "info") < LEVELS.indexOf(filter.level)) return false;
  if (filter.node && record.node !== filter.node) return false;
  return !filter.text || (record.text ?? "").toLowerCase().includes(filter.text);
}

// Seconds a run has taken, up to now while it lives; 0 before it began.
export function elapsed(row, now) {
  if (!row.started_at) return 0;
  return Math.max(0, (row.ended_at || (isOver(row) ? row.started_at : now)) - row.started_at);
}

// What a run has used: {tokens, cost, calls}. The verdict counts for sure, before it there is what the row says.
export function spent(view) {
  const usage = view.verdict?.usage;
  const tokens = usage ? (usage.input_tokens ?? 0) + (usage.output_tokens ?? 0) : (view.run.tokens ?? 0);
  return {
    tokens: tokens || (view.run.tokens ?? 0),
    cost: usage?.cost || view.run.cost || 0,
    modelCalls: usage?.model_calls || view.run.model_calls || 0,
    calls: usage?.calls ?? 0,
  };
}

export function tokensOf(usage) {
  return (usage?.input_tokens ?? 0) + (usage?.output_tokens ?? 0);
}

/* Types that are shown as pictures. */
const PICTURES = /^image\/(png|jpeg|gif|webp)$/;

export function isPicture(file) {
  return PICTURES.test((file.content_type ?? "").split(";")[0]) || (!file.content_type && /\.(png|jpe?g|webp|gif)$/i.test(file.name));
}

// A file's name as its address wants it: what comes after `<run>/`.
export function nameIn(run, name) {
  return name.startsWith(`${run}/`) ? name.slice(run.length + 1) : name;
}

/** What a file is, for people: its label, and how to open it as parts `"text"` or `{code}` where that is not plain. */
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
