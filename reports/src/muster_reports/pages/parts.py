"""The parts of a run's page, ready to be shown: all texts are plain, unescaped and short enough."""

from collections.abc import Sequence

from msgspec import Struct


class File(Struct, frozen=True, kw_only=True):
    """A file beside the page: its path from the page, its name for people, and its size in words."""

    path: str
    name: str
    size: str = ""
    hint: str = ""


class Fact(Struct, frozen=True, kw_only=True):
    """A named detail; `long` for texts that need lines of their own."""

    name: str
    text: str
    long: bool = False


class Call(Struct, frozen=True, kw_only=True):
    """A tool with its arguments as people read them."""

    tool: str
    arguments: Sequence[Fact] = ()


class Check(Struct, frozen=True, kw_only=True):
    """What a check of a clause looked at and saw; `note` says why it does not count, if it does not."""

    call: Call
    state: str
    details: Sequence[Fact] = ()
    note: str = ""


class Clause(Struct, frozen=True, kw_only=True):
    """A clause of an expectation; its state is `pass`, `fail`, or `none` if nothing proves it."""

    text: str
    state: str
    checks: Sequence[Check] = ()


class Moment(Struct, frozen=True, kw_only=True):
    """One thing in a journal: a `call`, a `reply` of a model, or a `note`."""

    kind: str
    state: str = ""
    title: str = ""
    call: Call | None = None
    effect: str = ""
    text: str = ""
    details: Sequence[Fact] = ()
    calls: Sequence[Call] = ()
    """What a model asked for in a reply."""
    took: str = ""
    spent: str = ""
    pictures: Sequence[File] = ()
    files: Sequence[File] = ()


class AttemptPart(Struct, frozen=True, kw_only=True):
    """One attempt at a sub-task; `kind` says what it is for: `attempt`, `recovery`, `evaluation` or `planning`."""

    kind: str
    title: str
    state: str
    summary: str = ""
    refused: str = ""
    """What the worker claimed, where the run made something else of it."""
    retried: str = ""
    decision: Sequence[Fact] = ()
    facts: Sequence[Fact] = ()
    details: Sequence[Fact] = ()
    """What was expected and seen, where, and what went wrong."""
    clauses: Sequence[Clause] = ()
    moments: Sequence[Moment] = ()
    values: Sequence[Fact] = ()
    pictures: Sequence[File] = ()
    files: Sequence[File] = ()
    """Files that belong to none of its moments."""
    took: str = ""
    spent: str = ""


class SubTaskPart(Struct, frozen=True, kw_only=True):
    """A node of the plan with all that was done for it, in order."""

    anchor: str
    position: int
    title: str
    state: str
    badges: Sequence[str] = ()
    took: str = ""
    spent: str = ""
    attempts: Sequence[AttemptPart] = ()


class Written(Struct, frozen=True, kw_only=True):
    """A step or precondition as it is written."""

    label: str
    action: str
    expected: str = ""


class Group(Struct, frozen=True, kw_only=True):
    """Written steps and the sub-tasks that carry them out; `label` is for sub-tasks that no written step asks for."""

    state: str
    label: str = ""
    note: str = ""
    written: Sequence[Written] = ()
    sub_tasks: Sequence[SubTaskPart] = ()


class Event(Struct, frozen=True, kw_only=True):
    """Something that happened to the run as a whole, and when after its start."""

    after: str
    text: str
    bad: bool = False


class RunPage(Struct, frozen=True, kw_only=True):
    """All of a run's page."""

    name: str
    state: str
    cause: str = ""
    summary: str = ""
    facts: Sequence[Fact] = ()
    totals: Sequence[Fact] = ()
    tags: Sequence[str] = ()
    failure: Sequence[Fact] = ()
    failed_anchor: str = ""
    failure_pictures: Sequence[File] = ()
    notes: Sequence[str] = ()
    planning: Sequence[AttemptPart] = ()
    plan_note: str = ""
    groups: Sequence[Group] = ()
    events: Sequence[Event] = ()
    pictures: Sequence[File] = ()
    files: Sequence[File] = ()
    lines: Sequence[str] = ()
    lines_note: str = ""
