"""Every word that a person reads about the state of a run, a sub-task, a call or a clause. Pure."""

from typing import NamedTuple

from muster_protocol.causes import Cause, Failure
from muster_views.texts import to_words


class Look(NamedTuple):
    """How a state is shown: a name for a list, a word in a sentence, a mark in text, its colour and icon."""

    name: str
    word: str
    mark: str
    tone: str


STATES = {
    "queued": Look("Queued", "queued", "·", "queued"),
    "paused": Look("Paused", "paused", "‖", "paused"),
    "parked": Look("Waits", "waits", "‖", "parked"),
    "waiting": Look("Waiting", "not begun", "·", "queued"),
    "running": Look("Running", "is under way", "▶", "running"),
    "asking": Look("Asks", "asks a person", "?", "asking"),
    "retrying": Look("Retrying", "is tried again", "↻", "retrying"),
    "pass": Look("Passed", "passed", "✓", "pass"),
    "passed": Look("Passed", "passed", "✓", "pass"),
    "fail": Look("Failed", "failed", "✗", "fail"),
    "failed": Look("Failed", "failed", "✗", "fail"),
    "error": Look("Error", "could not be done", "!", "warning"),
    "cancelled": Look("Cancelled", "cancelled", "–", "cancelled"),
    "skipped": Look("Skipped", "not run", "○", "skipped"),
    "none": Look("No result", "no result", "○", "skipped"),
    "ok": Look("Done", "done", "✓", "pass"),
    "unknown": Look("Lost", "no outcome is recorded: it was under way when its worker was lost", "○", "warning"),
    "proven": Look("Proven", "proven", "✓", "pass"),
    "refuted": Look("Refuted", "refuted", "✗", "fail"),
    "open": Look("Open", "not proven", "○", "queued"),
}
"""Of runs (as in their rows), sub-tasks, results, calls and clauses."""
CAUSES = {
    Cause.PRODUCT: "the product did not do what was expected",
    Cause.ENVIRONMENT: "something around the product was missing, unreachable or lost; this says nothing about it",
    Cause.AGENT: "the test could not be carried through; this says nothing about the product",
    Cause.CANCELLED: "somebody asked to stop",
}
FAILURES = {
    Failure.EXPECTATION_FALSE: "the expectation was looked at and is not so",
    Failure.SERVER_ERROR: "the application answered with a server error",
    Failure.ELEMENT_MISSING: "what the step names is not on the page",
    Failure.UNREACHABLE: "the target could not be reached",
    Failure.SESSION_LOST: "the session was lost",
    Failure.COMMAND_MISSING: "a command is not installed",
    Failure.COMMAND_FAILED: "a command ended with an error",
    Failure.PRECONDITION_FAILED: "a precondition does not hold",
    Failure.SECRET_MISSING: "a secret has no value on the workers",
    Failure.INFRASTRUCTURE: "the infrastructure failed",
    Failure.IN_FLIGHT_LOST: "an action was under way when its worker was lost, and may not be repeated",
    Failure.NO_WORKER: "no worker took the sub-task",
    Failure.LIMIT: "a limit of the run was reached",
    Failure.TIMED_OUT: "the time was up",
    Failure.UNPARSABLE: "an answer could not be read",
    Failure.UNKNOWN_PHRASE: "a sentence is no known phrase",
    Failure.NO_EVIDENCE: "a pass was claimed without evidence for every clause",
    Failure.INVALID_CALL: "a tool was called in a way that it cannot be",
    Failure.NOT_PERMITTED: "the step's words do not allow a tool, a host or a secret",
    Failure.TARGET_UNCLEAR: "it is not clear which element is meant",
    Failure.GAVE_UP: "the sub-agent could not carry the step out",
    Failure.TAMPERED: "a sub-agent would have brought about by itself what only the product may show",
    Failure.MODEL_UNAVAILABLE: "the model could not be asked",
    Failure.POISON: "it took down one worker after another",
    Failure.CANCELLED: "somebody asked to stop",
}


def look(state: str) -> Look:
    """Return how a state is shown; one that is not known is called by its own name."""
    return STATES.get(state) or Look(to_words(state), to_words(state), "?", "queued")
