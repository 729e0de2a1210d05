"""Finds the clauses that rest only on what a model saw. Pure."""

from collections.abc import Mapping

from muster_evidence.proof import find_gap
from muster_protocol.tasks import SubTaskResult


def clauses_by_look(result: SubTaskResult, values: Mapping[str, str]) -> tuple[str, ...]:
    """Return the clauses of a pass that are unproven without what a model saw, in order.

    `values`: variables and what was captured before; what the step itself has captured is added.
    """
    known, evidence = {**values, **result.step.captured}, result.step.evidence
    looked = dict.fromkeys(check.clause for check in evidence if check.relation == "judged" and check.passed)
    return tuple(
        clause
        for clause in looked
        if find_gap(
            clause,
            [check for check in evidence if check.clause == clause and check.relation != "judged"],
            result.last_act,
            known,
        )
    )
