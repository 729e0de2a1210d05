"""A browser session in this process, in which sentences are carried out one by one by a worker's code.

This process does what the owner of a run does: it opens the session, puts each sentence into the work queue as a
sub-task, reads what came of it from the sub-task's journal, and judges that by its evidence.
"""

from collections.abc import AsyncGenerator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, NamedTuple, cast

from msgspec.structs import replace

from muster_bus import Bus, connect, provision, tail
from muster_bus.nats_server import Login, nats_server
from muster_cli.embedded import SEED, Plan, fleet_environment, work_folder
from muster_cli.orphan_guard import Guard
from muster_orchestrator.machine.jobs.test_case.judge import judge_step
from muster_protocol import codec
from muster_protocol.errors import Refused
from muster_protocol.ids import new_id, task_id
from muster_protocol.journal import CallFinished, CallStarted, Finished, JournalBatch, JournalEntry, Suspended
from muster_protocol.kinds import KINDS_BY_NAME, StepInput
from muster_protocol.plans import PlanNode
from muster_protocol.requests import MAIN
from muster_protocol.session_requests import CloseSession, OpenSession
from muster_protocol.session_responses import Opened, SessionError, SessionReply
from muster_protocol.tasks import SubTask, SubTaskResult
from muster_protocol.tool_calls import ToolCall, ToolOutcome
from muster_service.settings import BusSettings, load, take_secrets
from muster_sessionhost.service import session_host
from muster_sessionhost.settings import SessionHostSettings
from muster_subagent.held_sessions import Attachments
from muster_subagent.results import blank
from muster_subagent.secrets import Secrets
from muster_subagent.session_client import SessionRefused
from muster_subagent.settings import SubAgentSettings
from muster_subagent.tool_context import Session, SessionLost
from muster_subagent.worker import subagent
from muster_text.named_hosts import hosts_in
from muster_text.values import fill_known, secret_names

OPEN_SECONDS = 60.0
STEP = KINDS_BY_NAME["step"]
NOBODY = "it asks a person, and nobody is asked here: answer it yourself by the next sentence"


class CallMade(NamedTuple):
    """A call that was made for a sentence, and its outcome."""

    call: ToolCall
    outcome: ToolOutcome


class Performed(NamedTuple):
    """The result of a sentence, as a run would accept it."""

    result: SubTaskResult
    calls: tuple[CallMade, ...]


class LiveSession:
    """An open session, and the sentences carried out in it; create it with `live_session`."""

    def __init__(self, bus: Bus, run: str, host: str, attachments: Attachments) -> None:
        self._bus, self._run, self._host, self._attachments = bus, run, host, attachments
        self._dispatched = 0
        self._sentences: list[str] = []
        """All sentences so far: secrets go to no hosts but those they name."""
        self.values: dict[str, str] = {}
        """Variables and remembered values."""

    async def act(self, action: str) -> Performed:
        """Carry out an action."""
        return await self._perform(PlanNode(id=self._node(), description=action, covers=(0,), session=MAIN))

    async def expect(self, expectation: str) -> Performed:
        """Check an expectation, each clause by its evidence."""
        node = PlanNode(
            id=self._node(), description=expectation, expected_result=expectation, precondition=True, session=MAIN
        )
        return await self._perform(node)

    @asynccontextmanager
    async def attached(self) -> AsyncGenerator[Session]:
        """Hold the session, as a worker does while it works on a sub-task.

        Raises:
            Refused: the session is lost, or there is no browser.
        """
        node = PlanNode(id=self._node(), description="look", session=MAIN)
        try:
            async with self._attachments.attach(self._sub_task(node), 1, Secrets({}), "muster-cli") as session:
                yield session
        except (SessionLost, SessionRefused) as error:
            raise Refused(f"the page cannot be read: {error}") from error

    def _node(self) -> str:
        self._dispatched += 1
        return f"sentence-{self._dispatched}"

    def _sub_task(self, node: PlanNode) -> SubTask:
        known_texts = (*(fill_known(text, self.values) for text in self._sentences), *self.values.values())
        return SubTask(
            id=task_id(self._run, node.id, 1),
            run=self._run,
            node=node.id,
            attempt=1,
            dispatch=self._dispatched,
            input=StepInput(
                expected_result=node.expected_result,
                covers=node.covers,
                precondition=node.precondition,
                hosts=hosts_in(known_texts),
                secrets=tuple(dict.fromkeys(secret_names(node.description))),
                values=self.values,
            ),
            description=node.description,
            agent=STEP.agent,
            session=MAIN,
            host=self._host,
        )

    async def _perform(self, node: PlanNode) -> Performed:
        self._sentences.append(node.description)
        task = self._sub_task(node)
        await self._bus.store(self._bus.names.tasks(task.pool, task.priority), codec.encode(task))
        calls: dict[int, ToolCall] = {}
        made: list[CallMade] = []
        async for entry in self._journal(task.id):
            match entry:
                case CallStarted():
                    calls[entry.index] = entry.call
                case CallFinished():
                    made.append(CallMade(calls[entry.index], entry.outcome))
                case Suspended():
                    return Performed(replace(blank(task), summary=NOBODY), tuple(made))
                case Finished():
                    result = judge_step(node, entry.outcome, {**self.values, **entry.outcome.step.captured})
                    self.values |= result.step.captured if result.status == "pass" else {}
                    return Performed(result, tuple(made))
                case _:
                    pass
        raise Refused("the NATS server has stopped")

    async def _journal(self, task: str) -> AsyncGenerator[JournalEntry]:
        async for stored in tail(self._bus, "JOURNAL", self._bus.names.journal(task)):
            for entry in codec.decode(stored.data, JournalBatch).entries:
                yield entry


@asynccontextmanager
async def live_session(environ: Mapping[str, str], *, headed: bool = False) -> AsyncGenerator[LiveSession]:
    """Start everything needed to carry out sentences; afterwards, browser, server and files are removed.

    Raises:
        MusterError: NATS does not start, or the session cannot be opened.
        SettingsError: a setting in the environment cannot be used.
    """
    async with AsyncExitStack() as stack:
        guard = Guard()
        stack.callback(guard.dismiss)
        folder = stack.enter_context(work_folder(guard))
        login = Login.make()
        login.write(folder / SEED)
        server = await stack.enter_async_context(nats_server(folder / "nats", login))
        guard.server(server.pid)
        env = {**fleet_environment(environ, Plan(), server.url, folder), **_recording_off(headed=headed)}
        bus = await connect(load(BusSettings, env), name="muster-cli", patience=10.0)
        stack.push_async_callback(bus.close)
        await provision(bus)
        await stack.enter_async_context(session_host(bus, load(SessionHostSettings, env)))
        await stack.enter_async_context(subagent(bus, load(SubAgentSettings, env), take_secrets(env)))
        attachments = Attachments(bus)
        stack.push_async_callback(attachments.close)
        run = new_id("try")
        host = await _opened(bus, run)
        stack.push_async_callback(_closed, bus, run, host)
        yield LiveSession(bus, run, host, attachments)


def _recording_off(*, headed: bool) -> dict[str, str]:
    recordings = ("TRACE", "HAR", "CONSOLE", "DOWNLOADS", "PICTURE")
    return {"HEADLESS": "0" if headed else "1", **{f"RECORD_{name}": "off" for name in recordings}}


async def _opened(bus: Bus, run: str) -> str:
    """Open the session and return its host.

    Raises:
        Refused: it cannot be opened.
    """
    reply = await _ask(bus, bus.names.sessions_open, OpenSession(run=run, name=MAIN))
    if not isinstance(reply, Opened):
        raise Refused(reply.text if isinstance(reply, SessionError) else "no session can be opened")
    return reply.session.host


async def _closed(bus: Bus, run: str, host: str) -> None:
    await _ask(bus, bus.names.session_host(host), CloseSession(run=run, name=MAIN, quick=True, passed=True))


async def _ask(bus: Bus, subject: str, request: OpenSession | CloseSession) -> SessionReply:
    return cast("SessionReply", await bus.request(subject, request, cast("Any", SessionReply), OPEN_SECONDS))
