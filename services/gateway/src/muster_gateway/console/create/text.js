// The text of a case: its format, its placeholders, and a stored request as YAML. Pure.

export const FORMS = { yaml: ["YAML", "application/yaml"], gherkin: ["Gherkin", "text/x-gherkin"], markdown: ["Markdown", "text/markdown"] };

/** The format that a file name or text clearly has; else the given one. */
export function formOf(text, otherwise, fileName = "") {
  if (/\.feature$/i.test(fileName)) return "gherkin";
  if (/\.(md|markdown)$/i.test(fileName)) return "markdown";
  if (/\.ya?ml$/i.test(fileName)) return "yaml";
  if (/^\s*(@\S+\s+)*Feature:/.test(text.replace(/^\s*#.*$/gm, ""))) return "gherkin";
  if (/^(name|suite|cases|steps):/m.test(text)) return "yaml";
  return otherwise;
}

const PLACEHOLDER = /\$\{([A-Za-z0-9_.-]+)\}/g;
const REMEMBERED = /\bas \$\{([A-Za-z0-9_.-]+)\}/g;

/** Variables used as `${name}` in cases, with their values in the cases: `[{name, set}]`, without remembered values. */
export function placeholders(cases) {
  const found = new Map();
  for (const one of cases) {
    const texts = [...(one.preconditions ?? []), ...one.steps.flatMap((step) => [step.action, step.expected ?? ""])];
    const remembered = new Set(texts.flatMap((text) => [...text.matchAll(REMEMBERED)].map((hit) => hit[1])));
    for (const text of texts) {
      for (const [, name] of text.matchAll(PLACEHOLDER)) {
        if (!remembered.has(name) && !found.has(name)) found.set(name, { name, set: one.variables?.[name] });
      }
    }
    for (const [name, set] of Object.entries(one.variables ?? {})) if (!found.has(name)) found.set(name, { name, set });
  }
  return [...found.values()];
}

/** Tags as typed, separated by commas or blanks. */
export const tagsOf = (text) => [...new Set(text.split(/[\s,]+/).filter(Boolean))];

/** A request overridden by the settings `{suite, tags, variables, priority}`. */
export function adjusted(request, { suite, tags, variables, priority }) {
  const { job } = request;
  const own = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ""));
  const all = [...new Set([...(job.tags ?? []), ...tagsOf(tags)])];
  return {
    ...request,
    ...(suite.trim() && { suite: suite.trim() }),
    ...(priority && { priority }),
    job: { ...job, tags: all, variables: { ...job.variables, ...own } },
  };
}

/** Whether any setting has a value. */
export const isAdjusted = ({ suite, tags, variables, priority }) =>
  Boolean(suite.trim() || tags.trim() || priority || Object.values(variables).some((value) => value !== ""));

/** A stored request (RunRequest of a test case) as YAML that parses to the same request. */
export function toYaml({ job, suite, labels, priority, limits }) {
  const lines = [`name: ${quoted(job.name)}`];
  if (suite) lines.push(`suite: ${quoted(suite)}`);
  if (priority && priority !== "normal") lines.push(`priority: ${priority}`);
  for (const name of ["tags", "secrets", "domains"]) if (job[name]?.length) lines.push(`${name}: [${job[name].map(quoted).join(", ")}]`);
  for (const [name, map] of [["labels", labels], ["variables", job.variables], ["limits", limits]]) {
    const entries = Object.entries(map ?? {}).filter(([, value]) => value !== null);
    if (entries.length) lines.push(`${name}:`, ...entries.map(([key, value]) => `  ${quoted(key)}: ${typeof value === "number" ? value : quoted(value)}`));
  }
  if (job.preconditions?.length) lines.push("preconditions:", ...job.preconditions.map((one) => `  - ${quoted(one)}`));
  lines.push("steps:");
  for (const { action, expected } of job.steps) {
    if (expected) lines.push(`  - action: ${quoted(action)}`, `    expected: ${quoted(expected)}`);
    else lines.push(`  - ${quoted(action)}`);
  }
  return lines.join("\n") + "\n";
}

const BESIDE = ["webhook", "record", "reply_to", "correlation_id"];

/** The parts of a stored request that its YAML cannot contain. */
export const leftOut = (request) => BESIDE.filter((name) => request[name]);

const WORDS = /^(null|true|false|yes|no|on|off|y|n)$/i;

/** A text as YAML: unquoted where that is safe. */
export function quoted(text) {
  if (/[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff]/.test(text)) return JSON.stringify(text);
  if (/^[A-Za-z][A-Za-z0-9 _./"()$-]*$/.test(text) && !/ $/.test(text) && !WORDS.test(text)) return text;
  return `'${text.replaceAll("'", "''")}'`;
}

/** Offset in the text of a line and column, both from 1. */
export function offsetOf(text, line, column) {
  const lines = text.split("\n");
  let at = 0;
  for (let i = 0; i < Math.min(line, lines.length) - 1; i++) at += lines[i].length + 1;
  return at + Math.min(Math.max(0, column - 1), lines[Math.min(line, lines.length) - 1].length);
}

/** Line and column, both from 0, of an offset; the column in characters, of which JavaScript makes some two. */
export function placeAt(text, offset) {
  const above = text.slice(0, offset).split("\n");
  return { line: above.length - 1, column: [...above.at(-1)].length };
}

/** Offset in the text of a line and column, both from 0, the column in characters. */
export function offsetAfter(text, line, column) {
  const lines = text.split("\n");
  const before = lines.slice(0, line).reduce((sum, one) => sum + one.length + 1, 0);
  return before + [...(lines[line] ?? "")].slice(0, column).join("").length;
}

/** The text with a repair (lines and columns from 1) written into it. */
export function repaired(text, { line, column, end_line, end_column, text: instead }) {
  return text.slice(0, offsetAfter(text, line - 1, column - 1)) + instead + text.slice(offsetAfter(text, end_line - 1, end_column - 1));
}
