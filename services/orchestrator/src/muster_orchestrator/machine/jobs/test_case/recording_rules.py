"""Decides which recordings of steps and plans are kept or dropped, once the run has accepted them. Pure.

Only calls that the run has judged are kept: a worker cannot slip in others, and the key is the run's own words.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, cast

from msgspec.structs import replace

from muster_evidence.proof import is_observation
from muster_orchestrator.machine.core.graph import Node
from muster_orchestrator.machine.core.state import Run
from muster_orchestrator.machine.jobs.test_case.knowledge import case_of, state_of, values_for
from muster_orchestrator.machine.jobs.test_case.planning import PLANNING
from muster_protocol.causes import Failure
from muster_protocol.events import Event, PlanMade, SubTaskEnded
from muster_protocol.facts import Act, Evidence
from muster_protocol.plans import Plan
from muster_protocol.requests import TestCase
from muster_protocol.step_recordings import (
    MOST_EPISODES,
    Healed,
    HealPolicy,
    PlanRecording,
    RecordedCall,
    RecordingRow,
    Replay,
    StepRecording,
    digest_of,
    key_of_plan,
    key_of_step,
    shape_of,
)
from muster_protocol.tasks import SubTaskResult
from muster_protocol.tool_calls import CHANGING
from muster_text.values import fill_known, placeholder_names

DAY = 86_400.0
_USELESS = frozenset({Failure.NO_EVIDENCE, Failure.TAMPERED, Failure.INVALID_CALL, Failure.NOT_PERMITTED})
"""Fails of a whole replay that speak against the recording, not against the product."""


class KeepStep(NamedTuple):
    """Keep what the journal of an accepted attempt has recorded."""

    node: Node
    result: SubTaskResult
    values: Mapping[str, str]
    """Those that the attempt was given."""
    heal: HealPolicy


class KeepPlan(NamedTuple):
    """Keep the plan of a model."""

    key: str
    recording: PlanRecording


class Touch(NamedTuple):
    """Note that a recording was used; or that it is of no use, so that it is forgotten."""

    key: str
    digest: str
    useless: bool = False


Memory = KeepStep | KeepPlan | Touch


def find_memory(run: Run, event: Event) -> Memory | None:
    """Return what to remember or forget after an event of a test case that the run has folded, or None."""
    if run.request is None or not isinstance(run.request.job, TestCase):
        return None
    match event:
        case PlanMade(plan=plan, replaces=()):
            return _of_plan(run, plan)
        case SubTaskEnded(outcome=claimed):
            node = run.graph.get(claimed.node)
            accepted = node.result if node is not None else None
            if node is None or accepted is None or (accepted.task, accepted.attempt) != (claimed.task, claimed.attempt):
                return None
            return _of_step(run, node, accepted) if node.plan.kind == "step" else None
        case _:
            return None


def _of_step(run: Run, node: Node, result: SubTaskResult) -> Memory | None:
    replay = result.step.replay
    if result.source == "recording" and replay is not None and not replay.miss:
        useless = result.status == "fail" and result.failure in _USELESS
        return Touch(replay.key, replay.digest, useless) if useless or result.status == "pass" else None
    if result.source != "model" or node.status != "passed" or result.attempt != 1 or node.backtrack_to:
        return None
    return KeepStep(node, result, _values_before(run, node), run.opened.heal)


def _values_before(run: Run, node: Node) -> dict[str, str]:
    """Return the values that a step was given: those of before it captured any."""
    state = state_of(run)
    others = {id: captured for id, captured in state.captured.items() if id != node.plan.id}
    return values_for(replace(run, job=replace(state, captured=others)), node)


def _of_plan(run: Run, plan: Plan) -> KeepPlan | None:
    planning, case = run.graph.get(PLANNING), case_of(run)
    if planning is None or planning.result is None or planning.result.source != "model":
        return None
    written = "\n".join((*(step.action for step in case.steps), *case.preconditions))
    said = "\n".join(node.description for node in plan.nodes)
    if any(len(value) > 2 and value in said and value not in written for value in case.variables.values()):
        return None  # it would be the plan of these values alone
    steps = tuple(step.action for step in case.steps)
    recording = PlanRecording(steps=steps, nodes=plan.nodes, tokens=planning.result.usage.tokens)
    return KeepPlan(key_of_plan(case), recording)


def accepted_recording(run: Run, keep: KeepStep, claimed: StepRecording) -> StepRecording | str:
    """Return a worker's recording under the run's own words, or why it is not kept."""
    plan, case = keep.node.plan, case_of(run)
    words = (plan.description, plan.expected_result, *(case.steps[index].action for index in plan.covers))
    own = replace(
        claimed,
        action=plan.description,
        expected=plan.expected_result,
        precondition=plan.precondition,
        device=case.device.kind if case.device else "web",
        shape=shape_of(placeholder_names("\n".join(words)), keep.values),
    )
    values = {**keep.values, **keep.result.step.captured}
    return find_unjudged(own.action, own.calls, keep.result, values) or own


def find_unjudged(action: str, calls: Sequence[RecordedCall], result: SubTaskResult, values: Mapping[str, str]) -> str:
    """Return which recorded call is none that the run has judged, or ""; where a step only observes, it may wait."""
    if not calls and not is_observation(action):
        return "it repeats nothing, and the step says to do something"
    for call in calls:
        if call.effect in CHANGING:
            known = any(_is_act(call, act, values) for act in result.step.acts)
        elif call.clause:
            known = any(_is_evidence(call, it, values) for it in result.step.evidence)
        else:
            known = bool(result.step.chosen_captures) or (call.effect == "read" and is_observation(action))
        if not known:
            return f"{call.words()} is not among what was judged"
    return ""


def _is_act(call: RecordedCall, act: Act, values: Mapping[str, str]) -> bool:
    if (act.tool, act.does, act.status) != (call.tool, call.does, "ok") or not _within(call, act.arguments, values):
        return False
    target = call.target
    return target is None or not target.name or fill_known(target.name, values) in act.target


def _is_evidence(call: RecordedCall, evidence: Evidence, values: Mapping[str, str]) -> bool:
    same = (evidence.check, evidence.clause, evidence.passed) == (call.tool, call.clause, True)
    return same and _within(call, evidence.arguments, values)


def _within(call: RecordedCall, arguments: str, values: Mapping[str, str]) -> bool:
    try:
        given: Any = json.loads(arguments or "{}")
    except ValueError:
        return False
    wanted = {name: _filled(value, values) for name, value in call.arguments.items()}
    return isinstance(given, dict) and wanted.items() <= {**_frozen(cast("dict[str, Any]", given))}.items()


def _filled(value: object, values: Mapping[str, str]) -> object:
    match value:
        case str():
            return fill_known(value, values)
        case list():
            return tuple(_filled(item, values) for item in cast("list[object]", value))
        case _:
            return value


def _frozen(given: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: tuple(cast("list[object]", value)) if isinstance(value, list) else value for name, value in given.items()
    }


def row_after(
    row: RecordingRow | None, recording: StepRecording, keep: KeepStep, run: str, now: float
) -> RecordingRow | None:
    """Return the row of a step after an attempt was accepted; None if there is nothing to change."""
    replay = keep.result.step.replay
    if replay is None or not replay.miss or row is None or row.step is None:
        episodes = row.episodes if row is not None else ()
        key = key_of_step(recording)
        return RecordingRow(key=key, step=recording, episodes=episodes, run=run, made_at=now, used_at=now)
    if digest_of(row.step) != replay.digest:
        return None  # another run was faster
    healed = replace(recording, tokens=max(recording.tokens, row.step.tokens))
    told = replace(row, episodes=(*row.episodes, _episode(replay, keep.result, run, now))[-MOST_EPISODES:], used_at=now)
    if keep.heal == "use":
        return replace(told, step=healed, previous=row.step, proposal=None, run=run, made_at=now)
    return replace(told, proposal=healed)


def _episode(replay: Replay, result: SubTaskResult, run: str, now: float) -> Healed:
    new = next((call for call in replay.done if call.effect in CHANGING), None)
    assert replay.miss
    return Healed(
        at=now,
        run=run,
        task=result.task,
        reason=replay.miss,
        why=replay.why,
        old=replay.left[0] if replay.left else RecordedCall(tool="", effect="act"),
        new=new,
        pictures=replay.pictures,
    )
