"""The budget of requests and tokens a minute that all workers share: a row per endpoint, changed by compare-and-set."""

import asyncio
import hashlib
import random
from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

import structlog

from muster_bus import Bus, Rows
from muster_bus.store_answers import BUS_ERRORS, describe_error
from muster_model import Endpoint, ModelSettings
from muster_model.minute_budgets import MinuteBudget, Place, correct, take_place
from muster_protocol.model_pace import PaceRow
from muster_subagent import metrics

log = structlog.get_logger("muster.subagent")

AWAY_SECONDS = 1.0
"""After this, NATS is asked again that did not answer."""
MOST_PAUSE_SECONDS = 0.02
"""Longest pause before a row is read again that another worker has just changed."""


class Known(NamedTuple):
    """A row as it was last read or written, and its revision; 0: there is none."""

    row: PaceRow
    revision: int


class FleetPace:
    """Implements `muster_model.minute_budgets.Pace`; without an answer of NATS, no request is sent."""

    def __init__(self, bus: Bus, budget: MinuteBudget) -> None:
        self._rows, self._clock, self._budget = Rows(bus, "PACE", PaceRow), bus.clock, budget
        self._known: dict[str, Known] = {}
        self._turn = asyncio.Lock()
        """Held while a place is taken, so that this worker's requests keep their order and do not compete."""
        self._more_tokens: Counter[str] = Counter()
        self._unsent: Counter[str] = Counter()
        """What has yet to be written down: tokens beyond those reckoned with, and places given up, by key."""

    async def wait(self, endpoint: Endpoint, tokens: int, told: Callable[[float], None]) -> None:
        """Return when a request with so many tokens may be sent; `told` gets the seconds before a wait."""
        key = _key(endpoint)
        async with self._turn:
            place = await self._take_place(key, tokens)
        seconds = max(0.0, place.start - self._clock.now())
        metrics.MODEL_WAIT.labels(place.by if seconds else "none").observe(seconds)
        if not seconds:
            return
        told(seconds)
        try:
            with metrics.MODEL_WAITING.track_inprogress():
                await asyncio.sleep(seconds)
        except asyncio.CancelledError:
            self._unsent[key] += 1
            self._more_tokens[key] -= tokens
            raise

    def settle(self, endpoint: Endpoint, tokens: int) -> None:
        """Take note of tokens that were used beyond those reckoned with; the next request counts them."""
        self._more_tokens[_key(endpoint)] += tokens

    async def _take_place(self, key: str, tokens: int) -> Place:
        away = False
        while True:
            try:
                place = await self._try_place(key, tokens)
            except BUS_ERRORS as error:
                self._known.pop(key, None)
                if not away:
                    log.warning(
                        "requests to models wait: the budget per minute cannot be read", error=describe_error(error)
                    )
                away = True
                await asyncio.sleep(AWAY_SECONDS)
                continue
            if place is not None:
                return place
            await asyncio.sleep(random.uniform(0, MOST_PAUSE_SECONDS))  # spreads workers, guards nothing

    async def _try_place(self, key: str, tokens: int) -> Place | None:
        """Return the place that was taken; None if another worker changed the row first."""
        known = self._known.get(key) or Known(*(await self._rows.entry(key) or (PaceRow(), 0)))
        now, more, unsent = self._clock.now(), self._more_tokens[key], self._unsent[key]
        row = correct(known.row, self._budget, now, requests=-unsent, tokens=more)
        place = take_place(row, self._budget, now, tokens)
        revision = await self._rows.update(key, place.row, known.revision)
        if revision is None:
            self._known.pop(key, None)
            return None
        self._known[key] = Known(place.row, revision)
        self._more_tokens[key] -= more
        self._unsent[key] -= unsent
        return place


def pace_of(bus: Bus, settings: ModelSettings) -> FleetPace | None:
    """Return the budget that the settings set; None: there is no limit."""
    budget = MinuteBudget(settings.model_requests_per_minute, settings.model_tokens_per_minute)
    return FleetPace(bus, budget) if any(budget) else None


def _key(endpoint: Endpoint) -> str:
    """Return the key of an endpoint's row: an address has characters that a key cannot have."""
    return hashlib.sha256(endpoint.url.rstrip("/").encode()).hexdigest()[:32]
