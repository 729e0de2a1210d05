"""Work on one sub-task, from taking it to its result, its question, or its loss."""

import asyncio
from collections.abc import Callable
from functools import cache, partial
from time import monotonic
from typing import Literal, NamedTuple

import httpx
import structlog
from msgspec.structs import replace
from opentelemetry.trace import Span

from muster_agents import EVERYTHING
from muster_bus import Bus, Claim
from muster_model import FIND_KEY, Models
from muster_protocol.causes import Failure
from muster_protocol.conversation_work import ConverseInput
from muster_protocol.errors import ClaimLost, Fenced, OutcomeUnknown
from muster_protocol.journal import Children, Finished, Question, Released, Suspended
from muster_protocol.tasks import SubTask, SubTaskResult
from muster_protocol.tool_calls import CHANGING, ArtifactRef, Box
from muster_service import tracing
from muster_service.log_secrets import hide_in_logs
from muster_service.task_cleanup import finish
from muster_subagent import metrics
from muster_subagent.act_recorder import ActRecorder
from muster_subagent.agent.looker import ModelLooker
from muster_subagent.agent_rights import permissions_of
from muster_subagent.artifact_queue import MB, ArtifactQueue, artifact_name
from muster_subagent.dead_tasks import put_poison_aside, read_lost_holders
from muster_subagent.delegation import Delegation, Team
from muster_subagent.failure_pictures import picture_if_any, source_if_any
from muster_subagent.fleet_time import CLOCK, fleet_time
from muster_subagent.fleet_transport import fleet_of
from muster_subagent.held_sessions import Attachments
from muster_subagent.journal_limits import fitting
from muster_subagent.kind_work import RUNNERS
from muster_subagent.known_secrets import KnownSecrets
from muster_subagent.loaded_skills import LoadedSkills
from muster_subagent.no_session import NoSession
from muster_subagent.pinned_definitions import PinnedDefinitions
from muster_subagent.results import blank, first_line
from muster_subagent.secrets import SecretMissing, Secrets
from muster_subagent.settings import SubAgentSettings
from muster_subagent.step_permissions import permission_of
from muster_subagent.task_context import Recordings, TaskContext, find_other_queue
from muster_subagent.tool_context import NeedsChildren, NeedsPerson, Session, SessionLost, ToolContext
from muster_subagent.tools import Tools
from muster_subagent.tools.agent_permission import domains_within

log = structlog.get_logger("muster.subagent")

_counted, _took = cache(metrics.SUBTASKS.labels), cache(metrics.SUBTASK_SECONDS.labels)
"""Looking a label up costs as much as counting; these are asked for at every sub-task."""

Interruption = Literal["run cancelled", "worker stopping", ""]


class WorkerFault(Exception):
    """A fault of the worker while it acted, in words without any secret."""


class Means(NamedTuple):
    """What a worker's sub-tasks share."""

    worker: str
    """Id of the worker."""
    bus: Bus
    settings: SubAgentSettings
    attachments: Attachments
    artifacts: ArtifactQueue
    http: httpx.AsyncClient
    secrets: KnownSecrets
    models: Models | None
    definitions: PinnedDefinitions
    looker: ModelLooker | None
    recordings: Recordings
    catalogue: Tools
    """All tools there are."""


def _describe_wait(waits: Question | Children) -> str:
    if isinstance(waits, Question):
        return f"waits for an answer: {waits.text}"
    agents = ", ".join(child.agent for child in waits.children[:20])
    return f"waits for {len(waits.children)} of its own: {agents}"


def _word(task: SubTask, result: SubTaskResult) -> str:
    """Return the word for a result in the run's log."""
    words = {"pass": "DONE", "fail": "FAILED"} if task.ends_done else {}
    return words.get(result.status, result.status.upper())


def seconds_for(task: SubTask) -> float:
    """Return how long a sub-task may take, by the fleet's clock: its run's deadline is by that, too."""
    return min(task.budget.seconds, task.finish_by - fleet_time()) if task.finish_by else task.budget.seconds


def _prolong(scope: asyncio.Timeout, finish_by: float, seconds: float) -> None:
    """Move the end of a sub-task's time on, up to when its result no longer counts (Unix seconds; 0: never)."""
    ends, now = scope.when(), asyncio.get_running_loop().time()
    if ends is not None and not scope.expired():
        scope.reschedule(min(ends + seconds, now + finish_by - fleet_time()) if finish_by else ends + seconds)


class TaskWork:
    """A sub-task that this worker holds."""

    def __init__(
        self, means: Means, claim: Claim, context: TaskContext, interruption: Callable[[], Interruption]
    ) -> None:
        self._means, self._claim, self._context = means, claim, context
        self._task, self._journal, self._lines = context.task, context.journal, context.lines
        self._interruption = interruption
        """Says why the work is cancelled, if it is."""
        self._may = permissions_of(self._task, context.agent, context.catalogue) if context.agent else EVERYTHING
        """What the agent and whoever asked for it allow together."""

    async def carry_through(self, span: Span) -> None:
        """Work on the sub-task until it is over or waits for a person, write that down, and free the slot."""
        CLOCK.set(self._means.bus.clock.now)
        started = monotonic()
        came, kind = await self._result(), self._task.kind
        if isinstance(came, Question | Children):
            self._lines.tell("message", _describe_wait(came))
            spent = replace(self._journal.spent, seconds=self._journal.progress.seconds + monotonic() - started)
            await self._journal.append(Suspended(waits=came, message=self._claim.message, spent=spent))
            await self._claim.ack()
        if not isinstance(came, SubTaskResult):
            return
        agent = self._context.agent
        came = replace(came, worker=self._means.worker, final=agent is not None and not agent.auto_retry)
        result = fitting(came, self._means.bus.nc.max_payload)
        span.set_attribute("muster.status", result.status)
        if result.status != "pass":
            tracing.mark_failed(span, result.summary)
        if self._task.pool == "act":
            self._lines.tell("result", f"RESULT: {_word(self._task, result)} — {result.summary}", status=result.status)
        await self._journal.append(Finished(outcome=result))
        await self._claim.ack()
        log.info("sub-task finished", kind=kind, status=result.status)
        _counted(kind, result.status, result.source).inc()
        if agent is not None:
            metrics.count_agent(agent.id, result)
        _took(kind).observe(monotonic() - started)

    async def _result(self) -> SubTaskResult | Question | Children | None:
        """Return what came of the sub-task, or what it waits for; None if it is no longer this worker's."""
        task = self._task
        if self._journal.progress.barren > self._means.settings.poison_takeovers:
            return await self._given_up()
        seconds = seconds_for(task)
        scope = asyncio.timeout(max(0.0, seconds))
        self._context = self._context._replace(prolong=partial(_prolong, scope, task.finish_by))
        try:
            async with scope:
                return await self._performed()
        except TimeoutError as error:
            if not scope.expired():
                return self._ended("error", Failure.INFRASTRUCTURE, f"NATS did not answer: {error}")
            return self._ended("fail", Failure.TIMED_OUT, f"not finished within {seconds:.0f} s")
        except SessionLost as error:
            if error.fenced:
                raise ClaimLost(f"another worker drives the session: {error.reason}") from error
            return self._ended("error", Failure.SESSION_LOST, error.reason)
        except asyncio.CancelledError:
            return await self._interrupted()
        except (Fenced, ClaimLost, OutcomeUnknown):
            raise
        except Exception as error:  # a fault of ours must not pass for a fault of the product, nor end the process
            log.exception("sub-task failed with an unexpected error in the worker", task=task.id)
            return self._ended("error", Failure.INFRASTRUCTURE, f"{type(error).__name__}: {first_line(str(error))}")

    async def _given_up(self) -> SubTaskResult:
        """End what one worker after another took and got nowhere with. Only what kills its workers is poison."""
        lost = await read_lost_holders(self._means.bus, self._task.id)
        living = sum(holder.lives for holder in lost)
        if not living:
            return await put_poison_aside(self._means.bus, self._claim, self._task, self._journal.spent, lost)
        slow = f"{len(lost)} workers in a row did not keep it, and {living} of them live: they are too slow or cut off"
        log.error(
            "sub-task given up: several workers were too slow to keep their claim",
            task=self._task.id,
            workers=len(lost),
            living=living,
        )
        return self._ended("error", Failure.INFRASTRUCTURE, f"given up: {slow}; give them more processor time")

    async def _performed(self) -> SubTaskResult | Question | Children:
        task = self._task
        FIND_KEY.set(partial(self._means.secrets.model_key, task.team))
        if refusal := find_other_queue(task, self._context.agent):
            return self._ended("fail", Failure.NOT_PERMITTED, refusal)
        try:
            secrets = Secrets(await self._means.secrets.choose(task.secrets))
            hide_in_logs(secrets.values().values())
        except SecretMissing as error:
            return self._ended("fail", Failure.SECRET_MISSING, str(error))
        try:
            return await (self._attached(secrets) if task.session else self._detached(secrets))
        except NeedsPerson as asks:  # out of the session by then, and not in order: no checkpoint is made half-way
            return Question(id=asks.question, text=asks.text)
        except NeedsChildren as asks:
            return asks.children

    async def _detached(self, secrets: Secrets) -> SubTaskResult:
        """Work without a session, where the tools are those that need none."""
        return await self._run(self._tool_context(NoSession(), secrets))

    async def _attached(self, secrets: Secrets) -> SubTaskResult:
        task, means = self._task, self._means
        holders, may = self._journal.progress.holders, self._may
        async with means.attachments.attach(task, holders, secrets, means.worker, may) as session:
            tools = self._tool_context(session, secrets)
            result = await self._run(tools)
            session.touched = tools.pointed
            kept = await self._kept_of_fail(tools) if result.status == "fail" else ()
            return replace(result, summary=secrets.mask(result.summary), artifacts=(*result.artifacts, *kept))

    def _tool_context(self, session: Session, secrets: Secrets) -> ToolContext:
        task, means = self._task, self._means
        tools = ToolContext(
            session=session,
            secrets=secrets,
            http=means.http,
            call="",
            domains=domains_within(task.domains, self._may.domains),
            permission=permission_of(task),
            permissions=self._may,
            store=lambda name, data, kind: self._put(artifact_name(task, name), data, kind),
            on_output=lambda stream, text: self._lines.tell("tool_result", f"  {stream}| {text}", level="debug"),
            transfer_limit=int(means.settings.transfer_max_mb * MB),
            action_timeout=means.settings.action_timeout_seconds * task.step.patience,
            looker=means.looker,
            search_url=means.settings.search_url,
            answers=task.answers,
        )
        talk = task.input if isinstance(task.input, ConverseInput) else None
        asks = talk is not None or (not task.parent and task.assigned.may_start is not None)
        tools.fleet = fleet_of(means.bus, task.run) if asks else None
        tools.leads = talk is not None and talk.leads
        tools.recorder = self._make_recorder(tools)
        self._add_agent(tools, talk.skill if talk is not None else "")
        return tools

    def _add_agent(self, tools: ToolContext, skill: str) -> None:
        """Let the agent delegate and load skills, as its file says; `skill` is loaded from the start."""
        agent, catalogue, task = self._context.agent, self._context.catalogue, self._task
        agents, skills = self._context.definitions or self._means.definitions.own
        if agent is not None and agent.spawns:
            tools.delegate = Delegation(task, agent, self._journal, Team(agents.by_id, catalogue, self._means.bus))
        if agent is not None and agent.skills:
            shelf = LoadedSkills(agent, skills.by_id, skills.problems, self._may, catalogue, goal=task.description)
            if skill:
                shelf.follow("load", skill)
            tools.skills, tools.permissions = shelf, shelf.permissions

    def _make_recorder(self, tools: ToolContext) -> ActRecorder | None:
        """Return who looks at the screen around the acts of a step, if the settings want it."""
        task, means = self._task, self._means
        mode = means.settings.record_steps
        if task.kind != "step" or mode == "off":
            return None
        tools.acts_shown = True
        name = artifact_name(task, f"act-{task.attempt}")
        return ActRecorder(tools, mode, name, lambda name, data: self._put(name, data, "image/png"))

    def _put(self, name: str, data: bytes, kind: str, element: Box | None = None) -> ArtifactRef:
        """Have a file stored; who follows the run is told of a picture once it is there."""
        told = self._lines.announce if kind.startswith("image/") else None
        return self._means.artifacts.put(name, data, kind, element, told)

    async def _run(self, tools: ToolContext) -> SubTaskResult:
        """Have the sub-task's kind of work done."""
        try:
            return await RUNNERS[self._task.kind](self._context._replace(tools=tools))
        except (NeedsPerson, NeedsChildren, SessionLost, Fenced, ClaimLost, OutcomeUnknown, TimeoutError):
            raise
        except Exception as error:  # what the driver says may quote what was typed
            raise WorkerFault(tools.secrets.mask(f"{type(error).__name__}: {error}")) from None

    async def _kept_of_fail(self, tools: ToolContext) -> tuple[ArtifactRef, ...]:
        """Keep picture and source of the page that failed; the source as plain text, which no browser runs."""
        task, put = self._task, self._put
        name = artifact_name(task, f"failure-{task.attempt}")
        pictures = await picture_if_any(tools, lambda image: put(f"{name}.png", image, "image/png", tools.pointed))
        sources = await source_if_any(tools, lambda text: put(f"{name}.html.txt", text, "text/plain; charset=utf-8"))
        for what, files in (("a picture", pictures), ("the source", sources)):
            for file in files:
                self._lines.tell("message", f"kept {what} of the page that failed", artifacts=(file.name,))
        return (*pictures, *sources, *(tools.recorder.keep() if tools.recorder else ()))

    async def _interrupted(self) -> SubTaskResult | None:
        """Somebody stopped this task: the run was cancelled, the process is to end, or the claim was lost (raises)."""
        current = asyncio.current_task()
        if self._interruption() == "run cancelled":
            if current is not None:
                current.uncancel()
            return self._ended("cancelled", Failure.CANCELLED, "the run was cancelled")
        self._claim.check()
        if self._interruption() == "worker stopping":
            await finish(self._give_back())
        return None

    async def _give_back(self) -> None:
        self._lines.tell("message", "the worker is told to stop; another one goes on")
        await self._journal.append(Released(reason="the worker was told to stop"))
        await self._claim.nak()

    def _ended(self, status: str, failure: Failure, summary: str) -> SubTaskResult:
        """Return a result for work that was broken off; the journal says what it had done and spent by then."""
        started = self._journal.progress.started.values()
        changed = [entry.index for entry in started if entry.effect in CHANGING]
        result = replace(
            blank(self._task),
            failure=failure,
            cause=failure.cause,
            summary=summary,
            acted=any(entry.effect == "act" for entry in started),
            last_act=max(changed, default=-1),
            usage=self._journal.spent,
        )
        return replace(result, status=status)
