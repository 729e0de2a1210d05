"""The run as a pure state machine: no clock, no ids, no I/O; everything that decides about a run lives in this package.

`evolve(run, event)` says what an event makes of a run and is total: a late or repeated report changes nothing.
`decide(run)` says what the run wants done next: events that follow by themselves (`Record`) and effects. Both are
functions of the log alone, so whoever folds the log continues where the last owner stopped.
"""

from muster_orchestrator.machine.commands import Command, Conclude, Enqueue, OpenTheSession, Record, SetTimer
from muster_orchestrator.machine.decide import decide, needs
from muster_orchestrator.machine.evolve import MEANING, evolve, fold, settle
from muster_orchestrator.machine.state import Node, Run, asking, open_tasks

__all__ = [
    "MEANING",
    "Command",
    "Conclude",
    "Enqueue",
    "Node",
    "OpenTheSession",
    "Record",
    "Run",
    "SetTimer",
    "asking",
    "decide",
    "evolve",
    "fold",
    "needs",
    "open_tasks",
    "settle",
]
