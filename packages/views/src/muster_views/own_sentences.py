"""The text that a step's author wrote, if the step comes from a sentence of the team's own. Pure."""

from collections.abc import Sequence

from muster_protocol.requests import Step
from muster_views.texts import to_one_line


def describe_written(steps: Sequence[Step], index: int) -> str:
    """Return what the author wrote for a step, and which part of it the step is; empty if it is the step itself."""
    for first in range(index, -1, -1):
        told = steps[first].written
        if told is None:
            continue
        if index - first >= told.steps:
            return ""
        said = to_one_line(told.action) + (f" → {to_one_line(told.expected)}" if told.expected else "")
        return f"{said} (part {index - first + 1} of {told.steps})" if told.steps > 1 else said
    return ""
