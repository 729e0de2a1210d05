"""Describes a run's estimate beside its real cost. Pure."""

from muster_protocol.estimates import Estimate, GoalEstimate
from muster_views.texts import format_count, format_money, format_seconds

UNKNOWN = "unknown"


def describe_seconds(estimate: Estimate) -> str:
    """Return the estimated time, as `at least …` if a part of it is unknown."""
    if _is_blank(estimate):
        return UNKNOWN
    return f"{_bound(estimate)}{format_seconds(estimate.usage.seconds)}"


def describe_tokens(estimate: Estimate) -> str:
    """Return the tokens of all models."""
    return UNKNOWN if _is_blank(estimate) else f"{_bound(estimate)}{estimate.usage.tokens:,}"


def describe_cost(estimate: Estimate) -> str:
    """Return the cost, in the currency of the price table; tokens without a price make it unknown."""
    if _is_blank(estimate) or (estimate.unpriced and not estimate.usage.cost):
        return UNKNOWN
    at_least = _bound(estimate) or ("at least " if estimate.unpriced else "")
    return f"{at_least}{format_money(estimate.usage.cost) if estimate.usage.cost else '0'}"


def describe_unknown(estimate: Estimate) -> str:
    """Return what the estimate is made of, and what is not in it."""
    if _is_blank(estimate):
        return "nothing: no step of it has passed before"
    parts = [f"{format_count(estimate.samples, 'earlier run')} of each step"]
    if estimate.unknown:
        numbers = ", ".join(map(str, estimate.unknown[:10])) + (", …" if len(estimate.unknown) > 10 else "")
        known = estimate.steps - len(estimate.unknown)
        parts = [f"{known} of {format_count(estimate.steps, 'step')}; never passed before: {numbers}"]
    parts += [] if estimate.rest_known else ["planning and opening of sessions not known"]
    parts += ["the model has no price in MODEL_PRICES"] if estimate.unpriced else []
    return "; ".join(parts)


def describe_estimate(estimate: Estimate) -> str:
    """Return an estimate in one line: `3.2 s, 1,200 tokens, cost 0.0012 (3 earlier runs of each step)`."""
    if _is_blank(estimate):
        return f"{UNKNOWN}: no step of it has passed before"
    numbers = f"{describe_seconds(estimate)}, {describe_tokens(estimate)} tokens, cost {describe_cost(estimate)}"
    return f"{numbers} ({describe_unknown(estimate)})"


def describe_goal(agent: str, estimate: GoalEstimate) -> str:
    """Return what an assignment will come to, in one line."""
    if not estimate.samples:
        return f"unknown: {agent} has done nothing yet that is remembered"
    usage, runs = estimate.usage, format_count(estimate.samples, "earlier run")
    priced = format_money(usage.cost) if usage.cost else UNKNOWN if estimate.unpriced else "0"
    known = f"median of {runs} of this goal" if estimate.same_goal else f"median of {runs} of {agent} with other goals"
    return f"about {format_seconds(usage.seconds)}, {usage.tokens:,} tokens, cost {priced} ({known})"


def _is_blank(estimate: Estimate) -> bool:
    return len(estimate.unknown) == estimate.steps


def _bound(estimate: Estimate) -> str:
    return "at least " if estimate.unknown or not estimate.rest_known else ""
