"""Entries of a sub-task's journal, `muster.journal.<run>.<node>.<attempt>`, appended by compare-and-set.

A stored message holds a batch of entries, so that the end of one call and the start of the next take one write.
"""

from msgspec import Struct

from muster_protocol.assignments import AT_ONCE
from muster_protocol.kinds import Input
from muster_protocol.step_recordings import StepRecording
from muster_protocol.tasks import Budget, SubTaskResult
from muster_protocol.tool_calls import Effect, ToolCall, ToolOutcome, Usage

FINISHED_HEADER = "Muster-Finished"
"""Header of a batch that ends a holder's work (`Finished`, `Suspended`); watchers decode no others."""


class Taken(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="taken"):
    """A worker has taken the sub-task."""

    worker: str
    message: int
    """Sequence of its queue message; with another sequence, the sub-task was queued again."""
    delivery: int
    """How often the queue has delivered this message; a holder with a lower number is outdated."""
    at: float = 0.0


class CallStarted(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="call_started"):
    """A tool is about to be called; stored before the call can have any effect."""

    index: int
    call: ToolCall
    effect: Effect


class CallFinished(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="call_finished"):
    """A tool call has returned."""

    index: int
    outcome: ToolOutcome


class ModelReplied(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="model_replied"):
    """A model has answered; a new holder uses the answer instead of asking again."""

    index: int
    reply: str
    """Its text and tool calls, as JSON."""
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    cost: float = 0.0


class RecordingFound(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="recording_found"):
    """The recording to replay was looked for; a new holder goes by this one, whatever has become of it since."""

    key: str
    recording: StepRecording | None = None
    """None: there is none."""


class StepRecorded(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="step_recorded"):
    """What a model did in this attempt, to be kept if the attempt is accepted as passed."""

    recording: StepRecording


class Released(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="released"):
    """The holder gave the sub-task back because its process is stopping."""

    reason: str = ""


class Finished(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="finished"):
    """The sub-task has ended; nothing follows."""

    outcome: SubTaskResult


class Question(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="question"):
    """A sub-task's question to a person."""

    id: str
    """`<task>:<call index>`."""
    text: str


class Child(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A sub-task that another one asks for."""

    description: str
    input: Input
    agent: str = ""
    """Id of the agent; empty: the default agent of its kind."""
    budget: Budget | None = None
    """Reserved for it out of its parent's; None: as much as any sub-task of the run may spend."""


class Children(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="children"):
    """Sub-tasks that a sub-task waits for, to be begun in this order."""

    call: str
    """Id of the call that asks for them, `<task>:<index>`."""
    children: tuple[Child, ...]
    max_concurrent: int = AT_ONCE


class Suspended(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="suspended"):
    """The sub-task waits without a holder; the next holder continues from here."""

    waits: Question | Children
    message: int
    """Sequence of the queue message that this ends; the next holder has a later one."""
    spent: Usage = Usage()
    """Usage of the attempt so far."""


class Revoked(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="revoked"):
    """The run's owner has cancelled the sub-task, which fences its holder; nothing follows."""

    reason: str = ""


JournalEntry = (
    Taken
    | CallStarted
    | CallFinished
    | ModelReplied
    | RecordingFound
    | StepRecorded
    | Released
    | Finished
    | Suspended
    | Revoked
)


class JournalBatch(Struct, frozen=True, kw_only=True):
    """One stored message of a journal."""

    entries: tuple[JournalEntry, ...]
