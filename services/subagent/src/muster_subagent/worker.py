"""A sub-agent worker: pulls sub-tasks, takes them in their journal, works on them, stores the result, acks."""

import asyncio
import os
from collections.abc import AsyncGenerator, Mapping
from contextlib import AbstractContextManager, AsyncExitStack, asynccontextmanager
from functools import cache, partial
from time import monotonic, time
from typing import Any, NamedTuple, cast

import httpx
import msgspec
import structlog
from msgspec.structs import replace
from nats.aio.msg import Msg
from opentelemetry.trace import Span

from muster_agents import Agent
from muster_bus import Bus, Claim, Intake
from muster_bus.dead_letter_store import count_letters
from muster_bus.log import count_appends
from muster_bus.service import Load, Running
from muster_model import Models, connected_models
from muster_protocol import codec
from muster_protocol.causes import Failure, cause_of
from muster_protocol.control import Cancel, Control
from muster_protocol.errors import ClaimLost, Fenced, NewerVersion, OutcomeUnknown
from muster_protocol.ids import new_id
from muster_protocol.journal import Finished, Question, Released, Suspended
from muster_protocol.requests import PRIORITIES
from muster_protocol.tasks import SubTask, SubTaskResult
from muster_protocol.tool_calls import ArtifactRef, Box
from muster_service import tracing
from muster_subagent import metrics
from muster_subagent.agent.looker import ModelLooker
from muster_subagent.artifact_queue import MB, ArtifactQueue, artifact_name
from muster_subagent.attachment import Attachments
from muster_subagent.dead_tasks import put_aside, put_poison_aside
from muster_subagent.failure_pictures import picture_if_any
from muster_subagent.journal_limits import fitting
from muster_subagent.kind_work import RUNNERS
from muster_subagent.results import blank, first_line
from muster_subagent.secrets import SecretMissing, Secrets, chosen, read_secrets
from muster_subagent.settings import SubAgentSettings
from muster_subagent.task_context import TaskContext, agent_for, known_agents, within
from muster_subagent.task_journal import Journal, Standing
from muster_subagent.task_log import Lines
from muster_subagent.tool_context import NeedsPerson, SessionLost, ToolContext

log = structlog.get_logger("muster.subagent")


_waited, _counted = cache(metrics.WAIT_SECONDS.labels), cache(metrics.SUBTASKS.labels)
_took = cache(metrics.SUBTASK_SECONDS.labels)
"""Looking a label up costs as much as counting; these are asked for at every sub-task."""
NEWER_SECONDS = 30.0
"""Until a sub-task that a newer version wrote is offered again."""


class WorkerFault(Exception):
    """A fault of the worker while it acted, in words without any secret."""


@asynccontextmanager
async def subagent(bus: Bus, settings: SubAgentSettings) -> AsyncGenerator[Running]:
    """Work on sub-tasks until left; then what is in progress may finish, and the rest is given back."""
    count_letters("TASKS")
    count_appends("JOURNAL")
    metrics.begin(RUNNERS)
    async with AsyncExitStack() as stack:
        worker = await stack.enter_async_context(_worker(bus, settings))
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
            yield Running(worker.id, lambda: _load(intakes))
        finally:
            worker.stopping = True
            await asyncio.gather(*(intake.stop(settings.shutdown_seconds) for intake in intakes.values()))


def _load(intakes: Mapping[str, Intake]) -> Load:
    return Load(
        {pool: intake.slots for pool, intake in intakes.items()},
        {pool: intake.busy for pool, intake in intakes.items()},
    )


@asynccontextmanager
async def _worker(bus: Bus, settings: SubAgentSettings) -> AsyncGenerator["Worker"]:
    known = read_secrets(settings.secrets_file, os.environ)
    attachments = Attachments(bus)
    async with httpx.AsyncClient(follow_redirects=True, timeout=30.0) as http, connected_models(settings) as models:
        worker = Worker(bus, settings, attachments, Means(http, known, models, known_agents(settings.agents_dir)))
        cancels = await bus.nc.subscribe(bus.names.live(bus.names.control("*")), cb=worker.control)
        try:
            yield worker
        finally:
            await worker.artifacts.finish()
            await attachments.close()
            if bus.nc.is_connected:
                await cancels.unsubscribe()


def _traced(claim: Claim, task: SubTask) -> AbstractContextManager[Span]:
    """Record the work on a sub-task as a span below the one that the owner of its run records."""
    told = {"muster.run": task.run, "muster.node": task.node, "muster.attempt": task.attempt, "muster.kind": task.kind}
    return tracing.span(f"work {task.kind}", told, kind=tracing.CONSUMER, headers=claim.headers)


class Means(NamedTuple):
    """What sub-tasks work with beside the bus and their session."""

    http: httpx.AsyncClient
    secrets: Mapping[str, str]
    models: Models | None
    agents: Mapping[str, Agent]
    """By id."""


class Worker:
    """One process's share of the fleet: what all its sub-tasks have in common."""

    def __init__(
        self,
        bus: Bus,
        settings: SubAgentSettings,
        attachments: Attachments,
        means: "Means",
    ) -> None:
        self.id = new_id("worker")
        self.stopping = False
        self.artifacts = ArtifactQueue(bus, int(settings.artifact_max_mb * MB), int(settings.run_artifacts_max_mb * MB))
        self._bus, self._settings = bus, settings
        self._attachments, self._means = attachments, means
        self._looker = ModelLooker(means.models) if means.models and means.models.tier("sub_agent") else None
        self._at_work: dict[str, set[asyncio.Task[Any]]] = {}
        """Tasks at work, by run."""
        self._cancelled: set[str] = set()

    async def control(self, message: Msg) -> None:
        """Stop work on a run that somebody cancels."""
        run = message.subject.rsplit(".", 1)[-1]
        try:
            control = cast("Control", codec.decode(message.data, cast("Any", Control)))
        except msgspec.DecodeError:
            return  # the run's owner reports it
        if isinstance(control, Cancel) and run in self._at_work:
            self._cancelled.add(run)
            for task in self._at_work[run]:
                task.cancel()

    async def handle(self, claim: Claim) -> None:
        """Work on one message of the queue; what a newer version wrote is left to newer workers."""
        try:
            claim.check_version()
            await self._handle(claim)
        except NewerVersion as error:
            log.warning("a sub-task is left alone: a newer version wrote it", subject=claim.subject, reason=str(error))
            await claim.nak(NEWER_SECONDS)

    async def _handle(self, claim: Claim) -> None:
        try:
            task = codec.decode(claim.data, SubTask)
            agent = agent_for(task, self._means.agents)
        except (msgspec.DecodeError, KeyError) as error:
            why = f"there is no agent {error} for it" if isinstance(error, KeyError) else error
            await put_aside(self._bus, claim, self.id, f"cannot be worked on by this version: {why}")
            return
        me = asyncio.current_task()
        assert me is not None
        claim.on_lost(me.cancel)
        self._at_work.setdefault(task.run, set()).add(me)
        try:
            with structlog.contextvars.bound_contextvars(run=task.run, task=task.id), _traced(claim, task) as span:
                await self._work(claim, task, agent, span)
        except (Fenced, ClaimLost, OutcomeUnknown) as error:
            metrics.FENCED.labels(task.kind).inc()
            log.warning("a sub-task is left to another worker", run=task.run, task=task.id, reason=str(error))
        except msgspec.DecodeError as error:
            await put_aside(self._bus, claim, self.id, f"has a journal that cannot be read: {error}")
        finally:
            self._at_work[task.run].discard(me)
            if not self._at_work[task.run]:
                del self._at_work[task.run]
                self._cancelled.discard(task.run)

    async def _work(self, claim: Claim, task: SubTask, agent: Agent | None, span: Span) -> None:
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
            _waited(task.pool).observe(max(0.0, time() - claim.stored_at))
        else:
            metrics.TAKEOVERS.labels(task.kind).inc()
        log.info("a sub-task is taken", kind=task.kind, delivery=claim.delivery)
        lines = Lines(self._bus, task, self.id)
        if task.notice:
            lines.tell("message", task.notice)
        try:
            bounded = within(task, agent.budget) if agent else task
            context = TaskContext(bounded, journal, lines, self._means.models, agent, None)
            await self._carry_through(claim, context, span)
        finally:
            await lines.flush()

    async def _carry_through(self, claim: Claim, context: TaskContext, span: Span) -> None:
        """Work on the sub-task until it is over or waits for a person, write that down, and free the slot."""
        started = monotonic()
        came, kind = await self._result(claim, context), context.task.kind
        if isinstance(came, Question):
            context.lines.tell("message", f"waits for an answer: {came.text}")
            await context.journal.append(Suspended(waits=came, message=claim.message, spent=context.journal.spent))
            await claim.ack()
        if not isinstance(came, SubTaskResult):
            return
        result = fitting(replace(came, worker=self.id), self._bus.nc.max_payload)
        span.set_attribute("muster.status", result.status)
        if result.status != "pass":
            tracing.failed(span, result.summary)
        if context.task.pool == "act":
            context.lines.tell("result", f"RESULT: {result.status.upper()} — {result.summary}", status=result.status)
        await context.journal.append(Finished(outcome=result))
        await claim.ack()
        log.info("a sub-task is done", kind=kind, status=result.status)
        _counted(kind, result.status, result.source).inc()
        _took(kind).observe(monotonic() - started)

    async def _result(self, claim: Claim, context: TaskContext) -> SubTaskResult | Question | None:
        """Return what came of the sub-task, or what it asks; None if it is no longer this worker's."""
        task = context.task
        if context.journal.progress.barren > self._settings.poison_takeovers:
            return await put_poison_aside(self._bus, claim, task, context.journal.spent)
        seconds = min(task.budget.seconds, task.finish_by - time()) if task.finish_by else task.budget.seconds
        scope = asyncio.timeout(max(0.0, seconds))
        try:
            async with scope:
                return await self._performed(context)
        except TimeoutError as error:
            if not scope.expired():
                return self._ended(context, "error", Failure.INFRASTRUCTURE, f"the bus did not answer: {error}")
            return self._ended(context, "fail", Failure.TIMED_OUT, f"not finished within {seconds:.0f} s")
        except SessionLost as error:
            if error.fenced:
                raise ClaimLost(f"another worker drives the session: {error.reason}") from error
            return self._ended(context, "error", Failure.SESSION_LOST, error.reason)
        except asyncio.CancelledError:
            return await self._interrupted(claim, context)
        except (Fenced, ClaimLost, OutcomeUnknown):
            raise
        except Exception as error:  # a fault of ours must not pass for a fault of the product, nor end the process
            log.exception("a sub-task failed through a fault of the worker", task=task.id)
            return self._ended(
                context, "error", Failure.INFRASTRUCTURE, f"{type(error).__name__}: {first_line(str(error))}"
            )

    async def _performed(self, context: TaskContext) -> SubTaskResult | Question:
        if context.task.pool == "think":
            return await RUNNERS[context.task.kind](context)
        task = context.task
        try:
            secrets = Secrets(chosen(self._means.secrets, task.step.secrets))
        except SecretMissing as error:
            return self._ended(context, "fail", Failure.SECRET_MISSING, str(error))
        try:
            return await self._attached(context, secrets)
        except NeedsPerson as asks:  # out of the session by then, and not in order: no checkpoint is made half-way
            return Question(id=asks.question, text=asks.text)

    async def _attached(self, context: TaskContext, secrets: Secrets) -> SubTaskResult:
        task = context.task
        async with self._attachments.attach(task, context.journal.progress.holders, secrets, self.id) as session:
            tools = ToolContext(
                session=session,
                secrets=secrets,
                http=self._means.http,
                call="",
                domains=task.step.domains,
                store=lambda name, data, kind: self.artifacts.put(artifact_name(task, name), data, kind),
                on_output=lambda stream, text: context.lines.tell("tool_result", f"  {stream}| {text}", level="debug"),
                action_timeout=self._settings.action_timeout_seconds,
                looker=self._looker,
                search_url=self._settings.search_url,
                answers=task.answers,
            )
            try:
                result = await RUNNERS[task.kind](context._replace(tools=tools))
            except (NeedsPerson, SessionLost, Fenced, ClaimLost, OutcomeUnknown, TimeoutError):
                raise
            except Exception as error:  # what the driver says may quote what was typed
                raise WorkerFault(secrets.mask(f"{type(error).__name__}: {error}")) from None
            session.touched = tools.pointed
            name = artifact_name(task, f"failure-{task.attempt}.png")
            keep = partial(self._keep_picture, name, tools.pointed)
            pictures = await picture_if_any(tools, keep) if result.status == "fail" else ()
            for picture in pictures:
                context.lines.tell("message", "kept a picture of the page that failed", artifacts=(picture.name,))
            return replace(result, summary=secrets.mask(result.summary), artifacts=(*result.artifacts, *pictures))

    def _keep_picture(self, name: str, element: Box | None, image: bytes) -> ArtifactRef:
        return self.artifacts.put(name, image, "image/png", element)

    async def _interrupted(self, claim: Claim, context: TaskContext) -> SubTaskResult | None:
        """Somebody stopped this task: the run was cancelled, the process is to end, or the claim was lost (raises)."""
        current = asyncio.current_task()
        if context.task.run in self._cancelled:
            if current is not None:
                current.uncancel()
            return self._ended(context, "cancelled", Failure.CANCELLED, "the run was cancelled")
        claim.check()
        if self.stopping:
            await asyncio.shield(self._give_back(claim, context))
        return None

    async def _give_back(self, claim: Claim, context: TaskContext) -> None:
        context.lines.tell("message", "the worker is told to stop; another one goes on")
        await context.journal.append(Released(reason="the worker was told to stop"))
        await claim.nak()

    def _ended(self, context: TaskContext, status: str, failure: Failure, summary: str) -> SubTaskResult:
        """Return a result for work that was broken off; the journal says what it had done and spent by then."""
        started = context.journal.progress.started.values()
        changed = [entry.index for entry in started if entry.effect in ("act", "idempotent")]
        result = replace(
            blank(context.task),
            failure=failure,
            cause=cause_of(failure),
            summary=summary,
            acted=any(entry.effect == "act" for entry in started),
            last_act=max(changed, default=-1),
            usage=context.journal.spent,
        )
        return replace(result, status=status)
