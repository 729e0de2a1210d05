"""Distributes log lines: clients with the same filter share a channel, which filters and encodes lines once."""

import asyncio
from collections.abc import Iterator, Sequence

from muster_gateway import metrics
from muster_gateway.relay.lines import Batch, Filter, Line, Missed, drop_seen, split_batches
from muster_gateway.relay.order import Outbox


class RelayBroken(Exception):
    """The relay stopped because of an internal error."""


class RelaySetBack(RelayBroken):
    """The stream of the lines was made again or restored: cursors start again from 0."""


class Follower:
    """One client of the relay: gets each matching line, or a count of the lines it missed."""

    def __init__(self, wanted: Filter, lines: int, size: int, seen: int = 0) -> None:
        self.wanted, self._seen = wanted, seen
        self._outbox, self._half = Outbox(lines, size), lines // 2
        self._stalled = False
        self._ended: RelayBroken | None = None
        self._moved = asyncio.Event()

    def put(self, batch: Batch) -> None:
        """Queue the lines the client does not have yet; drop the oldest beyond its bounds."""
        new = drop_seen(batch, self._seen)
        if new is None:
            return
        dropped = self._outbox.put(new)
        if dropped:
            self._stalled = True
            metrics.RELAY_MISSED.inc(dropped)
        self._moved.set()

    async def next(self) -> Batch | Missed:
        """Wait for the next item and return it.

        Raises:
            RelayBroken: the relay stopped.
        """
        while (item := self.take()) is None:
            if self._ended:
                raise self._ended
            self._moved.clear()
            await self._moved.wait()
        return item

    def take(self) -> Batch | Missed | None:
        """Return the next item, if there is one."""
        self._stalled = False
        return self._outbox.take()

    def end(self, why: RelayBroken) -> None:
        """End the client, with this error, after the items it still has to take."""
        self._ended = why
        self._moved.set()

    @property
    def waiting(self) -> int:
        """Lines queued for the client."""
        return self._outbox.lines

    @property
    def behind(self) -> bool:
        """Whether the client is reading but has a long queue."""
        return not self._stalled and self._outbox.lines > self._half


class Channel:
    """The clients with the same filter."""

    def __init__(self, wanted: Filter) -> None:
        self._wanted = wanted
        self.followers: set[Follower] = set()

    def hand_on(self, lines: Sequence[Line]) -> None:
        """Queue the matching lines for the clients; all lines are of runs they follow."""
        taken = lines if self._wanted.whole else [line for line in lines if self._wanted.takes(line)]
        for batch in split_batches(taken):
            for follower in self.followers:
                follower.put(batch)


class Channels:
    """All channels, indexed by the runs they follow."""

    def __init__(self) -> None:
        self._channels: dict[Filter, Channel] = {}
        self._of_run: dict[str, set[Channel]] = {}
        self._of_all: set[Channel] = set()
        self._followers = 0

    def __iter__(self) -> Iterator[Follower]:
        return (follower for channel in self._channels.values() for follower in channel.followers)

    def __len__(self) -> int:
        return self._followers

    def add(self, follower: Follower) -> None:
        """Send matching lines to a client from now on."""
        wanted = follower.wanted
        channel = self._channels.get(wanted)
        if channel is None:
            channel = self._channels[wanted] = Channel(wanted)
            for run in wanted.runs:
                self._of_run.setdefault(run, set()).add(channel)
            if not wanted.runs:
                self._of_all.add(channel)
        channel.followers.add(follower)
        self._followers += 1

    def remove(self, follower: Follower) -> None:
        """Remove a client, and its channel if it was the last one."""
        wanted = follower.wanted
        channel = self._channels[wanted]
        channel.followers.discard(follower)
        self._followers -= 1
        if channel.followers:
            return
        del self._channels[wanted]
        self._of_all.discard(channel)
        for run in wanted.runs:
            self._of_run[run].discard(channel)
            if not self._of_run[run]:
                del self._of_run[run]

    def hand_on(self, lines: Sequence[Line]) -> None:
        """Queue lines for all clients that want them."""
        for channel in self._of_all:
            channel.hand_on(lines)
        if not self._of_run:
            return
        theirs: dict[Channel, list[Line]] = {}
        for line in lines:
            for channel in self._of_run.get(line.run, ()):
                theirs.setdefault(channel, []).append(line)
        for channel, part in theirs.items():
            channel.hand_on(part)
