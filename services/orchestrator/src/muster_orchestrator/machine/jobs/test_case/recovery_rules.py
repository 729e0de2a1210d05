"""Rules that have a failed step tried again before an evaluator is asked: by the kind of the failure. Pure.

Only a step that has begun nothing is tried again, once. What it expects is judged as strictly as before: its looks and
checks may wait longer, that is all.
"""

from collections.abc import Mapping
from typing import NamedTuple

from muster_orchestrator.machine.core.graph import Node
from muster_orchestrator.machine.core.state import Run
from muster_orchestrator.machine.jobs.test_case.fails import needs_evaluation
from muster_protocol.causes import Failure
from muster_protocol.events import RetryPlanned


class Remedy(NamedTuple):
    """What is done about a kind of failure."""

    reason: str
    patience: float
    """How many times as long looks and checks may wait."""
    pause_seconds: float = 0.0


_MAY_COME = Remedy("it may come later, and nothing was begun: its looks wait longer", 3.0)
REMEDIES: Mapping[Failure, Remedy] = {
    Failure.UNREACHABLE: Remedy("the address could not be reached, and nothing was begun", 2.0, pause_seconds=2.0),
    Failure.ELEMENT_MISSING: _MAY_COME,
    Failure.NAME_UNKNOWN: _MAY_COME,
    Failure.TARGET_UNCLEAR: Remedy("the page may still change, and nothing was begun: its looks wait longer", 2.0),
}
"""By kind of failure; what is not here is for an evaluator, or final."""


LONGER = 3.0
"""How many times as long looks wait where an evaluator says that a page is slow."""


def _find_remedy(node: Node) -> Remedy | None:
    """Return what is done about a failed step by rule; None: nothing, or it was done already."""
    result = node.result
    return REMEDIES.get(result.failure) if result and result.failure and may_begin_again(node) else None


def may_begin_again(node: Node) -> bool:
    """Return whether a failed step has acted on nothing and was not tried again before."""
    result = node.result
    if not needs_evaluation(node) or result is None or result.acted:
        return False
    return not (node.patience > 1 or node.recoveries or node.hint)


def may_retry(node: Node) -> bool:
    """Return whether a failed step may be tried again in another way: only a model has one."""
    return may_begin_again(node) and node.result is not None and node.result.source == "model"


def plan_remedies(run: Run) -> tuple[RetryPlanned, ...]:
    """Return the retries of failed steps that a rule has tried again."""
    if not run.policy.recover_by_rule:
        return ()
    return tuple(
        RetryPlanned(
            node=node.plan.id,
            not_before=run.clock.now + remedy.pause_seconds,
            reason=f"{node.result.summary if node.result else ''} ({remedy.reason})",
            patience=remedy.patience,
        )
        for node in run.graph.with_status("failing")
        if (remedy := _find_remedy(node)) is not None
    )
