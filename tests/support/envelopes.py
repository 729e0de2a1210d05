"""Sub-tasks and their results with what is in them named beside the fields of the envelope."""

from typing import Any

from msgspec.structs import replace

from muster_protocol.kinds import KINDS_BY_NAME, Output, StepInput
from muster_protocol.requests import Step, TestCase
from muster_protocol.tasks import SubTask, SubTaskResult

HELD = ("captured", "evidence", "acts", "captures", "plan", "decision")
"""What outputs hold."""
CASE = TestCase(name="A case", steps=(Step(action="Do it", expected="It is done"),))
NEEDED: dict[str, Any] = {"case": CASE, "action": "Do it", "summary": "it was not done"}
"""What inputs cannot be without."""


def a_task(id: str, *, kind: str = "step", **fields: Any) -> SubTask:
    """Return a sub-task; its run, node and attempt are those of its id, its input is made of the fields it has."""
    run, node, attempt = id.split(".")
    shape = KINDS_BY_NAME[kind].input  # what only a step has is nothing to other kinds
    held = NEEDED | {name: fields.pop(name) for name in shape.__struct_fields__ if name in fields}
    held = {name: value for name, value in held.items() if name in shape.__struct_fields__}
    fields = {name: value for name, value in fields.items() if name not in StepInput.__struct_fields__}
    place: dict[str, Any] = {"run": run, "node": node, "attempt": int(attempt), "dispatch": 1, "input": shape(**held)}
    return SubTask(id=id, **{**place, **fields})


def result_of(task: str, *, kind: str = "step", **fields: Any) -> SubTaskResult:
    """Return the result of a sub-task by its id; its output is made of the fields it has."""
    _, node, attempt = task.split(".") if task.count(".") == 2 else ("", "", "1")
    place: dict[str, Any] = {"node": node, "attempt": int(attempt), "output": output_of(kind, fields)}
    return SubTaskResult(task=task, **{**place, **fields})


def with_output(result: SubTaskResult, **held: Any) -> SubTaskResult:
    """Return a result of a step whose output holds something else."""
    return replace(result, output=replace(result.step, **held))


def output_of(kind: str, fields: dict[str, Any]) -> Output | None:
    """Take what an output of the kind holds out of the fields; one of a pass is there, however little it holds."""
    shape = KINDS_BY_NAME[kind].output
    held: dict[str, Any] = {name: fields.pop(name) for name in HELD if name in fields}
    if kind == "summarise":
        held["state"] = fields.get("summary", "")
    wanted = {name: held[name] for name in shape.__struct_fields__ if name in held}
    lacking = [it for it in shape.__struct_fields__ if it not in held and it in ("plan", "decision")]
    there = bool(wanted) or fields.get("status") == "pass"
    return shape(**wanted) if there and not lacking else None  # type: ignore[return-value]
