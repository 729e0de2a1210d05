"""Runs of assignments whose agents delegate, as the machine sees them."""

from typing import Any

from driven import Driven
from msgspec.structs import replace

from muster_protocol.events import ChildrenAsked
from muster_protocol.journal import Child
from muster_protocol.kinds import AssignInput, AssignOutput
from muster_protocol.requests import Assignment
from muster_protocol.tasks import SubTask, SubTaskResult
from muster_protocol.tool_calls import Usage


def assigned(**more: Any) -> Driven:
    """Return a run of an assignment whose agent is at work."""
    request = {name: more.pop(name) for name in ("limits",) if name in more}
    fields: dict[str, Any] = {"goal": "Mend it", "agent": "executor"}
    return Driven(Assignment(**(fields | more)), **request)


def ended(task: SubTask, status: Any = "pass", **more: Any) -> SubTaskResult:
    output = AssignOutput(**{name: more.pop(name) for name in ("output", "evidence", "acts") if name in more})
    usage = more.pop("usage", Usage(calls=2))
    result = SubTaskResult(
        task=task.id, node=task.node, attempt=task.attempt, status=status, summary=f"{task.node}: {status}", **more
    )
    return replace(result, output=output, usage=usage)


def wish(what: str = "Look", **more: Any) -> Child:
    return Child(description=what, input=AssignInput(depth=2), agent="reviewer", **more)


def delegates(driven: Driven, task: SubTask, *children: Child, call: int = 1, spent: int = 2, most: int = 3) -> Driven:
    asked = ChildrenAsked(
        task=task.id,
        call=f"{task.id}:{call}",
        children=children,
        max_concurrent=most,
        spent=Usage(calls=spent, seconds=10.0),
    )
    return driven.happens(asked)


def nodes_of(driven: Driven) -> list[str]:
    return [task.node for task in driven.tasks]
