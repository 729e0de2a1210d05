"""The kinds of sub-tasks a worker can do, a module each; `RUNNERS` has them by name."""

from collections.abc import Awaitable, Callable

from muster_protocol.tasks import SubTaskResult
from muster_subagent.kind_work.evaluate_work import evaluate
from muster_subagent.kind_work.noop_work import do_nothing
from muster_subagent.kind_work.plan_work import plan_case
from muster_subagent.kind_work.step_work import carry_out_step
from muster_subagent.kind_work.summarise_work import summarise
from muster_subagent.task_context import TaskContext

Runner = Callable[[TaskContext], Awaitable[SubTaskResult]]
"""Works on a sub-task and returns its result."""

RUNNERS: dict[str, Runner] = {
    "plan": plan_case,
    "step": carry_out_step,
    "evaluate": evaluate,
    "summarise": summarise,
    "noop": do_nothing,
}
