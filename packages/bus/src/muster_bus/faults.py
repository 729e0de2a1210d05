"""Errors that nobody foresaw: they are logged and counted, and whatever a process does again and again goes on."""

from collections.abc import Generator
from contextlib import contextmanager

import structlog
from prometheus_client import Counter

from muster_bus.store_answers import BUS_ERRORS, describe_error

log = structlog.get_logger("muster.bus")

FAULTS = Counter(
    "muster_faults",
    "Messages that could not be read, and work that failed with an unexpected error",
    ["where"],
)


class Rounds:
    """What a process repeats until it ends: whatever goes wrong in one round, the next one comes."""

    def __init__(self, where: str) -> None:
        self._where, self._told = where, ""
        FAULTS.labels(where)  # create it at 0, so that the first count is an increase

    @contextmanager
    def outlast(self) -> Generator[None]:
        """Go on after any error in the block, which is one round.

        An error of the bus is logged once until a round succeeds; any other one counts as a fault each time.
        """
        try:
            yield
        except BUS_ERRORS as error:
            told, before = describe_error(error), self._told
            self._told = told
            if told != before:
                log.warning("recurring work failed; trying again", what=self._where, error=told)
        except Exception:
            FAULTS.labels(self._where).inc()
            log.exception("recurring work failed; trying again", what=self._where)
        else:
            self._told = ""
