"""Entries of a sub-task's journal, `muster.journal.<run>.<node>.<attempt>`, appended by compare-and-set.

One stored message holds a batch of entries, so that the end of one call and the start of the next are one write.
"""

from msgspec import Struct

from muster_protocol.kinds import Input
from muster_protocol.tasks import SubTaskResult
from muster_protocol.tool_calls import Effect, ToolCall, ToolOutcome, Usage

FINISHED_HEADER = "Muster-Finished"
"""Header of a message that ends a holder's work (`Finished`, `Suspended`), so that watchers need not decode others."""


class Taken(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="taken"):
    """A worker holds the sub-task from here on."""

    worker: str
    message: int
    """Stream sequence of the queue message; another number is a copy of the same sub-task."""
    delivery: int
    """How often the queue has handed this message out; a holder with a lower number is outdated."""
    at: float = 0.0


class CallStarted(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="call_started"):
    """A tool is about to be called; written before anything can have happened."""

    index: int
    call: ToolCall
    effect: Effect


class CallFinished(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="call_finished"):
    """A tool call came back."""

    index: int
    outcome: ToolOutcome


class ModelReplied(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="model_replied"):
    """A model answered; a new holder goes on from here without asking again."""

    index: int
    reply: str
    """What it said and which calls it asked for, as JSON."""
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float = 0.0


class Released(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="released"):
    """The holder gave the sub-task back on purpose (it was told to stop)."""

    reason: str = ""


class Finished(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="finished"):
    """The sub-task is done; nothing follows."""

    outcome: SubTaskResult


class Question(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="question"):
    """What a sub-task asks a person."""

    id: str
    """`<task>:<call index>`."""
    text: str


class Child(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A sub-task that another one wants done."""

    description: str
    input: Input
    agent: str = ""
    """Id of the agent to work on it; empty: that of its kind."""


class Children(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="children"):
    """Sub-tasks that a sub-task wants done first, in this order."""

    children: tuple[Child, ...]


class Suspended(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="suspended"):
    """The sub-task waits without a holder; the next holder continues from here, and more may follow."""

    waits: Question | Children
    message: int
    """Stream sequence of the queue message that is done with; whoever goes on comes with a later one."""
    spent: Usage = Usage()
    """What the attempt has spent up to here."""


class Revoked(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="revoked"):
    """The run no longer wants the sub-task; written by the run's owner. Its holder is fenced; nothing follows."""

    reason: str = ""


JournalEntry = Taken | CallStarted | CallFinished | ModelReplied | Released | Finished | Suspended | Revoked


class JournalBatch(Struct, frozen=True, kw_only=True):
    """What one stored message of a journal holds."""

    entries: tuple[JournalEntry, ...]
