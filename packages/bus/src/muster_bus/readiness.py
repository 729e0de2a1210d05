"""What on the bus keeps a process from its work, named for people: shown by /readyz and in a metric."""

import time

import structlog
from prometheus_client import Gauge

log = structlog.get_logger("muster.bus")

PROBLEM = Gauge("muster_bus_problem", "Whether something on the bus is in the way (1) or not (0)", ["what"])
PROBLEM.labels("login")

LASTING_SECONDS = 30.0
"""Seconds after which a problem that was not reported again counts as resolved."""


class Problems:
    """Problems by what they are about (`stream RUNS`, `consumer TASKS/act-normal`), each with one sentence."""

    def __init__(self, lasts: float = LASTING_SECONDS) -> None:
        self._lasts = lasts
        self._met: dict[str, tuple[str, float]] = {}

    def report(self, what: str, text: str) -> None:
        """Take note of a problem; it is logged when it is new."""
        if not self.has(what):
            log.error(text, what=what)
        self._met[what] = (text, time.monotonic())
        PROBLEM.labels(what).set_function(lambda: float(self.has(what)))

    def resolve(self, what: str) -> None:
        """Take note that something works; it is logged if it did not."""
        if self._met.pop(what, None) is not None:
            log.info("problem resolved", what=what)

    def has(self, what: str) -> bool:
        """Return whether there is such a problem now."""
        return what in self._met and time.monotonic() - self._met[what][1] < self._lasts

    def __str__(self) -> str:
        return "; ".join(f"{what}: {text}" for what, (text, _) in sorted(self._met.items()) if self.has(what))
