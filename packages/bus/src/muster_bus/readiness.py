"""Problems on the bus that keep a process from working; /readyz and a metric show them."""

import time

import structlog
from prometheus_client import Gauge

from muster_protocol.errors import BusError

log = structlog.get_logger("muster.bus")

PROBLEM = Gauge(
    "muster_bus_problem",
    "Whether there is a problem with a stream, bucket, consumer, login or machine (1) or not (0)",
    ["what"],
)
PROBLEM.labels("login")

NEEDED_PAYLOAD = 1024 * 1024
"""Bytes of one message that services rely on, the default of NATS: results, checkpoints and files are cut to it."""
LASTING_SECONDS = 30.0
"""Seconds after its last report at which a problem counts as resolved."""


class Problems:
    """Problems by subject (`stream RUNS`, `consumer TASKS/act-normal`), each described in one sentence."""

    def __init__(self, lasts: float = LASTING_SECONDS) -> None:
        self._lasts = lasts
        self._met: dict[str, tuple[str, float]] = {}

    def report(self, what: str, text: str) -> None:
        """Report a problem; a new one is logged."""
        if not self.has(what):
            log.error(text, what=what)
        self._met[what] = (text, time.monotonic())
        PROBLEM.labels(what).set_function(lambda: float(self.has(what)))

    def resolve(self, what: str, text: str = "") -> None:
        """Resolve a problem, if there is one, and log that; with a text only if it is the one described so."""
        if what in self._met and text in ("", self._met[what][0]):
            del self._met[what]
            log.info("problem resolved", what=what)

    def has(self, what: str) -> bool:
        """Return whether there is such a problem now."""
        return what in self._met and time.monotonic() - self._met[what][1] < self._lasts

    def __bool__(self) -> bool:
        return bool(self._met)

    def __str__(self) -> str:
        alike: dict[str, list[str]] = {}
        for what, (text, _) in sorted(self._met.items()):
            if self.has(what):
                alike.setdefault(text, []).append(what)
        return "; ".join(f"{', '.join(those)}: {text}" for text, those in alike.items())


def describe_payload(most: int) -> str:
    """Return what is wrong with the bytes that a server takes in one message; empty if nothing. Pure."""
    if most >= NEEDED_PAYLOAD:
        return ""
    return f"takes messages of {most} bytes, and Muster needs {NEEDED_PAYLOAD}: set `max_payload: 1MB` in its nats.conf"


def check_payload(problems: Problems, most: int) -> None:
    """Report or resolve a server that takes too little in one message: what does not fit would be lost, run by run."""
    if wrong := describe_payload(most):
        problems.report("server", wrong)
    else:
        problems.resolve("server")


def describe_denial(denied: BusError | None) -> str:
    """Return a denied permission in words, with the remedy; empty if there is none. Pure."""
    return f"{denied}; {denied.remedy}" if denied is not None else ""


def describe_problem(trouble: str, phase: str, denial: str) -> str:
    """Return why a process is not ready: its trouble, or why it does not work yet or any more. Pure.

    A start that waits for what is denied would wait without a reason.
    """
    return trouble or ("; ".join(filter(None, (phase, denial))) if phase else "")


def describe_note(note: str, denial: str) -> str:
    """Return what /readyz adds to "ready": a denial concerns only what needs it, so the process is ready. Pure."""
    return f"{note}; {denial}" if denial else note
