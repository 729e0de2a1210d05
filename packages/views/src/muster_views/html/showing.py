"""Formats views for a page: files, long texts, calls with arguments. Pure."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from muster_protocol.codec import encode
from muster_protocol.journal import CallFinished, CallStarted, Finished, JournalEntry, ModelReplied
from muster_protocol.kinds import Decision, EvaluateOutput
from muster_protocol.tool_calls import ArgumentValue, Box, Usage
from muster_views.attempt_views import AttemptView, CallView, ReplyView
from muster_views.material import StoredFile
from muster_views.texts import LEFT_OUT, format_duration, format_size, format_usage, shorten, to_words

LONGEST, SHORTEST, TOGETHER = 2_000, 120, 80_000
"""Characters of a long text, at most and at least, and of all long texts on a page."""
LONG_ARGUMENT = 70


class File(NamedTuple):
    """A linked file: path relative to the page, display name, size as text."""

    path: str
    name: str
    size: str = ""
    hint: str = ""


class Fact(NamedTuple):
    """A named detail."""

    name: str
    text: str


class Arguments(NamedTuple):
    """A call's arguments: short ones in parentheses, long ones below it."""

    short: tuple[Fact, ...]
    long: tuple[Fact, ...]


class Showing(NamedTuple):
    """Files by their names below the run, and the maximum characters of a long text."""

    files: Mapping[str, StoredFile]
    room: int = LONGEST

    def text(self, text: str) -> str:
        """Return a text shortened to `room` characters."""
        return shorten(text, self.room)

    def pictures(self, names: Iterable[str]) -> tuple[File, ...]:
        """Return the named files that are available and are pictures."""
        return tuple(_to_file(file) for file in self._found(names) if file.picture)

    def others(self, names: Iterable[str]) -> tuple[File, ...]:
        """Return the named files that are available and are not pictures."""
        return tuple(_to_file(file) for file in self._found(names) if not file.picture)

    def facts(self, named: Iterable[tuple[str, str]]) -> tuple[Fact, ...]:
        """Return named texts without empty ones."""
        return tuple(Fact(name, self.text(text)) for name, text in named if text.strip())

    def arguments(self, given: Mapping[str, ArgumentValue]) -> Arguments:
        """Return arguments formatted for display."""
        long = {name: value for name, value in given.items() if not name or _is_long(value)}
        short = {name: value for name, value in given.items() if name not in long}
        return Arguments(
            tuple(Fact(name, self.text(encode(value).decode())) for name, value in short.items()),
            tuple(Fact(name, self.text(str(value))) for name, value in long.items()),
        )

    def parts(self, boxes: Iterable[Box]) -> str:
        """Return the places of parts of a picture as text."""
        return "; ".join(f"{it.width:.0f} x {it.height:.0f} at {it.x:.0f}, {it.y:.0f}" for it in boxes)

    def outcome(self, call: CallView) -> tuple[Fact, ...]:
        """Return the details of a call that its summary does not contain."""
        details = [("expected", call.expected), ("seen", call.seen)] if call.status != "ok" else []
        facts = [(name, text) for name, text in details if text not in call.summary]
        if call.failure and call.status != "failed":
            facts.append(("went wrong", to_words(call.failure)))
        return self.facts((*facts, *((f"captured {name}", value) for name, value in call.captured.items())))

    def _found(self, names: Iterable[str]) -> Iterator[StoredFile]:
        return (self.files[name] for name in dict.fromkeys(names) if name in self.files)


def list_numbers(attempt: AttemptView) -> tuple[Fact, ...]:
    """Return the numbers of an attempt, without zero and default values."""
    result, takers = attempt.result, attempt.takers
    waited = takers[0].at - attempt.dispatched_at if takers and takers[0].at else 0.0
    facts = [
        ("worker", (result.worker if result else "") or (takers[-1].worker if takers else "")),
        ("attempt", str(attempt.attempt)),
        ("agent", attempt.agent),
        ("waited for a worker", format_duration(waited) if waited >= 1 else ""),
    ]
    if result:
        usage = result.usage
        facts += [
            ("source", result.source),
            ("iterations", str(result.iterations or "")),
            ("tool calls", f"{usage.calls:,}" if usage.calls else ""),
            ("model calls", f"{usage.model_calls:,}" if usage.model_calls else ""),
            ("tokens in / out", f"{usage.input_tokens:,} / {usage.output_tokens:,}" if format_usage(usage) else ""),
            ("failure", to_words(result.failure) if result.failure else ""),
            ("cause", result.cause or ""),
        ]
    return tuple(Fact(name, text) for name, text in facts if text)


def find_decision(attempt: AttemptView) -> Decision | None:
    """Return the decision of an evaluation."""
    output = attempt.result.output if attempt.result else None
    return output.decision if isinstance(output, EvaluateOutput) else None


def format_attempt_duration(attempt: AttemptView) -> str:
    """Return the duration of an attempt as text; empty if it has not ended."""
    seconds = attempt.result.usage.seconds if attempt.result else 0.0
    return format_duration(attempt.ended_at - attempt.dispatched_at if attempt.ended_at else seconds)


def format_cost(reply: ReplyView) -> str:
    """Return the tokens and cost of a model's reply as text."""
    return format_usage(Usage(input_tokens=reply.input_tokens, output_tokens=reply.output_tokens, cost=reply.cost))


def share_room(lengths: Iterable[int]) -> int:
    """Return the maximum characters per text so that all texts together stay within `TOGETHER`."""
    left, waiting = TOGETHER, sorted(lengths)
    for index, length in enumerate(waiting):
        share = left // (len(waiting) - index)
        if length > share:
            return max(SHORTEST, min(LONGEST, share - len(LEFT_OUT)))
        left -= length
    return LONGEST


def text_lengths(entry: JournalEntry) -> Iterator[int]:
    """Yield the lengths of the texts that a page shows for an entry."""
    match entry:
        case CallStarted(call=call):
            yield from (len(value) for value in call.arguments.values() if isinstance(value, str))
        case CallFinished(outcome=outcome):
            yield len(outcome.text)
        case ModelReplied(reply=reply):
            yield len(reply)
        case Finished(outcome=result):
            found = result.step.evidence
            yield from (len(text) for item in found for text in (item.clause, item.arguments, item.seen, item.where))
            yield len(result.summary)
        case _:
            pass


def _is_long(value: ArgumentValue) -> bool:
    return isinstance(value, str) and (len(value) > LONG_ARGUMENT or "\n" in value)


def _to_file(found: StoredFile) -> File:
    name = (found.name if found.path.startswith("data:") else found.path).rpartition("/")[2]
    hint = "open it with: playwright show-trace" if name.endswith("trace.zip") else ""
    return File(path=found.path, name=name, size=format_size(found.size), hint=hint)
