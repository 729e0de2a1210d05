// What the API answers, with what it leaves out filled in and in the shapes the page shows. Pure.
import { isPicture, nameIn } from "./model.js";

/** A RunView: every node has its state, every list is there. */
export function runView(found) {
  const nodes = (found.nodes ?? []).map(aNode);
  return { ...found, nodes, questions: found.questions ?? [], waits_for: found.waits_for ?? "" };
}

const aNode = (node) => ({ ...node, state: node?.state ?? "waiting", artifacts: node?.artifacts ?? [] });

/** A NodeDetail: `{node, attempts}`, each attempt with its moments, clauses and what came of it. */
export const nodeDetail = (found) => ({ node: aNode(found.node), attempts: (found.attempts ??
  []).map((attempt) => anAttempt(attempt, found.node)) });

function anAttempt(attempt, node) {
  const result = attempt.result ?? null;
  const takers = attempt.takers ?? [];
  const calls = (attempt.calls ?? []).map(aCall);
  const touched = calls.findLast((call) => call.element)?.element;
  return {
    number: attempt.attempt,
    description: attempt.description ?? "",
    startedAt: attempt.dispatched_at ?? 0,
    endedAt: attempt.ended_at ?? 0,
    takers,
    result,
    notice: attempt.notice ?? "",
    told: attempt.state ?? "",
    retried: attempt.retried ?? "",
    values: attempt.values ?? {},
    moments: inOrder(calls, (attempt.replies ?? []).map(aReply), (attempt.notes ?? []).map(aNote), takers.slice(1).map(again)),
    clauses: (attempt.clauses ?? node.clauses ?? []).map(aClause),
    artifacts: loose((result?.artifacts ?? []).map(aFile), calls).map((file) => (touched ? { element: touched, ...file } : file)),
  };
}

function aCall(call) {
  return { ...call, kind: "call", status: call.status ?? "running", arguments: asArguments(call.arguments), artifacts: (call.artifacts ??
    []).map(aFile) };
}

function aReply(reply) {
  const asked = (reply.calls ?? []).map((one) => ({ tool: one.tool, arguments: asArguments(one.arguments) }));
  return { ...reply, kind: "reply", text: reply.text ?? "", asked };
}

const NOTES = {
  released: (text) => `Given back by its worker: ${text || "told to stop"}`,
  suspended: (text) => `Asked a person: ${text}`,
  revoked: (text) => `No longer wanted by the run: ${text || "no reason given"}`,
};

function aNote({ order, at, kind, text = "" }) {
  return { kind: "note", order, at, bad: kind === "revoked", text: NOTES[kind]?.(text) ?? text };
}

function again({ worker, at, delivery }) {
  return { kind: "note", at, bad: true, text: `Taken over by ${worker} (delivery ${delivery}); what was finished is not done again` };
}

// By place in the journal; takeovers, which have none, before what was begun after them.
function inOrder(calls, replies, notes, takeovers) {
  const made = [...calls, ...replies, ...notes].sort((a, b) => a.order - b.order);
  for (const taken of takeovers) {
    const next = made.findIndex((one) => (one.started_at ?? one.at) >= taken.at);
    made.splice(next < 0 ? made.length : next, 0, taken);
  }
  return made;
}

/** Arguments as an object; JSON text is read, what cannot be read stands under no name. */
export function asArguments(given) {
  if (!given) return {};
  if (typeof given === "object") return given;
  try {
    const read = JSON.parse(given);
    return read && typeof read === "object" && !Array.isArray(read) ? read : { "": given };
  } catch {
    return { "": given };
  }
}

/** A clause `{text, state, lacks, literals, checks}`; state is proven, refuted or open. */
export function aClause(clause) {
  const checks = (clause.evidence ?? []).map((check) => ({
    ...check,
    tool: check.check,
    arguments: asArguments(check.arguments),
    pictures: (check.artifacts ?? []).map(aFile).filter(isPicture),
  }));
  return { text: clause.text ?? "", state: clause.state ?? "open", lacks: clause.lacks ?? "", literals: clause.literals ?? [], checks };
}

/** A file as `{name, …}`, of its name or of what describes it. */
export const aFile = (file) => (typeof file === "string" ? { name: file } : file);

function loose(artifacts, calls) {
  const known = new Set(calls.flatMap((call) => call.artifacts.map((file) => file.name.split("/").at(-1))));
  return artifacts.filter((file) => !known.has(file.name.split("/").at(-1)));
}

/** The stored files of a run, with the time each was stored. */
export const files = (run, found) => (found.artifacts ??
  []).map((file) => ({ ...file, name: nameIn(run, file.name), at: Date.parse(file.stored_at) || 0 }));
