// What was said in a conversation, folded from its events. Pure.

/** A conversation without a word. */
export const EMPTY = { turns: [], steps: {}, over: false };

/** A conversation after an event; `turns` are `{id, text, at, node, answer, stopped, error, asked}`, `steps` are by node. */
export function apply(said, event) {
  const { type, by, node } = event;
  if (type === "session_ended") return { ...said, over: true };
  if (type === "message" && by === "person" && !node) return { ...said, turns: [...said.turns, { id: event.id, text: event.text, at: event.at, asked: [] }] };
  if (type === "thinking" && !event.text) return begun(said, node);
  if (type === "message" && event.asks) return changed(said, node, (turn) => ({ asked: [...turn.asked, { id: event.id, text: event.text }] }));
  if (type === "message" && by === "person") return changed(said, node, (turn) => ({ asked: turn.asked.map((one) => (one.id === event.id ? { ...one, answer: event.text } : one)) }));
  if (type === "message") return changed(said, node, () => ({ answer: event.text ?? "", stopped: event.stopped, error: "" }));
  if (type === "error") return changed(said, node, () => ({ error: event.text }));
  return { ...said, steps: { ...said.steps, [node]: [...(said.steps[node] ?? []), event] } };
}

/** The oldest message without an answer is being answered by a node. */
function begun(said, node) {
  if (said.turns.some((turn) => turn.node === node)) return said;
  const place = said.turns.findIndex((turn) => !turn.node);
  return { ...said, turns: said.turns.map((turn, at) => (at === place ? { ...turn, node } : turn)) };
}

function changed(said, node, change) {
  return { ...said, turns: said.turns.map((turn) => (turn.node === node ? { ...turn, ...change(turn) } : turn)) };
}

/** Whether a message has its answer. */
export const isAnswered = (turn) => turn.answer !== undefined || Boolean(turn.error);

/** The question that waits for an answer, if there is one. */
export const openQuestion = (said) => said.turns.flatMap((turn) => (isAnswered(turn) ? [] : turn.asked)).find((one) => one.answer === undefined);

/** A text in parts: plain ones, and ids of runs. */
export function parts(text) {
  return String(text).split(/(\brun-[0-9a-f]{8,}\b)/).map((part, at) => (at % 2 ? { run: part } : { text: part }));
}
