"""The kinds of sub-tasks a worker can do: `work` in the module `<kind>_work`."""

from collections.abc import Awaitable, Callable
from importlib import import_module

from muster_protocol.kinds import KINDS
from muster_protocol.tasks import SubTaskResult
from muster_subagent.task_context import TaskContext

Runner = Callable[[TaskContext], Awaitable[SubTaskResult]]
"""Works on a sub-task and returns its result."""

RUNNERS: dict[str, Runner] = {kind.name: import_module(f"{__name__}.{kind.name}_work").work for kind in KINDS}
"""The work of each kind, by the kind's name."""
