"""Plays the owner of a run for one worker: opens its session, queues its sub-task, reads what came of it."""

import itertools
from typing import Any, cast

from envelopes import a_task
from fleet import Fleet
from msgspec.structs import replace
from waiting import eventually

from muster_bus import Rows, replay
from muster_protocol import codec
from muster_protocol.journal import Finished, Question, Suspended
from muster_protocol.logs import LogRecord, WorkerRow
from muster_protocol.session_requests import OpenSession
from muster_protocol.session_responses import Opened, SessionReply
from muster_protocol.tasks import SubTask, SubTaskResult

NUMBERS = itertools.count(1)


class Owner:
    """Plays a run's owner: opens its session, queues sub-tasks, reads what became of them."""

    def __init__(self, group: Fleet) -> None:
        self.group, self.bus = group, group.bus
        self.run = f"run-{next(NUMBERS)}"
        self._task: SubTask | None = None

    async def begins(self, description: str, **more: Any) -> SubTask:
        """Open a session and queue a sub-task that works in it."""
        request = OpenSession(run=self.run, name="main")
        reply = await self.bus.request(self.bus.names.sessions_open, request, cast("Any", SessionReply), 20.0)
        assert isinstance(reply, Opened), reply
        known: dict[str, Any] = {"session": "main", "host": reply.session.host, "covers": (0,)}
        self._task = a_task(f"{self.run}.step-1.1", description=description, **{**known, **more})
        await self._queue()
        return self._task

    async def answers(self, asks: Question, text: str) -> None:
        """Queue the sub-task once more, with the answer to its question."""
        assert self._task is not None
        self._task = replace(self._task, answers={**self._task.answers, asks.id: text})
        await self._queue()

    async def journal(self, *kinds: type) -> list[Any]:
        """Return the entries of the journal, or those of some kinds."""
        assert self._task is not None
        return [it for it in await self.group.journal(self._task.id) if not kinds or isinstance(it, kinds)]

    async def asked(self, number: int = 1) -> Question:
        """Return the question that the sub-task ended its holding with, for the nth time."""

        async def look() -> Question | None:
            found = await self.journal(Suspended)
            return found[number - 1].waits if len(found) >= number else None

        return await eventually(look, "the sub-task asks")

    async def result(self) -> SubTaskResult:
        """Return what came of the sub-task."""

        async def look() -> SubTaskResult | None:
            return next((it.outcome for it in await self.journal(Finished)), None)

        return await eventually(look, "the sub-task is finished")

    async def lines(self) -> list[str]:
        """Return the lines of the run's log."""
        stored = replay(self.bus, "LOGS", self.bus.names.log(self.run, "*"))
        return [codec.decode(message.data, LogRecord).text async for message in stored]

    async def queue_is_empty(self) -> bool:
        """Return whether no sub-task is queued, and no worker busy."""
        rows = await Rows(self.bus, "WORKERS", WorkerRow).all()
        busy = [row.busy for row in rows if row.service == "subagent"]
        state = (await self.bus.js.stream_info("TASKS")).state
        return not state.messages and not any(count for pools in busy for count in pools.values())

    async def _queue(self) -> None:
        assert self._task is not None
        answered = len(self._task.answers)
        id = f"{self._task.id}+{answered}" if answered else self._task.id
        subject = self.bus.names.tasks("act", "normal")
        await self.bus.store(subject, codec.encode(self._task), {"Nats-Msg-Id": id})
