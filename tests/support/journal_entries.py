"""Entries of the journal of one sub-task, and the progress after them."""

from envelopes import result_of

from muster_protocol.journal import (
    CallFinished,
    CallStarted,
    Finished,
    JournalEntry,
    ModelReplied,
    Question,
    Suspended,
    Taken,
)
from muster_protocol.tool_calls import ToolCall, ToolOutcome
from muster_subagent.task_journal import Progress, progressed

TASK = "r.n.1"


def taken(delivery: int = 1, message: int = 7) -> Taken:
    return Taken(worker="w", message=message, delivery=delivery)


def started(index: int = 0) -> CallStarted:
    return CallStarted(index=index, call=ToolCall(tool="click"), effect="act")


def came_back(index: int = 0) -> CallFinished:
    return CallFinished(index=index, outcome=ToolOutcome(status="ok", text=f"call {index}"))


REPLY = ModelReplied(index=0, reply="{}")


FINISHED = Finished(outcome=result_of(task=TASK, status="pass", summary="done"))


ASKS = Question(id=f"{TASK}:1", text="Which code?")


SUSPENDED = Suspended(waits=ASKS, message=7)


def after(*entries: JournalEntry) -> Progress:
    progress = Progress()
    for entry in entries:
        progress = progressed(progress, entry)
    return progress
