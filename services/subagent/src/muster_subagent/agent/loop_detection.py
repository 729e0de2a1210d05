"""Notices a model that goes in circles: the same call with the same outcome again and again. Pure."""

from collections.abc import Sequence

from muster_subagent.results import Made

TOLD_AFTER = 3
ENDED_AFTER = 5


def repeated(made: Sequence[Made]) -> int:
    """Return how often the newest call of the model was made with the same outcome since anything else came out."""
    mine = [step for step in made if step.by_model]
    if not mine:
        return 0
    newest = _fingerprint(mine[-1])
    return sum(_fingerprint(step) == newest for step in mine[-2 * ENDED_AFTER :])


def _fingerprint(step: Made) -> tuple[object, ...]:
    outcome = step.outcome
    return (step.call.tool, tuple(sorted(step.call.arguments.items(), key=str)), outcome.status, outcome.text)
