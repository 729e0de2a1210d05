"""A sub-task's journal as moments: tool calls, model replies and takeovers, in the order they were written. Pure."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from muster_protocol.codec import decode, encode
from muster_protocol.journal import CallFinished, CallStarted, Finished, JournalEntry, ModelReplied, Released, Taken
from muster_protocol.tool_calls import ArgumentValue, ArtifactRef, ToolOutcome, Usage
from muster_reports.pages.material import StoredFile
from muster_reports.pages.parts import Call, Fact, File, Moment
from muster_reports.pages.words import LEFT_OUT, shortened, size, spent, took, words
from muster_reports.replies import read_reply
from muster_text.values import shown

LONGEST, SHORTEST, TOGETHER = 2_000, 120, 80_000
"""Characters of one long text, at most and at least, and of all long texts of a page together."""
LONG_ARGUMENT = 70
NO_OUTCOME = "no outcome is recorded: it was under way when its worker was lost"


class Showing(NamedTuple):
    """How to show what a journal holds: where files are, room for a long text, and values of placeholders."""

    files: Mapping[str, StoredFile]
    room: int = LONGEST
    values: Mapping[str, str] = {}

    def text(self, text: str) -> str:
        """Return a text with known values filled in, shortened to the room there is."""
        return shortened(shown(text, self.values), self.room)

    def pictures(self, refs: Sequence[ArtifactRef]) -> tuple[File, ...]:
        """Return those artefacts that are pictures."""
        return self.named([ref.name for ref in refs], pictures=True)

    def others(self, refs: Sequence[ArtifactRef]) -> tuple[File, ...]:
        """Return the artefacts that are no pictures."""
        return self.named([ref.name for ref in refs], pictures=False)

    def named(self, names: Iterable[str], *, pictures: bool) -> tuple[File, ...]:
        """Return the files of these names that were fetched: the pictures among them, or the others."""
        found = (self.files[name] for name in dict.fromkeys(names) if name in self.files)
        return tuple(_file(file) for file in found if file.picture == pictures)


def room_for(lengths: Iterable[int]) -> int:
    """Return how many characters of each text can be shown so that all together stay within bounds."""
    left, waiting = TOGETHER, sorted(lengths)
    for index, length in enumerate(waiting):
        share = left // (len(waiting) - index)
        if length > share:
            return max(SHORTEST, min(LONGEST, share - len(LEFT_OUT)))
        left -= length
    return LONGEST


def lengths(entry: JournalEntry) -> Iterator[int]:
    """Yield how long the texts are that a page shows of an entry."""
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


def moments(journal: Sequence[JournalEntry], showing: Showing) -> tuple[Moment, ...]:
    """Return what a journal tells, without its first taking and its result."""
    told: list[Moment] = []
    at: dict[int, int] = {}
    taken = 0
    for entry in journal:
        match entry:
            case CallStarted(index=index):
                at[index] = len(told)
                told.append(_started(entry, showing))
            case CallFinished(index=index, outcome=outcome):
                place = at.get(index)
                if place is None:
                    told.append(_finished(Moment(kind="call", title=f"call {index}"), outcome, showing))
                else:
                    told[place] = _finished(told[place], outcome, showing)
            case ModelReplied():
                told.append(_replied(entry, showing))
            case Taken(worker=worker, delivery=delivery):
                taken += 1
                if taken > 1:
                    text = f"Taken over by {worker} (delivery {delivery}); what was finished is not done again"
                    told.append(Moment(kind="note", state="error", title=text))
            case Released(reason=reason):
                told.append(Moment(kind="note", title=f"Given back by its worker: {reason or 'told to stop'}"))
            case _:
                pass
    return tuple(told)


def takeovers(journal: Sequence[JournalEntry]) -> int:
    """Return how often a sub-task was taken over after it was first taken."""
    return max(0, sum(isinstance(entry, Taken) for entry in journal) - 1)


def call_part(tool: str, arguments: Mapping[str, ArgumentValue] | str, showing: Showing) -> Call:
    """Return a call for people; arguments that are no JSON object are shown as they came."""
    if isinstance(arguments, str):
        try:
            arguments = decode(arguments, dict[str, ArgumentValue]) if arguments else {}
        except msgspec.DecodeError:
            return Call(tool=tool, arguments=(_argument("", str(arguments), showing),))
    return Call(tool=tool, arguments=tuple(_argument(name, value, showing) for name, value in arguments.items()))


def _argument(name: str, value: ArgumentValue, showing: Showing) -> Fact:
    long = isinstance(value, str) and (len(value) > LONG_ARGUMENT or "\n" in value)
    if long or not name:
        return Fact(name=name, text=showing.text(str(value)), long=long)
    filled = shown(value, showing.values) if isinstance(value, str) else value
    return Fact(name=name, text=showing.text(encode(filled).decode()))


def _started(entry: CallStarted, showing: Showing) -> Moment:
    call = call_part(entry.call.tool, entry.call.arguments, showing)
    return Moment(kind="call", state="none", call=call, effect=entry.effect, text=NO_OUTCOME)


def _finished(moment: Moment, outcome: ToolOutcome, showing: Showing) -> Moment:
    untold = [("expected", outcome.expected), ("seen", outcome.seen)] if outcome.status != "ok" else []
    details = [(name, text) for name, text in untold if text not in outcome.text]
    if outcome.failure is not None and outcome.status != "failed":
        details.append(("went wrong", words(outcome.failure)))
    details += [(f"captured {name}", value) for name, value in outcome.captured.items()]
    return msgspec.structs.replace(
        moment,
        state={"ok": "error" if outcome.failure else "pass", "failed": "fail"}.get(outcome.status, "error"),
        text=showing.text(outcome.text),
        details=tuple(Fact(name=name, text=showing.text(text)) for name, text in details if text.strip()),
        took=took(outcome.duration_ms / 1000),
        spent=spent(outcome.usage) if outcome.usage else "",
        pictures=showing.pictures(outcome.artifacts),
        files=showing.others(outcome.artifacts),
    )


def _replied(entry: ModelReplied, showing: Showing) -> Moment:
    usage = Usage(input_tokens=entry.input_tokens, output_tokens=entry.output_tokens, cost=entry.cost)
    reply = read_reply(entry.reply)
    names = ", ".join(asked.name for asked in reply.calls)
    return Moment(
        kind="reply",
        title=shortened(f"Model: {names}" if names else "Model replied", 120),
        text=showing.text(reply.text),
        calls=tuple(call_part(asked.name, asked.arguments, showing) for asked in reply.calls),
        spent=spent(usage),
    )


def _file(found: StoredFile) -> File:
    name = (found.name if found.path.startswith("data:") else found.path).rpartition("/")[2]
    hint = "open it with: playwright show-trace" if name.endswith("trace.zip") else ""
    return File(path=found.path, name=name, size=size(found.size), hint=hint)
