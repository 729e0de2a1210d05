"""Checks a plan against its case. Pure; worker and orchestrator must agree."""

from collections.abc import Iterable

from muster_protocol.plans import Plan
from muster_protocol.requests import TestCase
from muster_text.clauses import literals


def find_breaches(case: TestCase, plan: Plan, steps: Iterable[int] | None = None) -> tuple[str, ...]:
    """Return where a plan drops, rewords, reorders or merges steps of the case.

    `steps`: indexes of the planned steps; None: all.
    """
    planned = range(len(case.steps)) if steps is None else steps
    found = [text for index in planned for text in _find_step_breaches(case, plan, index)]
    found += [f"sub-task {node.id!r} covers more than one step" for node in plan.nodes if len(node.covers) > 1]
    covered = [index for node in plan.nodes for index in node.covers]
    if covered != sorted(covered):
        found.append("the plan changes the order of the steps")
    return tuple(found)


def _find_step_breaches(case: TestCase, plan: Plan, index: int) -> list[str]:
    step, number = case.steps[index], index + 1
    nodes = [node for node in plan.nodes if index in node.covers]
    if not nodes:
        return [f"step {number} is covered by no sub-task"]
    found: list[str] = []
    said = " ".join(node.description for node in nodes)
    if len(nodes) == 1 and nodes[0].covers == (index,) and nodes[0].description != step.action:
        found.append(f"sub-task {nodes[0].id!r} rewords step {number}")
    else:
        lost = [text for text in literals(step.action) if text not in said]
        found += [f"the sub-tasks of step {number} leave out {text!r}" for text in lost]
    if any(node.session != step.session for node in nodes):
        found.append(f"step {number} would run in another session than {step.session!r}")
    if not step.expected.strip():
        return found
    if not any(node.expected_result for node in nodes):
        found.append(f"no sub-task has the expectation of step {number}")
    return found
