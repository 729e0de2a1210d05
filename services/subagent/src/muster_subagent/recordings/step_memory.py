"""Carries out a step by its recording where there is one, and lets the model take over from the call that misses."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence

import structlog
from msgspec.structs import replace

from muster_bus import Rows
from muster_bus.store_answers import BUS_ERRORS, describe_error
from muster_devices.errors import DeviceError
from muster_devices.observations import ReadPlace, Wait
from muster_evidence.proof import find_undone
from muster_protocol.causes import Failure
from muster_protocol.journal import RecordingFound, StepRecorded
from muster_protocol.step_recordings import (
    FORMAT,
    RecordingRow,
    Replay,
    StepRecording,
    digest_of,
    key_of_step,
)
from muster_protocol.tasks import Budget, SubTask, SubTaskResult
from muster_protocol.tool_calls import CHANGING, ArtifactRef, ToolCall
from muster_subagent import metrics
from muster_subagent.agent.clause_prover import Clause, Gap, prove, worst_of
from muster_subagent.agent.toolset import wants_page
from muster_subagent.failure_pictures import picture_if_any
from muster_subagent.recordings.call_recorder import (
    identity_of,
    is_recordable,
    recorded_calls,
    recording_of,
    words_of,
)
from muster_subagent.recordings.step_replay import Replayed, note_of, replay
from muster_subagent.recordings.value_placeholders import Ineligible
from muster_subagent.results import Made, facts_of, failed, first_line, shortened
from muster_subagent.script_runner import blamed_on_takeover
from muster_subagent.session_client import SessionRefused
from muster_subagent.task_context import Recordings
from muster_subagent.task_journal import Journal
from muster_subagent.task_log import Lines
from muster_subagent.tool_executor import ToolExecutor

log = structlog.get_logger("muster.subagent")

ByModel = Callable[[str, Budget | None], Awaitable[SubTaskResult]]
"""Has a model carry out what is left, given a note and, for healing, a budget of its own."""


class StepMemory:
    """What is remembered of one step: looked up before a model is asked, and recorded after one has passed it."""

    def __init__(self, task: SubTask, journal: Journal, lines: Lines, recordings: Recordings | None) -> None:
        self._task, self._journal, self._lines = task, journal, lines
        self._store = recordings
        self._identity: StepRecording | None = None

    async def carry_out(
        self, executor: ToolExecutor, clauses: Sequence[Clause], by_model: ByModel | None, note: str = ""
    ) -> SubTaskResult | None:
        """Return what came of a step that is no phrase; None if there is neither a recording nor a model.

        Raises:
            SessionLost, Fenced, ClaimLost: the sub-task is not this worker's any more.
        """
        started, begun = time.monotonic(), len(executor.made)
        found = await self._recall(executor)
        if found is None:
            return await self._recorded(executor, await by_model(note, None)) if by_model else None
        self._lines.tell("decision", f"replays its recording ({len(found.calls)} calls); no model is asked")
        came = await replay(executor, found, fresh=not self._journal.progress.replies)
        told = self._told(found, came)
        if came.miss is None:
            return await self._concluded(executor, clauses, came, told, started)
        self._count(came.miss.reason)
        missed = f"the recording misses at call {came.made + 1} ({came.miss.reason}): {came.miss.why}"
        told = replace(told, pictures=await self._pictures(executor))
        if came.other:
            return await self._done_otherwise(executor, clauses, told, missed, started)
        if by_model is None or self._task.step.heal == "off":
            why = "healing is off" if by_model else "no model is set"
            return self._failed(executor, told, f"{missed}; {why}", started)
        self._lines.tell("decision", f"{missed}; the model takes over", level="warning")
        left = note_of(found, came, executor.made[begun:])
        result = await self._healed(by_model, f"{note}\n\n{left}" if note else left, executor, started)
        repeated = sum(call.effect in CHANGING for call in found.calls[: came.made]) - came.skipped
        return await self._audited(executor, found, told, repeated, result)

    # ---- looking up, and keeping

    async def _recall(self, executor: ToolExecutor) -> StepRecording | None:
        """Return the recording to replay; a new holder goes by what the first one has found."""
        known = self._journal.progress.recalled
        if known is not None:
            self._identity = known.recording
            return known.recording
        rows = self._store.rows if self._store else None
        if rows is None:
            return None
        mending = self._task.step.mended is not None or bool(self._task.about)
        if mending or executor.announced() is not None or self._journal.progress.replies:
            return None
        identity = identity_of(self._task, await _address(executor))
        self._identity = identity if is_recordable(self._task) else None
        key = key_of_step(identity)
        row = await _row(rows, key)
        found = row.step if row is not None else None
        usable = found if found is not None and found.format == FORMAT and key_of_step(found) == key else None
        self._journal.note(RecordingFound(key=key, recording=usable))
        if usable is None:
            self._count("absent")
        return usable

    async def _recorded(self, executor: ToolExecutor, result: SubTaskResult) -> SubTaskResult:
        """Write down what a model did in an attempt that passed, for the run's owner to keep if it accepts that."""
        if result.status != "pass" or self._identity is None:
            return result
        try:
            recording = recording_of(self._task, self._identity, executor.made, result.usage.tokens)
        except Ineligible as error:
            self._lines.tell("message", f"not recorded: {error}", level="debug")
            return result
        self._journal.note(StepRecorded(recording=recording))
        return result

    # ---- ends

    async def _concluded(
        self, executor: ToolExecutor, clauses: Sequence[Clause], came: Replayed, told: Replay, started: float
    ) -> SubTaskResult:
        """Return the result of a replay without a miss: judged by its evidence, as any other."""
        self._count("hit")
        if came.refuted is not None:
            return self._refuted(executor, came.refuted, told, started)
        gaps = await prove(executor, clauses)
        facts = self._facts(executor, told, started)
        if gaps:
            return _unproven(facts, gaps)
        if why := self._idle(executor, clauses):
            return failed(facts, Failure.NO_EVIDENCE, why)
        metrics.RECORDING_TOKENS_SAVED.inc(told.saved)
        proven = first_line("; ".join(clause.text for clause in clauses)) or "repeated what was recorded"
        unverified = not self._task.step.expected_result.strip()
        return replace(facts, status="pass", summary=proven, unverified=unverified)

    async def _done_otherwise(
        self, executor: ToolExecutor, clauses: Sequence[Clause], told: Replay, missed: str, started: float
    ) -> SubTaskResult:
        """Return the result of a step whose act did something else: no pass, whatever the screen shows now.

        What is expected may hold by accident: it is looked at for the cause alone, by phrases, and only if nothing was
        left to do.
        """
        finished = not any(call.effect in CHANGING for call in told.left)
        gaps = await prove(executor, [clause for clause in clauses if clause.checks]) if finished else ()
        if gaps and worst_of(gaps).failure == Failure.EXPECTATION_FALSE:
            return _unproven(self._facts(executor, told, started), gaps)
        return self._failed(executor, told, missed, started)

    def _idle(self, executor: ToolExecutor, clauses: Sequence[Clause]) -> str:
        """Return why nothing can have been achieved, or ""."""
        facts = facts_of(self._task, executor.made, 0.0)
        if self._task.step.covers and not facts.step.captured:
            undone = find_undone(self._task.description, facts.step.acts, executor.values)
            if undone:
                return undone
        changes = [made for made in executor.made if made.changes]
        if not clauses and changes and not changes[-1].outcome.confirmed:
            return f"{changes[-1].call.tool} did not show its effect"
        return ""

    def _refuted(self, executor: ToolExecutor, made: Made, told: Replay, started: float) -> SubTaskResult:
        outcome = made.outcome
        failure = outcome.failure or Failure.EXPECTATION_FALSE
        text = f"expected {outcome.expected}; seen: {outcome.seen or 'nothing'}" if outcome.expected else outcome.text
        if outcome.status == "error":
            text = f"{text} (recorded checks are never healed; if the product was changed on purpose: {_drop(told)})"
            failure = Failure.RECORDING_MISSED
        result = failed(self._facts(executor, told, started), failure, shortened(text))
        expected = outcome.expected or made.clause
        return replace(result, expected=shortened(expected), seen=shortened(outcome.seen), where=outcome.where)

    def _failed(self, executor: ToolExecutor, told: Replay, why: str, started: float) -> SubTaskResult:
        return failed(
            self._facts(executor, told, started), Failure.RECORDING_MISSED, shortened(f"{why}. {_advice(told)}")
        )

    def _facts(self, executor: ToolExecutor, told: Replay, started: float) -> SubTaskResult:
        facts = facts_of(self._task, executor.made, time.monotonic() - started)
        return blamed_on_takeover(_with_replay(replace(facts, source="recording"), told), executor.made)

    # ---- healing

    async def _healed(self, by_model: ByModel, note: str, executor: ToolExecutor, started: float) -> SubTaskResult:
        given, limits = self._task.budget, self._store
        assert limits is not None, "it was found there"
        tokens = self._journal.spent.tokens + limits.tokens
        budget = replace(
            given,
            iterations=min(given.iterations, limits.turns),
            tokens=min(given.tokens, tokens) if given.tokens else tokens,
        )
        try:
            async with asyncio.timeout(limits.seconds):
                return await by_model(note, budget)
        except TimeoutError:
            facts = facts_of(self._task, executor.made, time.monotonic() - started)
            usage = facts.usage.plus(replace(self._journal.spent, calls=0, seconds=0.0))
            why = f"the recording was not healed within {limits.seconds:g} s (HEAL_SECONDS)"
            return failed(replace(facts, source="model", usage=usage), Failure.LIMIT, why)

    async def _audited(
        self, executor: ToolExecutor, found: StepRecording, told: Replay, repeated: int, result: SubTaskResult
    ) -> SubTaskResult:
        """Add to a result what the run's owner needs to see whether the model did what was recorded: the recorded
        checks, made anew, and the model's calls as they would be recorded. The first `repeated` acts are the replay's.
        """
        if result.status != "pass":
            return _with_replay(result, told)
        for check in (call for call in told.left if call.clause):
            await executor.make(
                ToolCall(tool=check.tool, arguments=check.arguments, clause=check.clause), by_model=True
            )
        try:
            own = recorded_calls(self._task, found, executor.made)
        except Ineligible:
            own = ()
        acts = [call for call in own if call.effect in CHANGING]
        others = [call for call in own if call.effect not in CHANGING]
        facts = facts_of(self._task, executor.made, result.usage.seconds)
        step = replace(result.step, evidence=facts.step.evidence)
        told = replace(told, done=(*acts[repeated:], *others))
        return await self._recorded(executor, _with_replay(replace(result, output=step), told))

    async def _pictures(self, executor: ToolExecutor) -> tuple[ArtifactRef, ...]:
        name = f"heal-{self._task.attempt}.png"
        return await picture_if_any(executor.context, lambda image: executor.context.store(name, image, "image/png"))

    def _told(self, found: StepRecording, came: Replayed) -> Replay:
        told = Replay(
            key=key_of_step(found), digest=digest_of(found), made=came.made, total=len(found.calls), saved=found.tokens
        )
        if came.miss is None:
            return told
        left = found.calls[came.made :]
        return replace(told, miss=came.miss.reason, why=shortened(came.miss.why), left=left, saved=0)

    def _count(self, outcome: str) -> None:
        metrics.RECORDINGS.labels(outcome).inc()


def _with_replay(result: SubTaskResult, told: Replay) -> SubTaskResult:
    """Return a result that tells of its recording."""
    return replace(result, output=replace(result.step, replay=told))


def _unproven(facts: SubTaskResult, gaps: Sequence[Gap]) -> SubTaskResult:
    """Return the fail of a clause that is not proven."""
    worst = worst_of(gaps)
    outcome = worst.made.outcome if worst.made else None
    seen, where = (outcome.seen, outcome.where) if outcome else ("", "")
    result = failed(facts, worst.failure, shortened(worst.text))
    return replace(result, expected=worst.clause, seen=shortened(seen), where=where)


def _advice(told: Replay) -> str:
    return f"If the product was changed on purpose: {_drop(told)}"


def _drop(told: Replay) -> str:
    return f"`muster recordings drop {told.key}`"


async def _address(executor: ToolExecutor) -> str:
    """Return where the step begins; empty where there is no device, or it cannot be asked now."""
    if not wants_page(words_of(executor.task)):
        return ""
    try:
        device = await executor.context.session.device()
        return (await device.look(ReadPlace(), Wait())).place.address
    except (SessionRefused, DeviceError):
        return ""


async def _row(rows: Rows[RecordingRow], key: str) -> RecordingRow | None:
    """Return a row; a store that does not answer costs a model call and nothing else."""
    try:
        return await rows.get(key)
    except BUS_ERRORS as error:
        log.warning("recordings cannot be read; asking a model", error=describe_error(error))
        return None
