"""Carries out what a run wants done: sessions, queue, verdict, log lines. Thin; nothing is decided here."""

import asyncio
import itertools
from collections import deque
from collections.abc import Callable, Coroutine, Iterable, Sequence
from functools import cache
from typing import Any, cast

import structlog
from msgspec import DecodeError
from msgspec.structs import replace
from nats.errors import Error as NatsError

from muster_bus import Bus, Log, LogLine, LogLines, newest
from muster_bus.run_store import read_entries
from muster_orchestrator import metrics
from muster_orchestrator.dead_letter_handling import bury_run
from muster_orchestrator.machine import Conclude, Enqueue, OpenTheSession
from muster_orchestrator.run_traces import build_spans
from muster_orchestrator.run_watch import read_outcome, retry_until_done
from muster_orchestrator.verdict_delivery import publish_verdict, queue_webhook
from muster_protocol import codec
from muster_protocol.causes import Cause
from muster_protocol.errors import BusError, ClaimLost, Refused
from muster_protocol.events import Asked, Event, RunClosed, SessionFailed, SessionOpened
from muster_protocol.journal import Finished, JournalBatch, Revoked
from muster_protocol.session_requests import CloseSession, OpenSession
from muster_protocol.session_responses import Closed, Opened, SessionError, SessionReply
from muster_protocol.sessions import SessionRef
from muster_protocol.subjects import Names
from muster_protocol.tool_calls import ArtifactRef
from muster_service import tracing

log = structlog.get_logger("muster.orchestrator")

_dispatched, _concluded = cache(metrics.DISPATCHED.labels), cache(metrics.RUNS.labels)
SOURCE = "orchestrator"
REVOKE_TRIES = 5
OPEN_TRY_SECONDS = 6.0
"""How long one request to open a session waits: it may have gone to a host that is stuck; asking again is safe."""
CLOSE_TRIES, CLOSE_TRY_SECONDS = 6, 5.0
CLOSE_PAUSE_SECONDS = 0.5
CLOSE_SECONDS = CLOSE_TRIES * CLOSE_TRY_SECONDS
"""How long a run waits for a session host to store what the session leaves behind."""


class Effects:
    """The effects of one run; each runs in a task of its own and reports what came of it as events."""

    def __init__(
        self,
        bus: Bus,
        run: str,
        report: Callable[[Event], None],
        *,
        check: Callable[[], None],
        session_wait: float,
        place: str,
    ) -> None:
        self._bus, self._run, self._report, self._place = bus, run, report, place
        self._check, self._session_wait = check, session_wait
        """`check` raises ClaimLost where nothing more may be sent."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._opening: set[asyncio.Task[None]] = set()
        self._opened_late: dict[str, SessionRef] = {}
        self._concluding = False
        self.lines = LogLines(bus, run, SOURCE, check)
        """Where to publish lines of the run's log."""

    def begin(self, effect: OpenTheSession | Enqueue | Conclude, *, resumed: bool) -> None:
        """Start an effect; `resumed` says that an earlier owner may have done it already."""
        match effect:
            case OpenTheSession(request=request):
                self._opening.add(self._spawn(self._open(request)))
            case Enqueue():
                self._spawn(self._enqueue(effect, look_first=resumed))
            case Conclude():
                self._spawn(self._conclude(effect))

    async def stop(self) -> None:
        """End what is still going on."""
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)
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
        if error is not None and not isinstance(error, ClaimLost):  # the run's owner sees that for itself
            log.error("effect failed", run=self._run, exc_info=error)

    async def _enqueue(self, effect: Enqueue, *, look_first: bool) -> None:
        """Hand the sub-task to the queue, unless an earlier owner did and a worker has it or has finished it."""
        task = effect.sub_task
        if look_first:
            ended = await retry_until_done(lambda: read_outcome(self._bus, task.id))
            answered = isinstance(ended, Asked) and ended.question in task.answers
            if ended is not None and not answered:
                self._report(ended)
                return
            if ended is None and await retry_until_done(
                lambda: newest(self._bus, "JOURNAL", self._bus.names.journal(task.id))
            ):
                return  # somebody has taken it; its queue message lives until it is finished
        await retry_until_done(lambda: self._queue(effect))
        _dispatched(task.kind).inc()

    async def _queue(self, effect: Enqueue) -> None:
        self._check()
        task = effect.sub_task
        subject = self._bus.names.tasks(task.pool, task.priority)
        with tracing.use_span(tracing.task_traceparent(self._place, task.id)):
            await self._bus.store(subject, codec.encode(task), {"Nats-Msg-Id": effect.id})

    async def _open(self, request: OpenSession) -> None:
        refused = deque[SessionError](maxlen=1)
        try:
            async with asyncio.timeout(self._session_wait):
                opened = await self._request_session(request, refused)
        except TimeoutError:
            lacking = refused[0].text if refused and refused[0].reason == "no_device" else "no session host had room"
            reason = f"{lacking} within {self._session_wait:g} s"
            self._report(SessionFailed(name=request.name, reason=reason))
            return
        if isinstance(opened, Opened):
            self._opened_late[request.name] = opened.session
            self._report(
                SessionOpened(
                    session=opened.session,
                    fresh=opened.fresh,
                    restored=opened.restored,
                    after=opened.after,
                    missing=opened.missing,
                )
            )
        else:
            self._report(SessionFailed(name=request.name, reason=opened.text))

    async def _request_session(self, request: OpenSession, refused: deque[SessionError]) -> Opened | SessionError:
        """Ask until a host opens the session or says that it never will; `refused` gets each refusal."""
        for pause in itertools.chain((0.1, 0.2, 0.5), itertools.repeat(1.0)):
            try:
                reply = await self._ask(self._bus.names.sessions_open, request, timeout=OPEN_TRY_SECONDS)
            except (Refused, TimeoutError, NatsError) as error:
                reply = SessionError(reason="full", text=str(error) or "no answer")
            match reply:
                case Opened() | SessionError(reason="invalid" | "fault"):
                    return reply
                case SessionError() if self._concluding:
                    return reply
                case SessionError(text=text) if not refused:
                    said = f"[Orchestrator] Waiting for a session host: {text}"
                    self.lines.publish(LogLine(kind="message", text=said, level="warning"))
                case _:
                    pass
            if isinstance(reply, SessionError):
                refused.append(reply)
            await asyncio.sleep(pause)
        raise AssertionError("unreachable")

    async def _conclude(self, conclude: Conclude) -> None:
        """Tell the verdict, close the sessions, and report that the run can be closed."""
        verdict = conclude.verdict
        _concluded(verdict.status, str(verdict.cause or "")).inc()
        metrics.RUN_SECONDS.observe(verdict.duration)
        self._check()
        await publish_verdict(self._bus, verdict, conclude.reply_to)
        queueing = self._spawn(self._queue_webhook())
        self._concluding = True
        await self._revoke(conclude.open_tasks)
        if self._opening:  # a session that opens after the verdict must be closed all the same
            await asyncio.wait(self._opening, timeout=CLOSE_SECONDS)
        places = sessions_to_close(conclude, self._opened_late.values(), self._bus.names)
        request = CloseSession(run=self._run, quick=verdict.cause == Cause.CANCELLED, passed=verdict.status == "pass")
        closed = await asyncio.gather(*(self._close(subject, replace(request, name=name)) for subject, name in places))
        if conclude.given_up:
            await retry_until_done(lambda: bury_run(self._bus, self._run, conclude.given_up))
        await self._record_spans()
        await asyncio.wait({queueing})
        left = dict.fromkeys(artifact for artifacts in closed for artifact in artifacts)
        self._report(RunClosed(artifacts=tuple(left)))

    async def _queue_webhook(self) -> None:
        self._check()
        if reason := await queue_webhook(self._bus, self._run):
            said = f"[Orchestrator] The verdict is not told to webhooks: {reason}"
            self.lines.publish(LogLine(kind="error", text=said, level="error"))

    async def _record_spans(self) -> None:
        """Export the run as a trace; it is not worth holding the run up for."""
        if not tracing.enabled():
            return
        try:
            for over in build_spans(await read_entries(self._bus, self._run)):
                tracing.record(over)
        except (BusError, TimeoutError, NatsError, DecodeError, ValueError, OverflowError) as error:
            log.warning("trace of a run not exported", run=self._run, error=repr(error))

    async def _revoke(self, tasks: Sequence[str]) -> None:
        """Take back what the run no longer wants: queued, it is not begun; under way, its holder is shut out."""
        for task in tasks:
            try:
                await revoke_task(self._bus, task, "the run has its verdict")
            except (BusError, TimeoutError, NatsError, DecodeError) as error:  # a newer worker may hold it
                log.warning("sub-task not revoked", task=task, error=repr(error))

    async def _close(self, subject: str, request: CloseSession) -> tuple[ArtifactRef, ...]:
        """Ask in short tries: a host that is closing joins them, and one that has died meanwhile answers none."""
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
            reason = reply.text if isinstance(reply, SessionError) else repr(reply)
            await asyncio.sleep(CLOSE_PAUSE_SECONDS)
        if subject != self._bus.names.sessions_open:  # there may be none where it is unsure
            log.warning("session not closed; its host closes it once it is idle", run=self._run, error=reason)
        return ()

    async def _ask(self, subject: str, request: OpenSession | CloseSession, timeout: float) -> SessionReply:
        self._check()
        return cast("SessionReply", await self._bus.request(subject, request, cast("Any", SessionReply), timeout))


def sessions_to_close(conclude: Conclude, late: Iterable[SessionRef], names: Names) -> set[tuple[str, str]]:
    """Return the sessions to close as (subject, name): at their hosts; where the host is unsure, at any. Pure."""
    known = {(ref.name, ref.host) for ref in conclude.sessions}
    came = {(ref.name, ref.host) for ref in late} - known
    unsure = set(conclude.unsure) - {name for name, _ in came}
    return {(names.session_host(host), name) for name, host in known | came} | {
        (names.sessions_open, name) for name in unsure
    }


async def revoke_task(bus: Bus, task: str, reason: str) -> None:
    """End a sub-task's journal from outside, unless it has ended; entries of its holder may come in between.

    Raises:
        Fenced: its holder kept writing.
        OutcomeUnknown: the bus does not answer.
    """
    journal = Log(bus, "JOURNAL", bus.names.journal(task))

    async def end() -> None:
        last = await newest(bus, "JOURNAL", journal.subject)
        entries = codec.decode(last.data, JournalBatch).entries if last else ()
        if not any(isinstance(entry, Finished | Revoked) for entry in entries):
            journal.last = last.seq if last else 0
            await journal.append(JournalBatch(entries=(Revoked(reason=reason),)))

    await journal.insist(end, REVOKE_TRIES)
