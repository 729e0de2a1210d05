"""The run as a pure state machine: no clock, no ids, no I/O; everything that decides about a run lives in this package.

`evolve(run, event)` says what an event makes of a run and is total: a late or repeated report changes nothing.
`decide(run)` says what the run wants done next: events that follow by themselves (`Record`) and effects. Both are
functions of the log alone, so whoever folds the log continues where the last owner stopped.

`core` has what every run has; each job has a folder of rules (`test_case`, `drill`) over a state that core never reads.
"""

from muster_orchestrator.machine.core.commands import (
    Command,
    Conclude,
    Effect,
    Enqueue,
    OpenTheSession,
    Record,
    SetTimer,
)
from muster_orchestrator.machine.core.graph import Graph, Node
from muster_orchestrator.machine.core.state import (
    POOL,
    SESSION_HOST,
    Run,
    asking_nodes,
    describe_host,
    open_node,
    open_tasks,
)
from muster_orchestrator.machine.decide import decide, required_services
from muster_orchestrator.machine.evolve import EVENTS_VERSION, MAX_FOLLOWING, Settled, evolve, fold, settle
from muster_orchestrator.machine.job_rules import values_in

__all__ = [
    "EVENTS_VERSION",
    "MAX_FOLLOWING",
    "POOL",
    "SESSION_HOST",
    "Command",
    "Conclude",
    "Effect",
    "Enqueue",
    "Graph",
    "Node",
    "OpenTheSession",
    "Record",
    "Run",
    "SetTimer",
    "Settled",
    "asking_nodes",
    "decide",
    "describe_host",
    "evolve",
    "fold",
    "open_node",
    "open_tasks",
    "required_services",
    "settle",
    "values_in",
]
