"""Whether a stream is still the one that a reader's position belongs to: it may be deleted and made again, or restored.

Sequence numbers restart then, so a reader that keeps its position would take everything new for seen.
"""

import asyncio
import time
from datetime import datetime
from typing import NamedTuple

from nats.js.errors import NotFoundError

from muster_bus.jet_stream import JetStream, StreamMissing
from muster_bus.readiness import Problems
from muster_bus.store_answers import MISSING, NO_SUCH_STREAM

CHECK_SECONDS = 5.0
"""Seconds between two looks of a follower at its stream, however many messages arrive."""
SURE_SECONDS = 1.0
"""Seconds after which a stream that ends before a position is taken for another one: a new leader may lag briefly."""


class StreamState(NamedTuple):
    """When a stream was made, and the sequence of its newest message."""

    created: datetime | None
    last: int


class StreamStates:
    """The states of streams by their names on the server. All readers of a process share the answers."""

    def __init__(self, js: JetStream, problems: Problems) -> None:
        self._js, self._problems = js, problems
        self._known: dict[str, tuple[StreamState, float]] = {}
        self._lock = asyncio.Lock()

    async def read(self, name: str, most_age: float = 0.0) -> StreamState:
        """Return the state of a stream, at most so many seconds old.

        Raises:
            StreamMissing, NatsError, TimeoutError: it cannot be told now.
        """
        asked = time.monotonic()
        async with self._lock:
            known = self._known.get(name)
            if known is None or known[1] < asked - most_age:
                self._known[name] = known = (await self._ask(name), time.monotonic())
        return known[0]

    async def _ask(self, name: str) -> StreamState:
        try:
            found = await self._js.stream_info(name)
        except NotFoundError as error:
            if error.err_code != NO_SUCH_STREAM:
                raise
            self._problems.report(f"stream {name}", MISSING)
            raise StreamMissing(name) from error
        self._problems.resolve(f"stream {name}", MISSING)
        return StreamState(found.created, found.state.last_seq)


class StreamAnchor:
    """Tells one reader whether its position still belongs to the stream."""

    def __init__(self, states: StreamStates, name: str) -> None:
        self._states, self._name = states, name
        self._created: datetime | None = None

    async def holds(self, position: int) -> bool:
        """Return whether the stream is the one of the last call, and goes on to the sequence `position`.

        Raises:
            StreamMissing, NatsError, TimeoutError: it cannot be told now.
        """
        state = await self._states.read(self._name, CHECK_SECONDS / 2)
        if state.last < position:
            state = await self._states.read(self._name)
        if state.last < position:
            await asyncio.sleep(SURE_SECONDS)
            state = await self._states.read(self._name)
        before, self._created = self._created, state.created
        return state.last >= position and before in (None, state.created)
