"""A sub-agent worker: pulls sub-tasks, takes them in their journal, works on them, stores the result, acks."""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Generator, Mapping
from contextlib import AbstractContextManager, AsyncExitStack, asynccontextmanager, contextmanager
from functools import cache, partial
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any, NamedTuple

import httpx
import msgspec
import structlog
from nats.aio.msg import Msg
from opentelemetry.trace import Span

from muster_agents import Agent, Definitions
from muster_bus import Bus, Claim, Intake, Rows
from muster_bus.dead_letter_store import count_letters
from muster_bus.log import count_appends
from muster_bus.process_row import Load, Running
from muster_bus.sealing import read_key_file
from muster_bus.secret_store import SecretStore
from muster_bus.store_answers import BUS_ERRORS, describe_error
from muster_devices.domains import own_addresses
from muster_model import Models, connected_models
from muster_protocol import codec
from muster_protocol.control import Cancel, Stop, decode_control
from muster_protocol.errors import ClaimLost, Fenced, InvalidRequest, NewerVersion, OutcomeUnknown
from muster_protocol.ids import new_id
from muster_protocol.logs import Talker
from muster_protocol.requests import PRIORITIES
from muster_protocol.step_recordings import RecordingRow
from muster_protocol.tasks import SubTask
from muster_service import tracing
from muster_service.settings import SettingsError
from muster_service.task_cleanup import stop
from muster_subagent import metrics
from muster_subagent.agent.looker import ModelLooker
from muster_subagent.agent_catalogue import talkers_among, worker_definitions
from muster_subagent.artifact_queue import MB, ArtifactQueue
from muster_subagent.closed_addresses import refuse_addresses
from muster_subagent.dead_tasks import put_aside
from muster_subagent.fleet_pace import pace_of
from muster_subagent.foreign.foreign_tools import load_foreign_tools
from muster_subagent.held_sessions import Attachments
from muster_subagent.kind_work import RUNNERS
from muster_subagent.known_secrets import KnownSecrets
from muster_subagent.pinned_definitions import PinnedDefinitions
from muster_subagent.secrets import read_secrets
from muster_subagent.settings import SubAgentSettings
from muster_subagent.task_context import Recordings, TaskContext, agent_for, within
from muster_subagent.task_journal import Journal, Standing
from muster_subagent.task_log import Lines
from muster_subagent.task_work import Interruption, Means, TaskWork
from muster_subagent.tools import TOOLS, Tools

log = structlog.get_logger("muster.subagent")


AGENT_BUSY_SECONDS = 1.0
"""After this, a sub-task is offered again whose agent has enough to do at this worker."""
UNREAD_SECONDS = 2.0
"""After this, a sub-task is offered again whose agents could not be read."""
_waited = cache(metrics.WAIT_SECONDS.labels)
"""Looking a label up costs as much as counting, and this is done at every sub-task."""


@asynccontextmanager
async def subagent(bus: Bus, settings: SubAgentSettings, variables: Mapping[str, str]) -> AsyncGenerator[Running]:
    """Work on sub-tasks until left; then what is in progress may finish, and the rest is given back.

    `variables` are those of the environment that hold secrets.
    """
    count_letters("TASKS")
    count_appends("JOURNAL")
    definitions = worker_definitions(settings.agents_dir)
    metrics.begin(RUNNERS, definitions.skills.by_id, definitions.agents.by_id)
    warnings = definitions.problems
    for warning in warnings:
        log.warning("agent or skill not usable", problem=warning)
    async with AsyncExitStack() as stack:
        worker = await stack.enter_async_context(_worker(bus, settings, variables, definitions))
        slots = {"think": settings.think_slots, "act": settings.act_slots}
        pools = [pool.strip() for pool in settings.pools.split(",") if pool.strip()]
        intakes = {
            pool: Intake(
                bus,
                "TASKS",
                [bus.names.tasks_consumer(pool, priority) for priority in PRIORITIES],
                slots=slots.get(pool, 1),
                handler=worker.handle,
            )
            for pool in pools
        }
        for intake in intakes.values():
            await intake.start()
        try:
            yield Running(worker.id, lambda: _load(intakes), warnings, talkers=worker.talkers)
        finally:
            worker.stopping = True
            await asyncio.gather(*(intake.stop(settings.shutdown_seconds) for intake in intakes.values()))


def _load(intakes: Mapping[str, Intake]) -> Load:
    return Load(
        {pool: intake.slots for pool, intake in intakes.items()},
        {pool: intake.busy for pool, intake in intakes.items()},
    )


@asynccontextmanager
async def _worker(
    bus: Bus, settings: SubAgentSettings, variables: Mapping[str, str], definitions: Definitions
) -> AsyncGenerator["Worker"]:
    secrets = _secrets(bus, settings, variables)
    no_cookies = CookieJar(DefaultCookiePolicy(allowed_domains=()))  # runs share the client, and nothing else
    hooks = {"request": [refuse_addresses(own_addresses(settings.nats_url))]}
    async with (
        httpx.AsyncClient(cookies=no_cookies, timeout=30.0, event_hooks=hooks) as http,
        connected_models(settings, pace_of(bus, settings)) as models,
    ):
        means = _means(bus, settings, secrets, definitions, http=http, models=models)
        worker = Worker(means)
        following = asyncio.create_task(means.definitions.follow())
        cancels = await bus.nc.subscribe(bus.names.live(bus.names.control("*")), cb=worker.control)
        try:
            yield worker
        finally:
            await stop({following})
            await means.artifacts.finish()
            await means.attachments.close()
            if bus.nc.is_connected:
                await cancels.unsubscribe()


def _secrets(bus: Bus, settings: SubAgentSettings, variables: Mapping[str, str]) -> KnownSecrets:
    own = read_secrets(settings.secrets_file, variables, settings.secrets_allowed)
    return KnownSecrets(own, SecretStore(bus), read_key_file(settings.secrets_key_file), settings.secrets_allowed)


def _means(
    bus: Bus,
    settings: SubAgentSettings,
    secrets: KnownSecrets,
    definitions: Definitions,
    *,
    http: httpx.AsyncClient,
    models: Models | None,
) -> Means:
    return Means(
        worker=new_id("worker"),
        bus=bus,
        settings=settings,
        attachments=Attachments(bus),
        artifacts=ArtifactQueue(bus, int(settings.artifact_max_mb * MB), int(settings.run_artifacts_max_mb * MB)),
        http=http,
        secrets=secrets,
        models=models,
        definitions=PinnedDefinitions(bus, definitions),
        recordings=_recordings(bus, settings),
        looker=ModelLooker(models) if models and models.tier("sub_agent") else None,
        catalogue=_catalogue(settings, secrets),
    )


def _recordings(bus: Bus, settings: SubAgentSettings) -> Recordings:
    rows = Rows(bus, "RECORDINGS", RecordingRow) if settings.recordings == "on" else None
    return Recordings(rows, settings.heal_turns, settings.heal_tokens, settings.heal_seconds)


def _catalogue(settings: SubAgentSettings, secrets: KnownSecrets) -> Tools:
    """Return all tools that agents of this worker may be allowed.

    Raises:
        SettingsError: the file of MCP servers cannot be used.
    """
    try:
        return {**TOOLS, **load_foreign_tools(settings.mcp_servers, secrets.choose)}
    except InvalidRequest as error:
        raise SettingsError(f"environment variable `MCP_SERVERS`: {'; '.join(error.reasons)}") from error


def _traced(claim: Claim, task: SubTask) -> AbstractContextManager[Span]:
    """Record the work on a sub-task as a span below the one that the owner of its run records."""
    told = {"muster.run": task.run, "muster.node": task.node, "muster.attempt": task.attempt, "muster.kind": task.kind}
    if task.agent:
        told |= {
            "gen_ai.operation.name": "invoke_agent",
            "gen_ai.agent.name": task.agent,
            "gen_ai.conversation.id": task.run,
        }
    return tracing.span(f"work {task.kind}", told, kind=tracing.CONSUMER, headers=claim.headers)


class _Read(NamedTuple):
    """The contents of a message of the queue: a sub-task, its agent if its kind has one, and the run's definitions."""

    task: SubTask
    agent: Agent | None
    definitions: Definitions


class Worker:
    """One process's share of the fleet: what all its sub-tasks have in common."""

    def __init__(self, means: Means) -> None:
        self.id = means.worker
        self.stopping = False
        self._means, self._bus = means, means.bus
        self._at_work: dict[str, dict[asyncio.Task[Any], str]] = {}
        """Tasks at work with the nodes of their sub-tasks, by run."""
        self._cancelled: set[asyncio.Task[Any]] = set()
        self._agents_at_work: Counter[str] = Counter()
        """Sub-tasks at work, by agent."""

    def talkers(self) -> tuple[Talker, ...]:
        """Return the agents with which people may open a conversation now, those that were pushed included."""
        return talkers_among(self._means.definitions.newest.agents)

    async def control(self, message: Msg) -> None:
        """Stop work on a run that somebody cancels, or on an answer that somebody stops."""
        run = message.subject.rsplit(".", 1)[-1]
        try:
            control = decode_control(message.data)
        except msgspec.DecodeError:
            return  # the run's owner reports it
        for task, node in self._at_work.get(run, {}).items():
            if isinstance(control, Cancel) or (isinstance(control, Stop) and control.node == node):
                self._cancelled.add(task)
                task.cancel()

    async def handle(self, claim: Claim) -> None:
        """Work on one message of the queue; what a newer version wrote is left to newer workers."""
        try:
            claim.check_version()
            await self._handle(claim)
        except NewerVersion as error:
            if not await claim.leave_to_newer(error):
                await put_aside(self._bus, claim, self.id, f"waited an hour for a newer worker: {error}")

    async def _handle(self, claim: Claim) -> None:
        read = await self._read(claim)
        if read is None:
            return
        task, agent, _ = read
        if self._is_busy(agent):
            await claim.nak(AGENT_BUSY_SECONDS)  # others may work on it, and whatever else is queued goes first
            return
        try:
            named = structlog.contextvars.bound_contextvars(
                run=task.run, task=task.id, node=task.node, step=task.position, actor=task.agent or task.kind
            )
            with self._counted(claim, task, agent), named, _traced(claim, task) as span:
                await self._work(claim, read, span)
        except (Fenced, ClaimLost, OutcomeUnknown) as error:
            metrics.FENCED.labels(task.kind).inc()
            log.warning("sub-task left to another worker", run=task.run, task=task.id, reason=str(error))
        except msgspec.DecodeError as error:
            await put_aside(self._bus, claim, self.id, f"has a journal that cannot be read: {error}")

    async def _read(self, claim: Claim) -> _Read | None:
        """Return what a message asks for; None if it cannot be told, and the message is put aside or left for later."""
        try:
            task = codec.decode(claim.data, SubTask)
            definitions = await self._means.definitions.of(task.definitions)
            return _Read(task, agent_for(task, definitions.agents.by_id), definitions)
        except BUS_ERRORS as error:
            log.warning("the agents of a run cannot be read; sub-task offered again later", error=describe_error(error))
            await claim.nak(UNREAD_SECONDS)
        except (msgspec.DecodeError, KeyError) as error:
            why = f"there is no agent {error} for it" if isinstance(error, KeyError) else error
            await put_aside(self._bus, claim, self.id, f"cannot be worked on by this version: {why}")
        return None

    @contextmanager
    def _counted(self, claim: Claim, task: SubTask, agent: Agent | None) -> Generator[None]:
        """Count a sub-task as at work here; its work is cancelled once the claim is lost."""
        me = asyncio.current_task()
        assert me is not None
        claim.on_lost(me.cancel)
        self._at_work.setdefault(task.run, {})[me] = task.node
        id = agent.id if agent else ""
        self._agents_at_work[id] += 1
        try:
            yield
        finally:
            self._agents_at_work[id] -= 1
            self._cancelled.discard(me)
            del self._at_work[task.run][me]
            if not self._at_work[task.run]:
                del self._at_work[task.run]

    async def _work(self, claim: Claim, read: _Read, span: Span) -> None:
        task, agent, definitions = read
        journal = Journal(self._bus, task.id, claim, self.id)
        match await journal.take():
            case Standing.FINISHED | Standing.COPY:
                await claim.ack()
                return
            case Standing.OUTDATED:
                claim.release()
                return
            case Standing.MINE:
                pass
        if claim.delivery == 1 or journal.first:  # one handed back by a worker without a free slot waits on
            _waited(task.pool).observe(max(0.0, self._bus.clock.now() - claim.stored_at))
        else:
            metrics.TAKEOVERS.labels(task.kind).inc()
        log.info("sub-task taken", kind=task.kind, delivery=claim.delivery)
        lines = Lines(self._bus, task, self.id)
        if task.notice:
            lines.tell("message", task.notice)
        try:
            bounded = within(task, agent.budget) if agent else task
            means = self._means
            context = TaskContext(bounded, journal, lines, means.models, agent, None, means.recordings, definitions)
            context = context._replace(catalogue=means.catalogue)
            await TaskWork(
                self._means, claim, context, partial(self._interruption, asyncio.current_task())
            ).carry_through(span)
        finally:
            await lines.flush()

    def _is_busy(self, agent: Agent | None) -> bool:
        """Return whether an agent works on as many sub-tasks here as its file allows."""
        most = agent.max_parallel_tasks if agent else None
        return agent is not None and most is not None and self._agents_at_work[agent.id] >= most

    def _interruption(self, work: asyncio.Task[Any] | None) -> Interruption:
        if work in self._cancelled:
            return "run cancelled"
        return "worker stopping" if self.stopping else ""
