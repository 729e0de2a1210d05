"""Proves an expectation, clause by clause: by phrase, by the model's own checks where they hold, or by looking."""

from collections.abc import Sequence
from typing import NamedTuple

from muster_evidence.proof import find_gap, find_undone
from muster_grammar import PhraseError, parse_expectation
from muster_protocol.causes import Failure
from muster_protocol.tool_calls import ToolCall
from muster_subagent.results import Made, acts_of, evidence_of
from muster_subagent.tool_executor import ToolExecutor
from muster_subagent.tools.look_tool import look
from muster_text.clauses import split_clauses


class Clause(NamedTuple):
    """One clause, with the checks that its phrase stands for; none if it is no known phrase."""

    text: str
    checks: tuple[ToolCall, ...]


class Gap(NamedTuple):
    """A clause that is not proven, and why."""

    clause: str
    text: str
    made: Made | None
    """The check that was false or could not be made; None: nothing looked."""

    @property
    def refuted(self) -> bool:
        """Whether the clause was looked at and found false; a "no" that the page does not bear out is undecided."""
        outcome = self.made and self.made.outcome
        return bool(outcome) and outcome.status == "failed" and outcome.failure != Failure.NO_EVIDENCE

    @property
    def failure(self) -> Failure:
        """Return what kind of fail it is."""
        return (self.made and self.made.outcome.failure) or Failure.NO_EVIDENCE


def worst_of(gaps: Sequence[Gap]) -> Gap:
    """Return what says most of a fail: a clause that was seen to be false, else the first that is not proven. Pure."""
    return next((missing for missing in gaps if missing.refuted), gaps[0])


def clauses_of(expected: str) -> tuple[Clause, ...]:
    """Return the clauses of an expectation; each that is a known phrase with its checks. Pure."""
    texts = split_clauses(expected)
    try:
        whole = parse_expectation(expected) if texts else ()
        return tuple(Clause(text, tuple(call for call in whole if call.clause == text)) for text in texts)
    except PhraseError:
        return tuple(Clause(text, _checks(text)) for text in texts)


def _checks(clause: str) -> tuple[ToolCall, ...]:
    try:
        return tuple(call for call in parse_expectation(clause) if call.clause == clause)
    except PhraseError:
        return ()


async def prove(executor: ToolExecutor, clauses: Sequence[Clause]) -> tuple[Gap, ...]:
    """Look at every clause that is not proven yet, as the page is now, and return what is missing.

    Phrases go first: where one of them is false, no model is asked about the other clauses.
    """
    found: dict[str, Gap | None] = {}
    for clause in sorted(clauses, key=lambda clause: not clause.checks):  # stable: in the order of the expectation
        if not clause.checks and any(gap and gap.refuted for gap in found.values()):
            break
        found[clause.text] = await _prove(executor, clause)
    gaps = (found.get(clause.text) for clause in clauses)
    return tuple(gap for gap in gaps if gap is not None) or _undone(executor, clauses)


def _undone(executor: ToolExecutor, clauses: Sequence[Clause]) -> tuple[Gap, ...]:
    """Return why what holds does not speak for the step: the model went where it shows, and did nothing for it."""
    task = executor.task
    acts = acts_of(task, executor.made, executor.captured)
    if not (task.step.covers and acts and clauses):
        return ()
    why = find_undone(task.description, acts, executor.values, again=task.attempt > 1)
    return (Gap(clauses[0].text, why, None),) if why else ()


async def _prove(executor: ToolExecutor, clause: Clause) -> Gap | None:
    """A phrase decides alone: what a model thought of the clause does not count beside it."""
    if clause.checks:
        for call in clause.checks:
            made = await executor.make(call)
            if made.outcome.status != "ok":
                return Gap(clause.text, _said(made), made)
        return None
    if _proven_by_model(executor, clause.text):
        return None
    if denial := _denial(executor, clause.text):
        return Gap(clause.text, _said(denial), denial)
    made = await executor.make(
        ToolCall(tool=look.name, arguments={"statement": clause.text}, clause=clause.text), by_model=True
    )
    if made.outcome.status != "ok":
        return Gap(clause.text, _said(made), made)
    lack = _lack(executor, clause.text)
    return Gap(clause.text, lack, None) if lack else None


def _proven_by_model(executor: ToolExecutor, clause: str) -> bool:
    """Return whether the checks that the model made since the last change prove a clause. Pure."""
    return any(made.clause == clause for made in executor.made) and not _lack(executor, clause)


def _denial(executor: ToolExecutor, clause: str) -> Made | None:
    """Return the look that has denied a clause since the last change: until the next one, nobody is asked again."""
    last_act = _last_act(executor)
    looks = (made for made in executor.made if made.clause == clause and made.tool.relation == "judged")
    return next((made for made in looks if made.index > last_act and made.outcome.status == "failed"), None)


def _last_act(executor: ToolExecutor) -> int:
    return max((made.index for made in executor.made if made.changes), default=-1)


def _lack(executor: ToolExecutor, clause: str) -> str:
    """Return what the run's judge would miss."""
    evidence = [evidence_of(executor.task, made, executor.captured) for made in executor.made if made.clause == clause]
    return find_gap(clause, evidence, _last_act(executor), executor.values)


def _said(made: Made) -> str:
    outcome = made.outcome
    return f"expected {outcome.expected}; seen: {outcome.seen or 'nothing'}" if outcome.expected else outcome.text
