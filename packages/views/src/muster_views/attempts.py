"""Builds views of a sub-task's attempts from the run's history and journals. Pure."""

from collections.abc import Iterable, Mapping, Sequence

from muster_protocol.journal import JournalEntry
from muster_protocol.tasks import SubTaskResult
from muster_text.values import fill_known
from muster_views.attempt_views import AskedView, AttemptView, CallView
from muster_views.healings import view_healing
from muster_views.history import History
from muster_views.journal_moments import view_journal
from muster_views.node_history import Attempt, Node
from muster_views.proofs import artifact_names, read_arguments, view_clauses
from muster_views.views import ClauseView
from muster_views.words import FAILURES

Journals = Mapping[str, Iterable[tuple[float, JournalEntry]]]
"""(Time stored, entry) pairs by sub-task id."""


def view_attempts(history: History, node: Node, journals: Journals) -> tuple[AttemptView, ...]:
    """Return the attempts at a sub-task, oldest first."""
    over = history.verdict is not None
    return tuple(view_attempt(node, one, journals.get(one.task.id, ()), over=over) for one in node.attempts)


def view_attempt(
    node: Node, attempt: Attempt, journal: Iterable[tuple[float, JournalEntry]], *, over: bool = False
) -> AttemptView:
    """Return the view of an attempt; `over`: the run has its verdict."""
    task = attempt.task
    telling = view_journal(journal, task.step.values, over=over or attempt.claimed is not None)
    result = attempt.result or telling.result
    reported = attempt.claimed or result
    values = task.step.values | (result.step.captured if result else {})
    calls = [one for one in telling.moments if isinstance(one, CallView)]
    of_calls = {name for call in calls for name in (*call.artifacts, *(call.shown.pictures if call.shown else ()))}
    loose = artifact_names(reported.artifacts) if reported else ()
    clauses = view_clauses(task.step.expected_result, result, values)
    return AttemptView(
        task=task.id,
        attempt=task.attempt,
        kind=node.kind,
        label=node.label,
        title=build_title(node, task.description, values),
        description=task.description,
        expected_result=task.step.expected_result,
        agent=task.agent,
        pool=task.pool,
        told=task.step.state,
        notice=task.notice,
        values=values,
        dispatched_at=attempt.started_at,
        ended_at=attempt.ended_at,
        takers=tuple(telling.takers),
        takeovers=telling.holding.takeovers,
        moments=tuple(telling.moments),
        acts=_view_acts(reported, values) if reported and not telling.moments else (),
        clauses=clauses,
        asks=telling.asks,
        result=result,
        refused=_describe_refusal(attempt),
        findings=_find_details(result, clauses) if result else {},
        retried=attempt.retried,
        healing=view_healing(result, task.step.heal, values) if result and node.kind == "step" else None,
        children=attempt.children,
        artifacts=tuple(name for name in loose if name not in of_calls),
        element=next((call.element for call in reversed(calls) if call.element), None),
    )


def build_title(node: Node, description: str, values: Mapping[str, str]) -> str:
    """Return the title of a sub-task: its description with values filled in."""
    return fill_known(description, values) or node.id


def _view_acts(result: SubTaskResult, values: Mapping[str, str]) -> tuple[AskedView, ...]:
    return tuple(AskedView(tool=act.tool, arguments=read_arguments(act.arguments, values)) for act in result.step.acts)


def _describe_refusal(attempt: Attempt) -> str:
    if not attempt.claimed or not attempt.refused:
        return ""
    return f"Its worker claimed {attempt.claimed.status}; the run did not accept that."


def _find_details(result: SubTaskResult, clauses: Sequence[ClauseView]) -> dict[str, str]:
    """Return the details of a failed result that its clauses do not show, by name."""
    if result.status == "pass":
        return {}
    checks = [check for clause in clauses for check in clause.evidence]
    if any(not check.passed and check.seen == result.seen for check in checks):
        found: dict[str, str] = {}
    else:
        why = FAILURES[result.failure] if result.failure else ""
        found = {"expected": result.expected, "seen": result.seen, "where": result.where, "why": why}
    return {name: text for name, text in found.items() if text.strip()}
