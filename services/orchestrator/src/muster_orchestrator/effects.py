"""Carries out a run's effects: opens sessions, queues sub-tasks, delivers the verdict. Decides nothing."""

import asyncio
import itertools
from collections.abc import Callable, Coroutine, Iterable, Sequence
from functools import cache, partial
from typing import Any, cast

import msgspec
import structlog
from msgspec import DecodeError
from msgspec.structs import replace
from nats.errors import Error as NatsError

from muster_bus import Bus, LogLine, LogLines, newest
from muster_bus.artifact_store import put_artifact
from muster_bus.run_store import read_entries
from muster_bus.store_answers import BUS_ERRORS, describe_error
from muster_orchestrator import metrics
from muster_orchestrator.dead_letter_handling import bury_run
from muster_orchestrator.graph_keeper import keep_graph
from muster_orchestrator.machine import AcquireSession, Conclude, Enqueue, Withdraw, describe_host
from muster_orchestrator.note_keeper import keep_note
from muster_orchestrator.run_analyst import RunAnalyst
from muster_orchestrator.run_traces import build_spans
from muster_orchestrator.run_watch import Outcome, read_outcome, retry_until_done
from muster_orchestrator.session_line import SessionWait, leave_line
from muster_orchestrator.task_withdrawal import revoke_task, withdraw_task
from muster_orchestrator.verdict_delivery import publish_verdict, queue_webhook, tell_triggers
from muster_protocol import codec
from muster_protocol.causes import Cause
from muster_protocol.errors import ClaimLost, Refused
from muster_protocol.events import Asked, ChildrenAsked, Event, RunClosed, SessionFailed, SessionOpened, SessionQueued
from muster_protocol.notes import Note
from muster_protocol.requests import RunRequest
from muster_protocol.session_requests import CloseSession, Opening, OpenSession
from muster_protocol.session_responses import Closed, Elsewhere, Opened, SessionError, SessionReply
from muster_protocol.sessions import SessionRef
from muster_protocol.subjects import Names
from muster_protocol.tasks import SubTask
from muster_protocol.tool_calls import ArtifactRef
from muster_protocol.verdicts import Verdict
from muster_service import tracing
from muster_service.task_cleanup import stop

log = structlog.get_logger("muster.orchestrator")

_dispatched, _concluded = cache(metrics.DISPATCHED.labels), cache(metrics.RUNS.labels)
SOURCE = "orchestrator"
OPEN_TRY_SECONDS = 6.0
"""Timeout of one request to open a session: the host that got it may be stuck, and asking again is safe."""
FIND_LOOKS, FIND_PAUSE_SECONDS = 30, 0.1
"""How often, and how far apart, a run that needs several sessions looks for a host with room for all."""
PATIENCE_SECONDS = 3.0
"""How long a run waits for a session before its place in line is reported, after which it may be parked."""
CLOSE_TRIES, CLOSE_TRY_SECONDS = 6, 5.0
CLOSE_PAUSE_SECONDS = 0.5
CLOSE_SECONDS = CLOSE_TRIES * CLOSE_TRY_SECONDS
"""Longest wait for a session host to close a session and store its artifacts."""


class Effects:
    """The effects of one run; each runs in its own task and reports its outcome as events."""

    def __init__(
        self,
        bus: Bus,
        request: RunRequest,
        report: Callable[[Event], None],
        *,
        check: Callable[[], None],
        is_served: Callable[[str], bool],
        traceparent: str,
        analyst: RunAnalyst,
    ) -> None:
        self._bus, self._run, self._report, self._traceparent = bus, request.id, report, traceparent
        self._request, self._analyst = request, analyst
        self._check, self._is_served = check, is_served
        """`check` raises ClaimLost once nothing more may be sent; `is_served` knows which services are live."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._opening: set[asyncio.Task[None]] = set()
        self._opened: dict[str, SessionRef] = {}
        self._concluding = False
        self.lines = LogLines(bus, request.id, SOURCE, check)
        """Publishes lines of the run's log."""

    def begin(self, effect: AcquireSession | Enqueue | Withdraw | Conclude, *, resumed: bool) -> None:
        """Start an effect; `resumed` says that an earlier owner may have done it already."""
        match effect:
            case AcquireSession():
                self._opening.add(self._spawn(self._open(effect)))
            case Enqueue():
                self._spawn(self._enqueue(effect, look_first=resumed))
            case Withdraw(sub_task=task):
                self._spawn(withdraw_task(self._bus, task, self._report))
            case Conclude():
                self._spawn(self._conclude(effect))

    async def stop(self) -> None:
        """Cancel the effects in progress."""
        await stop(self._tasks)
        await self.lines.stop()

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._on_done)
        return task

    def _on_done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        self._opening.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None and not isinstance(error, ClaimLost):  # the driver notices a lost claim itself
            log.error("an effect of a run failed with an unexpected error", run=self._run, exc_info=error)

    async def _enqueue(self, effect: Enqueue, *, look_first: bool) -> None:
        """Hand the sub-task to the queue, unless an earlier owner did and a worker has it or has finished it."""
        task = effect.sub_task
        if look_first:
            ended = await retry_until_done(lambda: read_outcome(self._bus, task.id))
            if ended is not None and not _is_answered(ended, task):
                self._report(ended)
                return
            if ended is None and await retry_until_done(
                lambda: newest(self._bus, "JOURNAL", self._bus.names.journal(task.id))
            ):
                return  # a worker has taken it; its queue message stays until it is finished
        await retry_until_done(lambda: self._queue(effect))
        _dispatched(task.kind).inc()

    async def _queue(self, effect: Enqueue) -> None:
        self._check()
        task = effect.sub_task
        subject = self._bus.names.tasks(task.pool, task.priority)
        with tracing.use_span(tracing.task_traceparent(self._traceparent, task.id)):
            await self._bus.store(subject, codec.encode(task), {"Nats-Msg-Id": effect.id})

    async def _open(self, effect: AcquireSession) -> None:
        reply = await self._request_session(effect)
        if not isinstance(reply, Opened):
            self._report(SessionFailed(name=effect.request.name, reason=reply.text))
            return
        self._opened[effect.request.name] = reply.session
        self._report(
            SessionOpened(
                session=reply.session,
                fresh=reply.fresh,
                restored=reply.restored,
                after=reply.after,
                missing=reply.missing,
            )
        )

    async def _request_session(self, effect: AcquireSession) -> Opened | SessionError:
        """Request a session until it is open or cannot be opened; while no host has room, wait in line."""
        queued = len(effect.missing) > 1  # several are opened together: two runs that hold one each could deadlock
        waiting: SessionWait | None = None
        for pause in itertools.chain((0.05, 0.1, 0.2, 0.5), itertools.repeat(1.0)):
            reply = await self._ask_to_open(replace(effect.request, in_line=queued))
            if isinstance(reply, Opened) or reply.reason in {"invalid", "fault"} or self._concluding:
                return reply
            if waiting is None:
                waiting = await self._begin_wait(effect, reply.text)
            queued = await waiting.stay()
            if not waiting.reported and waiting.seconds > PATIENCE_SECONDS and self._is_served(effect.needs):
                await self._report_place(effect.request.name, waiting)
            await asyncio.sleep(pause)
        raise AssertionError("unreachable")

    async def _begin_wait(self, effect: AcquireSession, why: str) -> SessionWait:
        """Start to wait: for all missing sessions together if a live host has room for them, else for this one."""
        together = len(effect.missing) > 1 and await self._finds_host(effect.request, len(effect.missing))
        if effect.request in effect.missing[:1]:  # one line for all of them
            text = f"[Orchestrator] Waiting for a session host: {why}"
            self.lines.publish(LogLine(kind="message", text=text, level="warning"))
        sessions = effect.missing if together else (effect.request,)
        return SessionWait(self._bus, Opening(run=self._run, sessions=sessions), effect.priority)

    async def _finds_host(self, request: OpenSession, sessions: int) -> bool:
        """Return whether a live host has room for so many sessions; hosts become known within a few seconds."""
        for _ in range(FIND_LOOKS):
            if self._is_served(describe_host(request.kind, sessions, request.workspace, request.phone)):
                return True
            await asyncio.sleep(FIND_PAUSE_SECONDS)
        return False

    async def _report_place(self, name: str, waiting: SessionWait) -> None:
        """Report where in line the run is; from then on it may be parked."""
        if place := await waiting.find_place():
            waiting.reported = True
            self._report(SessionQueued(name=name, place=place))

    async def _ask_to_open(self, request: OpenSession) -> Opened | SessionError:
        try:
            reply = await self._ask(self._bus.names.sessions_open, request, timeout=OPEN_TRY_SECONDS)
        except (Refused, TimeoutError, NatsError) as error:
            return SessionError(reason="full", text=str(error) or "no answer")
        return reply if isinstance(reply, Opened | SessionError) else SessionError(reason="full", text=repr(reply))

    async def _conclude(self, conclude: Conclude) -> None:
        """Publish the verdict, close the sessions, and report that the run can be closed."""
        verdict = conclude.verdict
        _concluded(verdict.status, str(verdict.cause or "")).inc()
        metrics.RUN_SECONDS.observe(verdict.duration)
        for file in conclude.files:
            await retry_until_done(partial(put_artifact, self._bus, *msgspec.structs.astuple(file)))
        if conclude.graph:
            await keep_graph(self._bus, conclude.graph)
        self._check()
        await publish_verdict(self._bus, verdict, conclude.reply_to)
        queueing = self._spawn(self._queue_webhook(verdict))
        analysing = self._spawn(self._analyst.analyse(self._request, verdict))
        if conclude.note:
            await self._keep_note(conclude.note)
        self._concluding = True
        await self._revoke(conclude.open_tasks)
        if conclude.unlocated:
            await retry_until_done(lambda: leave_line(self._bus, self._run))
        if self._opening:  # a session that opens after the verdict must be closed all the same
            await asyncio.wait(self._opening, timeout=CLOSE_SECONDS)
        places = sessions_to_close(conclude, self._opened.values(), self._bus.names)
        request = CloseSession(run=self._run, quick=verdict.cause == Cause.CANCELLED, passed=verdict.achieved)
        closed = await asyncio.gather(*(self._close(subject, replace(request, name=name)) for subject, name in places))
        if conclude.given_up:
            await retry_until_done(lambda: bury_run(self._bus, self._run, conclude.given_up))
        await self._record_spans()
        await asyncio.wait({queueing, analysing})
        await self._look_again(verdict)
        left = dict.fromkeys(artifact for artifacts in closed for artifact in artifacts)
        self._report(RunClosed(artifacts=tuple(left)))

    async def _queue_webhook(self, verdict: Verdict) -> None:
        """Queue the verdict for webhooks and triggers."""
        self._check()
        if reason := await queue_webhook(self._bus, self._run):
            text = f"[Orchestrator] The verdict could not be queued for webhooks: {reason}"
            self.lines.publish(LogLine(kind="error", text=text, level="error"))
        await tell_triggers(self._bus, verdict)

    async def _look_again(self, verdict: Verdict) -> None:
        """Have an analyzer look at what the run and its sessions have left, where that is wanted."""
        self._check()
        if run := await self._analyst.look_again(self._request, verdict):
            text = f"[Orchestrator] {run} looks at this run again; what it finds becomes a note"
            self.lines.publish(LogLine(kind="message", text=text))

    async def _keep_note(self, note: Note) -> None:
        self._check()
        reason = await keep_note(self._bus, note)
        text = f"no note was kept beside {note.run}: {reason}" if reason else f"kept as a note beside {note.run}"
        self.lines.publish(LogLine(kind="message", text=f"[Orchestrator] {text}", level="error" if reason else "info"))

    async def _record_spans(self) -> None:
        """Export the run as a trace; a failure is logged and ignored."""
        if not tracing.enabled():
            return
        try:
            for over in build_spans(await read_entries(self._bus, self._run)):
                tracing.record(over)
        except (DecodeError, ValueError, OverflowError, *BUS_ERRORS) as error:
            log.warning("trace of a run not exported", run=self._run, error=describe_error(error))

    async def _revoke(self, tasks: Sequence[str]) -> None:
        """Revoke open sub-tasks: no worker starts a queued one, and the holder of a running one is fenced."""
        for task in tasks:
            try:
                await revoke_task(self._bus, task, "the run has its verdict")
            except (DecodeError, *BUS_ERRORS) as error:  # a newer worker may hold it
                log.warning(
                    "sub-task of a finished run not revoked; a worker may still carry it out",
                    task=task,
                    error=describe_error(error),
                )

    async def _close(self, subject: str, request: CloseSession) -> tuple[ArtifactRef, ...]:
        """Close a session and return its artifacts; in short tries, as a host that has died never answers.

        A host that is closing the session answers every try.
        """
        reason = "no answer"
        for _ in range(CLOSE_TRIES):
            try:
                reply = await self._ask(subject, request, timeout=CLOSE_TRY_SECONDS)
            except TimeoutError:
                continue
            except (Refused, NatsError, DecodeError) as error:
                reason = str(error)
                break
            if isinstance(reply, Closed):
                return reply.artifacts
            if isinstance(reply, Elsewhere):
                subject = self._bus.names.session_host(reply.host)
                continue
            reason = reply.text if isinstance(reply, SessionError) else repr(reply)
            await asyncio.sleep(CLOSE_PAUSE_SECONDS)
        if subject != self._bus.names.sessions_open:  # an unlocated session may not exist
            log.warning("session not closed; its host closes it once it is idle", run=self._run, error=reason)
        return ()

    async def _ask(self, subject: str, request: OpenSession | CloseSession, timeout: float) -> SessionReply:
        self._check()
        return cast("SessionReply", await self._bus.request(subject, request, cast("Any", SessionReply), timeout))


def _is_answered(ended: Outcome, task: SubTask) -> bool:
    """Return whether a sub-task that is to go on knows already what it waited for. Pure."""
    match ended:
        case Asked(question=question):
            return question in task.answers
        case ChildrenAsked(call=call):
            return call in task.children
        case _:
            return False


def sessions_to_close(conclude: Conclude, opened: Iterable[SessionRef], names: Names) -> set[tuple[str, str]]:
    """Return the sessions to close as (subject, name): at their hosts, or at any host if theirs is unknown. Pure.

    `opened` are the sessions that this owner has opened; the log may not have them yet.
    """
    in_log = {(ref.name, ref.host) for ref in conclude.sessions}
    new = {(ref.name, ref.host) for ref in opened} - in_log
    unlocated = set(conclude.unlocated) - {name for name, _ in new}
    return {(names.session_host(host), name) for name, host in in_log | new} | {
        (names.sessions_open, name) for name in unlocated
    }
