"""Who gets which lines: clients with the same filter share a channel, in which lines are chosen and encoded once."""

import asyncio
from collections.abc import Iterator, Sequence

from muster_gateway import metrics
from muster_gateway.relay.lines import Batch, Filter, Line, Missed, drop_seen, split_batches
from muster_gateway.relay.order import Outbox


class RelayBroken(Exception):
    """Lines are handed on no more, through a fault of the gateway."""


class Follower:
    """One client of the relay: it gets every line it wants, or word of those it missed."""

    def __init__(self, wanted: Filter, lines: int, size: int, told: int = 0) -> None:
        self.wanted, self._told = wanted, told
        self._outbox, self._half = Outbox(lines, size), lines // 2
        self._stalled = self._ended = False
        self._moved = asyncio.Event()

    def put(self, batch: Batch) -> None:
        """Queue the lines that the client has not got yet; beyond its bounds, the oldest are dropped."""
        new = drop_seen(batch, self._told)
        if new is None:
            return
        dropped = self._outbox.put(new)
        if dropped:
            self._stalled = True
            metrics.RELAY_MISSED.inc(dropped)
        self._moved.set()

    async def next(self) -> Batch | Missed:
        """Return what comes next, waiting for it.

        Raises:
            Broken: nothing comes any more.
        """
        while (item := self.take()) is None:
            if self._ended:
                raise RelayBroken
            self._moved.clear()
            await self._moved.wait()
        return item

    def take(self) -> Batch | Missed | None:
        """Return what comes next, if it is there."""
        self._stalled = False
        return self._outbox.take()

    def end(self) -> None:
        """Tell the client, behind what it still has to take, that nothing comes any more."""
        self._ended = True
        self._moved.set()

    @property
    def waiting(self) -> int:
        """How many lines the client has still to take."""
        return self._outbox.lines

    @property
    def behind(self) -> bool:
        """Whether the client has many lines still to take, and takes them."""
        return not self._stalled and self._outbox.lines > self._half


class Channel:
    """The clients with one and the same filter."""

    def __init__(self, wanted: Filter) -> None:
        self._wanted = wanted
        self.followers: set[Follower] = set()

    def hand_on(self, lines: Sequence[Line]) -> None:
        """Give the clients those of the lines, all of runs they follow, that they want."""
        taken = lines if self._wanted.whole else [line for line in lines if self._wanted.takes(line)]
        for batch in split_batches(taken):
            for follower in self.followers:
                follower.put(batch)


class Channels:
    """All channels, to be found by the runs they follow."""

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
        """Have a client get what it wants of all that is handed on from now."""
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
        """Forget a client, and its channel with the last one."""
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
        """Give every client those of the lines that it wants."""
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
