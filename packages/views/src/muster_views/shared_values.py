"""The values that the steps of a run share: what they are, who set them, from what, and when. Pure."""

from collections.abc import Iterator

from msgspec import Struct

from muster_protocol.facts import Capture
from muster_protocol.requests import TestCase
from muster_protocol.tasks import SubTaskResult
from muster_views.history import History
from muster_views.node_history import Node

SOURCES = {
    "page": "the page",
    "output": "a command's output",
    "url": "the address",
    "title": "the page's title",
    "response": "a response",
    "person": "a person's answer",
}


class SharedValue(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A value that steps can use by its name."""

    name: str
    value: str
    node: str = ""
    """The sub-task that captured it; empty: it is a variable of the case."""
    number: int = 0
    """Position of that sub-task in the plan, from 1; 0: it is not in the plan."""
    set_by: str
    """`case`, or the agent of the sub-task; `phrase` where no model was asked."""
    taken_from: str = ""
    """What it was read from and by which call, in words; empty if that is not known."""
    at: float = 0.0
    """Unix seconds at which that sub-task ended; of variables, at which the run began."""


def list_shared_values(history: History) -> tuple[SharedValue, ...]:
    """Return variables of the case and captured values, oldest first; a name that is captured again has two."""
    job = history.request.job if history.request else None
    given = job.variables.items() if isinstance(job, TestCase) else ()
    first = [SharedValue(name=name, value=it, set_by="case", at=history.started_at) for name, it in given]
    found = (value for node in history.nodes.values() for value in _captured(node))
    return (*first, *sorted(found, key=lambda it: it.at))


def _captured(node: Node) -> Iterator[SharedValue]:
    result = node.result
    if result is None or result.status != "pass":
        return
    origins = {it.name: it for it in result.step.captures}
    for name, value in result.step.captured.items():
        yield SharedValue(
            name=name,
            value=value,
            node=node.id,
            number=node.position if node.plan else 0,
            set_by=_setter(node, result),
            taken_from=_describe_origin(origins.get(name)),
            at=node.ended_at,
        )


def _setter(node: Node, result: SubTaskResult) -> str:
    return result.source if result.source != "model" else (node.task.agent if node.task else "") or "model"


def _describe_origin(origin: Capture | None) -> str:
    if origin is None:
        return ""
    if origin.source == "unknown":
        return origin.tool
    place = f", {' '.join(origin.target)}" if origin.target else ""
    part = f", the part that matches {origin.pattern}" if origin.pattern else ""
    return f"{SOURCES.get(origin.source, origin.source)}{place}{part}{f' ({origin.tool})' if origin.tool else ''}"
