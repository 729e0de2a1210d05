"""Workers and session hosts played by a test: they do what the bus sees of them, and nothing else."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any, cast

from driven import passes
from nats.aio.msg import Msg
from waiting import eventually

from muster_bus import Bus, Log, replay
from muster_bus.run_store import read_entries
from muster_protocol import codec
from muster_protocol.events import Entry, Event, SubTaskDispatched, SubTaskEnded
from muster_protocol.journal import FINISHED_HEADER, Finished, JournalBatch, Question, Suspended, Taken
from muster_protocol.session_requests import CloseSession, OpenSession, SessionRequest
from muster_protocol.session_responses import Closed, Opened, SessionError
from muster_protocol.sessions import SessionRef
from muster_protocol.tasks import SubTask, SubTaskResult
from muster_protocol.tool_calls import ArtifactRef


def events_of(entries: list[Entry], *kinds: type) -> list[Any]:
    """Return the events of a log, or those of some kinds."""
    found = [event for entry in entries for event in entry.events]
    return [event for event in found if not kinds or isinstance(event, kinds)]


class PlayedWorker:
    """Takes and finishes sub-tasks by hand."""

    def __init__(self, bus: Bus) -> None:
        self.bus = bus
        self._logs: dict[str, Log] = {}
        self._finished: set[str] = set()

    async def given(self, run: str, node: str = "", seconds: float = 30.0) -> SubTask:
        """Return a sub-task of the run that is dispatched and not done yet, once the queue holds one.

        The log tells of a sub-task a moment before the queue has it. No worker can take it in between.
        """

        async def look() -> SubTask | None:
            entries = await read_entries(self.bus, run)
            ended = {event.outcome.task for event in events_of(entries, SubTaskEnded)}
            open_tasks = [event.sub_task for event in events_of(entries, SubTaskDispatched)]
            done = ended | self._finished
            found = [task for task in open_tasks if task.id not in done and node in ("", task.node)]
            return found[-1] if found and found[-1].id in await self.queued(run) else None

        return await eventually(look, f"sub-task {node} of {run} is in the queue", seconds)

    async def queued(self, run: str = "") -> list[str]:
        """Return the ids of the sub-tasks in the work queue, in its order."""
        stored = [codec.decode(m.data, SubTask) async for m in replay(self.bus, "TASKS", "muster.tasks.*.*")]
        return [task.id for task in stored if run in ("", task.run)]

    async def takes(self, task: SubTask) -> None:
        """Write that the sub-task is held."""
        await self._log(task).append(JournalBatch(entries=(Taken(worker="played", message=1, delivery=1),)))

    async def finishes(self, task: SubTask, result: SubTaskResult | None = None, **more: Any) -> None:
        """Write the result: the one given, else a pass."""
        outcome = result or passes(task, **more)
        batch = JournalBatch(entries=(Finished(outcome=outcome),))
        await self._log(task).append(batch, {FINISHED_HEADER: "1"})
        self._finished.add(task.id)

    async def asks(self, task: SubTask, text: str, *, message: int = 1) -> None:
        """Write that the sub-task waits for a person."""
        asks = Question(id=f"{task.id}:0", text=text)
        batch = JournalBatch(entries=(Suspended(waits=asks, message=message),))
        await self._log(task).append(batch, {FINISHED_HEADER: "1"})

    async def does(self, run: str, count: int = 1, **more: Any) -> list[SubTask]:
        """Take and finish the next sub-tasks of a run, one after another."""
        done: list[SubTask] = []
        for _ in range(count):
            task = await self.given(run)
            await self.takes(task)
            await self.finishes(task, **more)
            await self._taken_in(task)
            done.append(task)
        return done

    async def _taken_in(self, task: SubTask) -> None:
        async def look() -> bool:
            ended = events_of(await read_entries(self.bus, task.run), SubTaskEnded)
            return task.id in {event.outcome.task for event in ended}

        await eventually(look, f"the result of {task.id} is in the log")

    def _log(self, task: SubTask) -> Log:
        return self._logs.setdefault(task.id, Log(self.bus, "JOURNAL", self.bus.names.journal(task.id)))


class PlayedHost:
    """Answers for sessions: opens them after as many refusals as told, and remembers what it was asked."""

    NAME = "host-played"

    def __init__(self, bus: Bus) -> None:
        self.bus = bus
        self.asked: list[SessionRequest] = []
        self.refusals: list[SessionError] = []
        """Given as answers first."""
        self.deaf = False
        """Answers nothing while it is set."""
        self.held: list[Msg] | None = None
        """Set to a list: requests to open are put into it and answered when `let_in` is called."""

    @property
    def opened(self) -> list[str]:
        """Names of the sessions that were asked for."""
        return [request.name for request in self.asked if isinstance(request, OpenSession)]

    @property
    def closed(self) -> list[str]:
        """Names of the sessions that were to be closed."""
        return [request.name for request in self.asked if isinstance(request, CloseSession)]

    async def answer(self, message: Msg) -> None:
        """Answer one request."""
        request = cast("SessionRequest", codec.decode(message.data, cast("Any", SessionRequest)))
        self.asked.append(request)
        if self.deaf:
            return
        if self.held is not None and isinstance(request, OpenSession):
            self.held.append(message)
            return
        await self._answer(message, request)

    async def let_in(self) -> None:
        """Open what was held."""
        held, self.held = self.held or [], None
        for message in held:
            await self._answer(message, codec.decode(message.data, OpenSession))

    async def _answer(self, message: Msg, request: SessionRequest) -> None:
        match request:
            case OpenSession() if self.refusals:
                await self.bus.respond(message, self.refusals.pop(0))
            case OpenSession(run=run, name=name):
                await self.bus.respond(message, Opened(session=SessionRef(run=run, name=name, host=self.NAME)))
            case _:
                left = ArtifactRef(name=f"{request.run}/{request.name}/trace.zip", sha256="0" * 64, size=1)
                await self.bus.respond(message, Closed(artifacts=(left,)))


@asynccontextmanager
async def played_host(bus: Bus) -> AsyncGenerator[PlayedHost]:
    """Be the only session host of the fleet."""
    host = PlayedHost(bus)
    subjects = (bus.names.sessions_open, bus.names.session_host(PlayedHost.NAME))
    subscriptions = [await bus.nc.subscribe(subject, cb=host.answer) for subject in subjects]
    await bus.nc.flush()
    try:
        yield host
    finally:
        for subscription in subscriptions:
            await subscription.unsubscribe()


def kinds_of(entries: list[Entry]) -> list[str]:
    """Return what happened in a log, by the names of the events."""
    return [type(event).__name__ for event in cast("list[Event]", events_of(entries))]
