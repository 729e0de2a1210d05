"""The run as a pure state machine: no clock, no ids, no I/O; everything that decides about a run lives in this package.

`evolve(run, event)` applies an event and is total: a late or repeated report changes nothing. `decide(run)` returns
what to do next: record events that follow by themselves (`Record`), or carry out effects. Both depend on the log alone,
so a new owner that folds the log continues where the last one stopped.

`core` serves every job; a job is a folder of rules (`test_case`, `drill`) over its own state, which core never reads.
"""

from muster_orchestrator.machine.core.commands import (
    AcquireSession,
    Command,
    Conclude,
    Effect,
    Enqueue,
    Record,
    SetTimer,
    Withdraw,
)
from muster_orchestrator.machine.core.graph import Graph, Node
from muster_orchestrator.machine.core.state import (
    POOL,
    SESSION_HOST,
    Run,
    asking_nodes,
    describe_host,
    names_in,
    open_node,
    open_tasks,
)
from muster_orchestrator.machine.decide import decide, required_services
from muster_orchestrator.machine.evolve import EVENTS_VERSION, MAX_FOLLOWING, Settled, evolve, fold, settle
from muster_orchestrator.machine.job_rules import job_of, values_in

__all__ = [
    "EVENTS_VERSION",
    "MAX_FOLLOWING",
    "POOL",
    "SESSION_HOST",
    "AcquireSession",
    "Command",
    "Conclude",
    "Effect",
    "Enqueue",
    "Graph",
    "Node",
    "Record",
    "Run",
    "SetTimer",
    "Settled",
    "Withdraw",
    "asking_nodes",
    "decide",
    "describe_host",
    "evolve",
    "fold",
    "job_of",
    "names_in",
    "open_node",
    "open_tasks",
    "required_services",
    "settle",
    "values_in",
]
