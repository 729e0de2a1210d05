"""Estimates the cost of a test case from what its steps cost before. Pure."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from statistics import median

from msgspec.structs import replace

from muster_protocol.estimates import Estimate, GoalEstimate, PastCosts
from muster_protocol.plans import Plan, PlanNode
from muster_protocol.requests import MAIN, Assignment, TestCase
from muster_protocol.tasks import SubTaskResult
from muster_protocol.tool_calls import Usage

KEPT = 5
"""Samples kept of each step."""
ALIKE = 0.25
"""A sample that differs from the median by a smaller share is not worth a write, once there are enough."""


def step_keys(case: TestCase) -> tuple[str, ...]:
    """Return the key of each precondition and step, by its words and the kind of device."""
    device = case.device.kind if case.device else "web"
    return (
        *(_digest("precondition", text, device) for text in case.preconditions),
        *(_digest("step", step.action, step.expected, device) for step in case.steps),
    )


def rest_key(case: TestCase) -> str:
    """Return the key of what a case needs beside its steps: sessions, planning, recoveries."""
    return _digest("rest", *step_keys(case))


def cost_samples(
    case: TestCase, plan: Plan, results: Iterable[SubTaskResult], total: Usage, seconds: float
) -> dict[str, Usage]:
    """Return by key what each step that passed came to in one run, and the rest if all have passed.

    `total` and `seconds` are the usage and duration of the run.
    """
    spent: dict[str, Usage] = {}
    passed: set[str] = set()
    for result in results:
        spent[result.node] = spent.get(result.node, Usage()).plus(result.usage)
        passed |= {result.node} if result.status == "pass" else set()
    found: dict[str, Usage] = {}
    keys = step_keys(case)
    for index, key in enumerate(keys):
        nodes = [node for node in plan.nodes if index in _parts(case, plan, node)]
        if nodes and all(node.id in passed for node in nodes):
            found[key] = _sum(_share(spent[node.id], len(_parts(case, plan, node))) for node in nodes)
    if set(keys) <= found.keys():
        steps = _sum(found[key] for key in keys)
        rest = replace(total.minus(steps), seconds=max(0.0, seconds - _longest(case, [found[key] for key in keys])))
        found[rest_key(case)] = rest
    return found


def with_sample(past: PastCosts, sample: Usage) -> PastCosts | None:
    """Return the row with one more sample; None if that would tell nothing new."""
    if len(past.samples) >= KEPT and _is_alike(sample, _median(past.samples)):
        return None
    return replace(past, samples=(*past.samples, sample)[-KEPT:])


def estimate_case(case: TestCase, past: Mapping[str, PastCosts]) -> Estimate:
    """Return what a case will come to by the rows of its keys; a step without a row is unknown, not free."""
    keys = step_keys(case)
    known = {key: past[key].samples for key in (*keys, rest_key(case)) if key in past and past[key].samples}
    middle = [_median(known.get(key, ())) for key in keys]
    rest = known.get(rest_key(case), ())
    usage = _sum([*middle, _median(rest)])
    return Estimate(
        usage=replace(usage, seconds=_longest(case, middle) + _median(rest).seconds),
        steps=len(keys),
        unknown=tuple(number for number, key in enumerate(keys, 1) if key not in known),
        samples=min((len(known[key]) for key in keys if key in known), default=0),
        rest_known=bool(rest),
        unpriced=any(it.tokens and not it.cost for samples in known.values() for it in samples),
    )


def assignment_keys(job: Assignment) -> tuple[str, str]:
    """Return the keys of an assignment: that of its very goal, and that of its agent."""
    return _digest("assignment", job.agent, job.goal, job.workspace, job.url), _digest("agent", job.agent)


def estimate_assignment(job: Assignment, past: Mapping[str, PastCosts]) -> GoalEstimate:
    """Return what an assignment will come to: as the same goal did before, or else as other goals of its agent did."""
    own, agents = (past[key].samples if key in past else () for key in assignment_keys(job))
    samples = own or agents
    unpriced = any(it.tokens and not it.cost for it in samples)
    return GoalEstimate(usage=_median(samples), samples=len(samples), same_goal=bool(own), unpriced=unpriced)


def _parts(case: TestCase, plan: Plan, node: PlanNode) -> tuple[int, ...]:
    """Return the places in `step_keys` of what a node carries out."""
    if node.precondition:
        before = [it.id for it in plan.nodes if it.precondition]
        return (before.index(node.id),)
    return tuple(len(case.preconditions) + index for index in node.covers)


def _longest(case: TestCase, usages: Sequence[Usage]) -> float:
    """Return the seconds of the session that takes longest: sessions work at the same time."""
    sessions = [*(MAIN for _ in case.preconditions), *(step.session for step in case.steps)]
    seconds: dict[str, float] = {}
    for session, usage in zip(sessions, usages, strict=True):
        seconds[session] = seconds.get(session, 0.0) + usage.seconds
    return max(seconds.values(), default=0.0)


def _is_alike(one: Usage, other: Usage) -> bool:
    pairs = ((one.seconds, other.seconds), (one.tokens, other.tokens), (one.cost, other.cost))
    return all(abs(a - b) <= ALIKE * max(a, b) for a, b in pairs)


def _median(samples: Sequence[Usage]) -> Usage:
    if not samples:
        return Usage()
    return Usage(
        calls=round(median(it.calls for it in samples)),
        model_calls=round(median(it.model_calls for it in samples)),
        input_tokens=round(median(it.input_tokens for it in samples)),
        output_tokens=round(median(it.output_tokens for it in samples)),
        cost=median(it.cost for it in samples),
        seconds=median(it.seconds for it in samples),
    )


def _share(usage: Usage, parts: int) -> Usage:
    return Usage(
        calls=usage.calls // parts,
        model_calls=usage.model_calls // parts,
        input_tokens=usage.input_tokens // parts,
        output_tokens=usage.output_tokens // parts,
        cost=usage.cost / parts,
        seconds=usage.seconds / parts,
    )


def _sum(usages: Iterable[Usage]) -> Usage:
    total = Usage()
    for usage in usages:
        total = total.plus(usage)
    return total


def _digest(*texts: str) -> str:
    return hashlib.sha256("\0".join(texts).encode(errors="surrogatepass")).hexdigest()[:40]
