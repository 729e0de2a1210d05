"""Proves an expectation, clause by clause: by phrase, by the model's own checks where they hold, or by looking."""

from collections.abc import Sequence
from typing import NamedTuple

from muster_evidence.proof import find_gap, find_undone
from muster_grammar import PhraseError, parse_expectation
from muster_protocol.causes import Failure
from muster_protocol.tool_calls import ToolCall
from muster_subagent.results import Made, acts_of, evidence_of
from muster_subagent.tool_executor import Hands
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
        """Whether the clause was looked at and found false."""
        return self.made is not None and self.made.outcome.status == "failed"

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


async def prove(hands: Hands, clauses: Sequence[Clause]) -> tuple[Gap, ...]:
    """Look at every clause that is not proven yet, as the page is now, and return what is missing."""
    found = [await _prove(hands, clause) for clause in clauses]
    return tuple(missing for missing in found if missing is not None) or _undone(hands, clauses)


def _undone(hands: Hands, clauses: Sequence[Clause]) -> tuple[Gap, ...]:
    """Return why what holds does not speak for the step: the model went where it shows, and did nothing for it."""
    task = hands.task
    acts = acts_of(task, hands.made, hands.captured)
    if not (task.step.covers and acts and clauses):
        return ()
    why = find_undone(task.description, acts, hands.values, again=task.attempt > 1)
    return (Gap(clauses[0].text, why, None),) if why else ()


async def _prove(hands: Hands, clause: Clause) -> Gap | None:
    """A phrase decides alone: what a model thought of the clause does not count beside it."""
    if clause.checks:
        for call in clause.checks:
            made = await hands.make(call)
            if made.outcome.status != "ok":
                return Gap(clause.text, _said(made), made)
        return None
    if proven_by_model(hands, clause.text):
        return None
    made = await hands.make(
        ToolCall(tool=look.name, arguments={"statement": clause.text}, clause=clause.text), by_model=True
    )
    if made.outcome.status != "ok":
        return Gap(clause.text, _said(made), made)
    lack = _lack(hands, clause.text)
    return Gap(clause.text, lack, None) if lack else None


def proven_by_model(hands: Hands, clause: str) -> bool:
    """Return whether the checks that the model made since the last change prove a clause. Pure."""
    return any(made.clause == clause for made in hands.made) and not _lack(hands, clause)


def _lack(hands: Hands, clause: str) -> str:
    """Return what the run's judge would miss."""
    evidence = [evidence_of(hands.task, made, hands.captured) for made in hands.made if made.clause == clause]
    last_act = max((made.index for made in hands.made if made.changes), default=-1)
    return find_gap(clause, evidence, last_act, hands.values)


def _said(made: Made) -> str:
    outcome = made.outcome
    return f"expected {outcome.expected}; seen: {outcome.seen or 'nothing'}" if outcome.expected else outcome.text
