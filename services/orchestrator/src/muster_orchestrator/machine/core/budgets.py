"""Budgets of runs and sub-tasks. Pure."""

from msgspec.structs import replace

from muster_orchestrator.machine.core.graph import Node
from muster_orchestrator.machine.core.state import Run
from muster_protocol.tasks import Budget
from muster_protocol.tool_calls import Usage


def exceeded_limit(run: Run) -> str:
    """Return which budget of the run is used up, or ""."""
    limits, usage = run.opened.limits, run.usage
    for name, spent, limit in (
        ("max_calls", usage.calls, limits.max_calls),
        ("max_tokens", usage.tokens, limits.max_tokens),
        ("max_cost", usage.cost, limits.max_cost),
    ):
        if limit is not None and spent >= limit:
            return f"{spent:g} of {name} {limit:g}"
    return ""


def budget_of(run: Run, node: Node) -> Budget:
    """Return what the next attempt at a node may spend: the run's rest, or less if less was reserved for it."""
    limits, policy, usage = run.opened.limits, run.policy, run.usage
    own = (node.asked.budget if node.asked else None) or Budget(
        iterations=policy.subtask_iterations, calls=policy.subtask_calls, seconds=policy.subtask_seconds
    )
    calls, tokens = own.calls, 0
    if limits.max_calls is not None:
        calls = max(0, min(calls, limits.max_calls - usage.calls))
    if limits.max_tokens is not None:
        tokens = max(1, limits.max_tokens - usage.input_tokens - usage.output_tokens)
    cost = limits.max_cost - usage.cost if limits.max_cost is not None else 0.0
    return own.within(replace(own, calls=calls, tokens=tokens, cost=cost))


def charge(run: Run, node: Node, spent: Usage) -> Run:
    """Return the run charged with what an attempt has spent so far, less what it was charged before."""
    return replace(run, usage=run.usage.plus(spent).minus(node.charged))
