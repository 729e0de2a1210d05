// Words for what is on the wire. Pure.
import { duration } from "../format.js";

export const CAUSES = {
  product: "the product did not do what was expected",
  environment: "something around the product was missing, unreachable or lost; this says nothing about it",
  agent: "the test could not be carried through; this says nothing about the product",
  cancelled: "somebody asked to stop",
};

export const FAILURES = {
  expectation_false: "the expectation was looked at and is not so",
  server_error: "the application answered with a server error",
  element_missing: "what the step names is not on the page",
  unreachable: "the target could not be reached",
  session_lost: "the session was lost",
  command_missing: "a command is not installed",
  command_failed: "a command ended with an error",
  precondition_failed: "a precondition does not hold",
  secret_missing: "a secret has no value on the workers",
  infrastructure: "the infrastructure failed",
  in_flight_lost: "an action was under way when its worker was lost, and may not be repeated",
  no_worker: "no worker took the sub-task",
  limit: "a limit of the run was reached",
  timed_out: "the time was up",
  unparsable: "an answer could not be read",
  unknown_phrase: "a sentence is no known phrase",
  no_evidence: "a pass was claimed without evidence for every clause",
  invalid_call: "a tool was called in a way that it cannot be",
  target_unclear: "it is not clear which element is meant",
  gave_up: "the sub-agent could not carry the step out",
  tampered: "a sub-agent would have brought about by itself what only the product may show",
  model_unavailable: "the model could not be asked",
  poison: "it took down one worker after another",
  cancelled: "somebody asked to stop",
};

/** A name from the wire as words: `model_unavailable` is `model unavailable`. */
export const inWords = (name) => String(name ?? "").replaceAll("_", " ");

/** A duration in seconds; empty for none. */
export const took = (seconds) => (seconds > 0 ? duration(seconds) : "");

/** A value of a tool's argument as it would be written. */
export const written = (value) =>
  typeof value === "string" ? JSON.stringify(value) : Array.isArray(value) ? `[${value.map(written).join(", ")}]` : String(value);
