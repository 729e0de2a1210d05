"""Words for the states of runs, sub-tasks, calls and clauses, and for causes and failures. Pure."""

from typing import NamedTuple

from muster_protocol.causes import Cause, Failure
from muster_views.texts import to_words


class Look(NamedTuple):
    """How a state is shown: name in a list, word in a sentence, mark in text, tone (colour and icon)."""

    name: str
    word: str
    mark: str
    tone: str


STATES = {
    "queued": Look("Queued", "queued", "·", "queued"),
    "paused": Look("Paused", "paused", "‖", "paused"),
    "parked": Look("Waits", "waits", "‖", "parked"),
    "waiting": Look("Waiting", "not started", "·", "queued"),
    "running": Look("Running", "is running", "▶", "running"),
    "asking": Look("Asks", "asks a person", "?", "asking"),
    "retrying": Look("Retrying", "is retried", "↻", "retrying"),
    "pass": Look("Passed", "passed", "✓", "pass"),
    "done": Look("Done", "done", "✓", "pass"),
    "passed": Look("Passed", "passed", "✓", "pass"),
    "fail": Look("Failed", "failed", "✗", "fail"),
    "failed": Look("Failed", "failed", "✗", "fail"),
    "error": Look("Error", "could not be carried out", "!", "warning"),
    "cancelled": Look("Cancelled", "cancelled", "–", "cancelled"),
    "skipped": Look("Skipped", "not run", "○", "skipped"),
    "none": Look("No result", "no result", "○", "skipped"),
    "ok": Look("Done", "done", "✓", "pass"),
    "unknown": Look("Lost", "outcome unknown: its worker was lost during the call", "○", "warning"),
    "proven": Look("Proven", "proven", "✓", "pass"),
    "refuted": Look("Refuted", "refuted", "✗", "fail"),
    "open": Look("Open", "not proven", "○", "queued"),
}
"""States of runs (as in their rows), sub-tasks, results, calls and clauses."""
CAUSES = {
    Cause.PRODUCT: "the product did not do what was expected",
    Cause.ENVIRONMENT: "something around the product was missing, unreachable or lost; the product was not judged",
    Cause.AGENT: "the test could not be carried out; the product was not judged",
    Cause.BUDGET: "it would cost, or has cost, more than it may; the product was not judged",
    Cause.CANCELLED: "the run was cancelled on request",
}
FAILURES = {
    Failure.EXPECTATION_FALSE: "the expectation was checked and does not hold",
    Failure.SERVER_ERROR: "the application answered with a server error",
    Failure.ELEMENT_MISSING: "something that the step needs is not there, or cannot be used",
    Failure.NAME_UNKNOWN: "the page has nothing by a name that the step gives: the case or the product is wrong",
    Failure.UNREACHABLE: "the target could not be reached",
    Failure.SESSION_LOST: "the session was lost",
    Failure.COMMAND_MISSING: "a command is not installed",
    Failure.COMMAND_FAILED: "a command ended with an error",
    Failure.PRECONDITION_FAILED: "a precondition does not hold",
    Failure.SECRET_MISSING: "a secret has no value on the workers",
    Failure.INFRASTRUCTURE: "the infrastructure failed",
    Failure.IN_FLIGHT_LOST: "a worker was lost during an action that must not be repeated",
    Failure.NO_WORKER: "no worker took the sub-task",
    Failure.LIMIT: "a limit of the run was reached",
    Failure.MONEY_SPENT: "the money that the run may cost is spent",
    Failure.TIMED_OUT: "the time limit was reached",
    Failure.UNPARSABLE: "a model's answer could not be parsed",
    Failure.UNKNOWN_PHRASE: "a sentence matches no known phrase",
    Failure.NO_EVIDENCE: "a pass was claimed without evidence for every clause",
    Failure.INVALID_CALL: "a tool call was invalid",
    Failure.NOT_PERMITTED: "the step's words do not allow a tool, a host or a secret",
    Failure.TARGET_UNCLEAR: "the step could mean more than one element",
    Failure.GAVE_UP: "the sub-agent could not carry the step out",
    Failure.RECORDING_MISSED: "the recording of the step no longer fits, and nothing that was done instead is the same",
    Failure.CHECKPOINT_MISSED: "what the planner expected half-way does not hold; the case itself does not expect it",
    Failure.TAMPERED: "a sub-agent tried to produce the expected result itself",
    Failure.MODEL_UNAVAILABLE: "the model was not available",
    Failure.POISON: "it crashed one worker after another",
    Failure.CANCELLED: "the run was cancelled on request",
}


def look(state: str) -> Look:
    """Return how a state is shown; an unknown state is shown by its name."""
    return STATES.get(state) or Look(to_words(state), to_words(state), "?", "queued")
