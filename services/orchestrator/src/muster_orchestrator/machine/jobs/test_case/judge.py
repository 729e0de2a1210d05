"""Judges results of steps: a pass needs evidence for every clause of the expectation. Pure."""

import re
from collections.abc import Mapping, Sequence
from functools import partial

from msgspec.structs import replace

from muster_evidence.action_demands import find_unbound
from muster_evidence.binding import find_wrong_source
from muster_evidence.blame import Written, find_unfounded
from muster_evidence.healing import find_unlike
from muster_evidence.proof import combine_acts, find_gap, find_planted, find_undone
from muster_orchestrator.machine.core.kind_rules import require_output, with_cause
from muster_protocol.causes import Cause, Failure, cause_of
from muster_protocol.facts import Act
from muster_protocol.plans import PlanNode
from muster_protocol.tasks import SubTaskResult
from muster_text.clauses import split_clauses
from muster_text.values import placeholder_names

_PICTURED = "only a picture says what was clicked"
_CAPTURING = re.compile(
    r"\b(?:remember|note|store|save|keep|record|capture|memori[sz]e|copy|write down|read|take|look up|find out|get"
    r"|fetch)\b",
    re.IGNORECASE,
)
"""Verbs of actions that ask for a value."""


def judge_step(
    node: PlanNode,
    result: SubTaskResult,
    values: Mapping[str, str],
    guarded: Sequence[str] = (),
    written: tuple[str, ...] = (),
) -> SubTaskResult:
    """Return the result of a step as the run accepts it: an unproven pass is a fail, every fail has its cause.

    `guarded` are the literals that no call of a model may have brought about by itself, `written` the case's own
    actions if a planner has reworded them.
    """
    result = require_output(node.kind, result)
    result, overwritten = _drop_unasked_captures(node, result)
    if result.status == "pass":
        lack = find_unproven(node, result, values)
        if overwritten:
            result = _refuse(node, result, Failure.TAMPERED, overwritten)
        elif lack:
            result = _refuse(node, result, Failure.NO_EVIDENCE, lack)
        elif forged := _find_tampering(result.step.acts, guarded, anyhow=not node.covers):
            result = _refuse(node, result, Failure.TAMPERED, forged)
        elif unlike := _find_wrong_heal(result):
            result = _refuse(node, result, Failure.RECORDING_MISSED, unlike)
    return _with_cause(node, _without_blame(node, result, values, written))


def find_unproven(node: PlanNode, result: SubTaskResult, values: Mapping[str, str]) -> str:
    """Return what the claimed pass lacks, or "" if every clause is proven after the last state-changing call."""
    clauses = split_clauses(node.expected_result)
    told = {it.name for it in result.step.chosen_captures if it.source in ("person", "unknown")}
    remembered = (result.step.captured.keys() - told) & set(placeholder_names(node.description))
    if result.chosen and node.covers:
        undone = find_unbound if remembered else partial(find_undone, again=result.attempt > 1)
        idle = undone(node.description, result.step.acts, {**values, **result.step.captured})
        if idle:
            return idle
    pictured = any(act.pictured and act.status == "ok" for act in result.step.acts)
    if pictured and not clauses:
        return f"{_PICTURED}, and the step expects nothing that would show it"
    if not clauses:
        return "" if result.unverified else "it claims to have verified a step that expects nothing"
    for clause in clauses:
        checks = [evidence for evidence in result.step.evidence if evidence.clause == clause]
        firm = [evidence for evidence in checks if evidence.relation != "judged"]
        if pictured and checks and not firm:
            return f"{_PICTURED}, and {clause!r} rests on a look alone"
        checks = firm if pictured else checks
        missing = find_gap(clause, checks, result.last_act, values)
        if missing:
            return missing
    return ""


def _find_wrong_heal(result: SubTaskResult) -> str:
    """Return why what a model did where a recording missed is not what was recorded, or ""."""
    replay = result.step.replay
    if replay is None or not replay.miss:
        return ""
    why = find_unlike(replay, result.step.evidence, result.last_act)
    advice = f"if the product was changed on purpose: `muster recordings drop {replay.key}`"
    return f"the recording missed ({replay.why}), and the heal is refused: {why}; {advice}" if why else ""


def _drop_unasked_captures(node: PlanNode, result: SubTaskResult) -> tuple[SubTaskResult, str]:
    """Return the result with only the captures that its action asks for, and why it must be refused, or "".

    A model may not set a value that the expectation is compared with.
    """
    if not result.chosen:
        return result, ""
    kept = {name: value for name, value in result.step.captured.items() if _asks_to_capture(name, node.description)}
    own = [
        name for name in placeholder_names(node.expected_result) if name in result.step.captured and name not in kept
    ]
    why = f"it set ${{{own[0]}}} itself, which the expectation is compared with" if own else ""
    elsewhere = (find_wrong_source(node.description, it) for it in result.step.chosen_captures if it.name in kept)
    return replace(result, output=replace(result.step, captured=kept)), why or next(filter(None, elsewhere), "")


def _asks_to_capture(name: str, action: str) -> bool:
    """Return whether an action asks for a value of this name to be captured, rather than used."""
    said = frozenset(_name_parts(action))
    stored = re.search(rf"\b(?:as|into|under)\s+\$?\{{?{re.escape(name)}\b", action, re.IGNORECASE)
    return said.issuperset(_name_parts(name)) and (stored or _CAPTURING.search(action)) is not None


def _name_parts(name: str) -> list[str]:
    return re.findall(r"[^\W_]+", name.casefold())


def _find_tampering(acts: Sequence[Act], guarded: Sequence[str], *, anyhow: bool) -> str:
    """Return which call of a model brings about what only the product may show, or ""."""
    for act in combine_acts([act for act in acts if act.by == "model"]):
        literal = find_planted(act, guarded, anyhow=anyhow)
        if literal:
            return f"{act.tool} was called with {literal!r}, which only the product may bring about"
    return ""


def _refuse(node: PlanNode, result: SubTaskResult, failure: Failure, why: str) -> SubTaskResult:
    expected = result.expected or node.expected_result
    return replace(result, status="fail", failure=failure, summary=why, expected=expected, cause=None)


def _without_blame(
    node: PlanNode, result: SubTaskResult, values: Mapping[str, str], written: tuple[str, ...]
) -> SubTaskResult:
    """Return a model's fail; without evidence against the product, it is the agent's."""
    blames = result.status == "fail" and cause_of(result.failure) == Cause.PRODUCT
    if not blames or not result.chosen:
        return result
    known = {**values, **result.step.captured}
    again, covered = result.attempt > 1, bool(node.covers)
    words = Written(node.description, node.expected_result, covered, known, again=again, original=written)
    why = find_unfounded(words, result.failure, result.step, result.last_act)
    if not why:
        return result
    summary = f"{result.summary} (this does not show a fault of the product: {why})"
    return replace(result, failure=Failure.GAVE_UP, summary=summary, cause=None)


def _with_cause(node: PlanNode, result: SubTaskResult) -> SubTaskResult:
    if node.precondition and result.status == "fail" and result.failure not in (Failure.NO_EVIDENCE, Failure.TAMPERED):
        return replace(result, cause=Cause.ENVIRONMENT, failure=Failure.PRECONDITION_FAILED)
    return with_cause(result)
