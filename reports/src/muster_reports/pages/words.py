"""Words and numbers of the report pages. Pure."""

from datetime import UTC, datetime

from muster_protocol.causes import Cause, Failure
from muster_protocol.tool_calls import Usage
from muster_reports.texts import plain, seconds

MEANS = {
    Cause.PRODUCT: "the product did not do what was expected",
    Cause.ENVIRONMENT: "something around the product was missing, unreachable or lost; this says nothing about it",
    Cause.AGENT: "the test could not be carried through; this says nothing about the product",
    Cause.CANCELLED: "somebody asked to stop",
}
WHY = {
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
LEFT_OUT = " … {} characters left out … "


def why(cause: Cause, failure: Failure | None, reason: str = "") -> tuple[tuple[str, str], ...]:
    """Return named texts about a cause: what it means, what led to it, and the evaluator's reason, as far as known."""
    told = (
        ("cause", f"{cause}: {MEANS[cause]}" if cause in MEANS else cause),
        ("why", WHY.get(failure) or words(failure) if failure else ""),
        ("evaluator", reason),
    )
    return tuple((name, text) for name, text in told if text)


def words(name: str) -> str:
    """Return a name from the wire as words: `model_unavailable` is `model unavailable`."""
    return str(name).replace("_", " ")


def shortened(text: str, room: int) -> str:
    """Return a text as plain text of about `room` characters, from both its ends."""
    clean = plain(text).strip()
    if len(clean) <= room + len(LEFT_OUT):
        return clean
    head = room * 2 // 3
    tail = room - head
    return f"{clean[:head]}{LEFT_OUT.format(len(clean) - head - tail)}{clean[-tail:]}"


def took(value: float) -> str:
    """Return a duration given in seconds; short ones in milliseconds, none for 0."""
    if value <= 0:
        return ""
    return f"{max(1, round(value * 1000))} ms" if value < 1 else seconds(value)


def size(value: int) -> str:
    """Return a number of bytes as people read it."""
    if value < 1000:
        return f"{value} B"
    return f"{value / 1000:.1f} kB" if value < 1_000_000 else f"{value / 1_000_000:.1f} MB"


def money(value: float) -> str:
    """Return a cost, in the currency of the price table, with as many digits as it needs."""
    return f"{value:.2f}" if value >= 1 else f"{value:.4f}".rstrip("0")


def spent(usage: Usage) -> str:
    """Return what models have cost; empty if none was asked."""
    tokens = usage.input_tokens + usage.output_tokens
    parts = [f"{tokens:,} tokens"] if tokens else []
    parts += [f"cost {money(usage.cost)}"] if usage.cost else []
    return ", ".join(parts)


def moment(at: float) -> str:
    """Return a moment given in unix seconds; none for 0."""
    return f"{datetime.fromtimestamp(at, UTC):%Y-%m-%d %H:%M:%S} UTC" if at > 0 else ""


def count(number: int, what: str) -> str:
    """Return a number of things: `1 step`, `2 steps`."""
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"
