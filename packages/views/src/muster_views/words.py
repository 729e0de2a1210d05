"""Every word that a person reads about the state of a run, a sub-task, a call or a clause. Pure."""

from typing import NamedTuple

from muster_protocol.causes import Cause, Failure
from muster_views.texts import words


class Look(NamedTuple):
    """How a state is shown: its word, its mark in text, and the name of its colour and icon."""

    word: str
    mark: str
    tone: str


STATES = {
    "waiting": Look("not begun", "·", "queued"),
    "running": Look("is under way", "▶", "running"),
    "asking": Look("asks a person", "?", "asking"),
    "retrying": Look("is tried again", "↻", "retrying"),
    "passed": Look("passed", "✓", "pass"),
    "failed": Look("failed", "✗", "fail"),
    "error": Look("could not be done", "!", "warning"),
    "cancelled": Look("cancelled", "–", "cancelled"),
    "skipped": Look("not run", "○", "skipped"),
    "none": Look("no result", "○", "skipped"),
    "proven": Look("proven", "✓", "pass"),
    "refuted": Look("refuted", "✗", "fail"),
    "open": Look("not proven", "○", "queued"),
    "ok": Look("done", "✓", "pass"),
    "unknown": Look("no outcome is recorded: it was under way when its worker was lost", "○", "warning"),
    "queued": Look("queued", "·", "queued"),
    "paused": Look("paused", "‖", "paused"),
    "parked": Look("waits", "‖", "parked"),
    "pass": Look("passed", "✓", "pass"),
    "fail": Look("failed", "✗", "fail"),
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
    Failure.TARGET_UNCLEAR: "it is not clear which element is meant",
    Failure.GAVE_UP: "the sub-agent could not carry the step out",
    Failure.TAMPERED: "a sub-agent would have brought about by itself what only the product may show",
    Failure.MODEL_UNAVAILABLE: "the model could not be asked",
    Failure.POISON: "it took down one worker after another",
    Failure.CANCELLED: "somebody asked to stop",
}


def look(state: str) -> Look:
    """Return how a state is shown; one that is not known is called by its own name."""
    return STATES.get(state) or Look(words(state), "?", "queued")


def why(cause: Cause, failure: Failure | None, reason: str = "") -> tuple[tuple[str, str], ...]:
    """Return named texts about a cause: what it means, what led to it, and the evaluator's reason, as far as known."""
    told = (
        ("cause", f"{cause}: {CAUSES[cause]}" if cause in CAUSES else cause),
        ("why", FAILURES.get(failure) or words(failure) if failure else ""),
        ("evaluator", reason),
    )
    return tuple((name, text) for name, text in told if text)
