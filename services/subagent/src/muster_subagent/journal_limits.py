"""What to leave out of a journal so that each entry fits into one message. Pure."""

from typing import NamedTuple

from msgspec.structs import replace

from muster_protocol.causes import Failure
from muster_protocol.codec import encode
from muster_protocol.journal import CallFinished, CallStarted, JournalEntry, Question, Suspended
from muster_protocol.kinds import StepOutput
from muster_protocol.tasks import SubTaskResult
from muster_protocol.tool_calls import ArgumentValue, ToolOutcome
from muster_subagent.results import failed, shortened

SHARE = 0.75
"""Share of what one message takes that a result may have: it goes on from here together with other things."""
MOST_CAPTURED = 100_000
"""Characters of captured values that a call whose outcome does not fit may keep."""


class _Part(NamedTuple):
    """A part of a result that can be large: its value, what people call it, and what makes it smaller."""

    value: object
    name: str
    advice: str


def _parts(result: SubTaskResult) -> tuple[_Part, ...]:
    step = result.step
    return (
        _Part(step.captured, "the values it remembered", "remember a smaller part"),
        _Part(step.evidence, "what its checks saw", "expect less in one step"),
        _Part(step.acts, "what it did", "split the step"),
        _Part(step.captures, "where its values came from", "remember less in one step"),
        _Part(None if isinstance(result.output, StepOutput) else result.output, "its output", "ask for less"),
        _Part(result.artifacts, "the list of its files", "keep fewer"),
        _Part(result.summary, "its summary", "ask for less"),
    )


def fitting(result: SubTaskResult, message: int) -> SubTaskResult:
    """Return a result as it is if it fits with what else is said of it into `message` bytes, else without its details.

    A pass is none without them; any other end stays what it was.
    """
    size, most = len(encode(result)), int(message * SHARE)
    if size <= most:
        return result
    bare = _bare(result)
    if result.status != "pass":
        return bare
    largest = max(_parts(result), key=lambda part: len(encode(part.value)))
    why = f"its result is too large to be stored ({size} bytes, at most {most} fit), most of it {largest.name}"
    return failed(bare, Failure.LIMIT, f"{why}: {largest.advice}")


def _bare(result: SubTaskResult) -> SubTaskResult:
    return replace(
        result,
        summary=shortened(result.summary),
        expected=shortened(result.expected),
        seen=shortened(result.seen),
        where=shortened(result.where),
        output=None,
        artifacts=(),
    )


def lean(entry: JournalEntry) -> JournalEntry:
    """Return a journal entry without what can be large; the same again if there is nothing to leave out."""
    match entry:
        case CallStarted(call=call):
            arguments = {name: _cut(value) for name, value in call.arguments.items()}
            return replace(entry, call=replace(call, arguments=arguments, clause=shortened(call.clause)))
        case CallFinished(outcome=outcome):
            return replace(entry, outcome=_lean_outcome(outcome))
        case Suspended(waits=Question() as asks):
            return replace(entry, waits=replace(asks, text=shortened(asks.text)))
        case _:
            return entry


def _cut(value: ArgumentValue) -> ArgumentValue:
    match value:
        case str():
            return shortened(value)
        case list():
            return [shortened(item) for item in value[:50]]
        case _:
            return value


def _lean_outcome(outcome: ToolOutcome) -> ToolOutcome:
    """A value that was captured is kept whole or not at all: a part of it would pass for the whole."""
    cut = replace(
        outcome,
        text=shortened(outcome.text),
        expected=shortened(outcome.expected),
        seen=shortened(outcome.seen),
        where=shortened(outcome.where),
        artifacts=outcome.artifacts[:100],
    )
    captured = sum(map(len, outcome.captured.values()))
    if captured <= MOST_CAPTURED:
        return cut
    text = f"what it remembered is too large to be kept ({captured} characters): remember a smaller part"
    return replace(cut, status="error", failure=Failure.LIMIT, text=text, captured={})
