"""Folds a sub-task's journal into a view: workers, and calls, replies and notes in order. Pure."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from muster_client.steering import node_of
from muster_protocol.journal import (
    CallFinished,
    CallStarted,
    Children,
    Finished,
    JournalEntry,
    ModelReplied,
    Question,
    RecordingFound,
    Released,
    Revoked,
    StepRecorded,
    Suspended,
    Taken,
)
from muster_protocol.tasks import SubTaskResult
from muster_protocol.tool_calls import Shown, ToolOutcome
from muster_views.attempt_views import (
    AskedView,
    CallStatus,
    CallView,
    Moment,
    NoteView,
    ReplyView,
    ShownView,
    TakerView,
)
from muster_views.proofs import artifact_names, fill_known_arguments, read_arguments
from muster_views.replies import read_reply
from muster_views.texts import format_count


class TimedEntry(NamedTuple):
    """A journal entry and the time it was stored (unix seconds; 0 if unknown)."""

    at: float
    entry: JournalEntry


class Possession(NamedTuple):
    """Whether a worker holds a sub-task, and how often it was taken over from a lost one."""

    held: bool = False
    takeovers: int = 0

    def apply(self, entry: JournalEntry) -> "Possession":
        """Return the possession after a journal entry."""
        match entry:
            case Taken():
                return Possession(True, self.takeovers + self.held)
            case Released() | Suspended():  # returned, not lost
                return self._replace(held=False)
            case _:
                return self


def sum_takeovers(by_task: Mapping[str, Possession]) -> dict[str, int]:
    """Return the number of takeovers by node, from possessions by sub-task id."""
    found: dict[str, int] = {}
    for task, holding in by_task.items():
        found[node_of(task)] = found.get(node_of(task), 0) + holding.takeovers
    return found


class JournalView(Struct, kw_only=True):
    """The state of a journal while it is folded."""

    values: Mapping[str, str]
    """Values of the placeholders in arguments."""
    holding: Possession = Possession()
    takers: list[TakerView] = field(default_factory=list[TakerView])
    moments: list[Moment] = field(default_factory=list[Moment])
    asks: Question | None = None
    result: SubTaskResult | None = None
    _calls: dict[int, int] = field(default_factory=dict[int, int])
    """Index in `moments` by number of the call."""
    _joined: set[int] = field(default_factory=set[int])
    """Calls that went on after a wait, which took as long as they were waited for."""

    def apply(self, at: float, entry: JournalEntry) -> None:
        """Fold an entry with its time in unix seconds."""
        before, self.holding = self.holding, self.holding.apply(entry)
        match entry:
            case CallStarted():
                self._begin(entry, at)
            case CallFinished(index=index, outcome=outcome):
                self._finish(index, outcome, at)
            case Taken():
                self._take(entry, at, lost=before.held)
            case ModelReplied():
                self.moments.append(_view_reply(entry, at, self.values))
            case Suspended(waits=waits):
                self._suspend(waits, at)
            case RecordingFound() | StepRecorded():
                self._note_recording(at, entry)
            case Released(reason=reason):
                self._note(at, "released", f"Returned by its worker: {reason or 'told to stop'}")
            case Revoked(reason=reason):
                self.mark_open_calls("unknown")
                self._note(at, "revoked", f"Withdrawn by the run: {reason or 'no reason given'}", bad=True)
            case Finished(outcome=outcome):
                self.mark_open_calls("unknown")
                self.result = outcome

    def _begin(self, entry: CallStarted, at: float) -> None:
        """Add a call; one that had begun and waits, as one does that has asked others, goes on and is no other."""
        call = self.moments[self._calls[entry.index]] if entry.index in self._calls else None
        if isinstance(call, CallView) and call.status == "running":
            self._joined.add(entry.index)
            return
        self._calls[entry.index] = len(self.moments)
        self.moments.append(_start_call(entry, at, self.values))

    def _note_recording(self, at: float, entry: RecordingFound | StepRecorded) -> None:
        if entry.recording is None:
            return
        verb = "Replays its recording of" if isinstance(entry, RecordingFound) else "Recorded"
        self._note(at, "recording", f"{verb} {format_count(len(entry.recording.calls), 'call')}")

    def _suspend(self, waits: Question | Children, at: float) -> None:
        if isinstance(waits, Children):
            self._note(at, "suspended", f"Waits for {format_count(len(waits.children), 'sub-task')} of its own")
            return
        self.asks = waits
        self.mark_open_calls("asking")
        self._note(at, "suspended", f"Asked a person: {waits.text}")

    def _take(self, entry: Taken, at: float, *, lost: bool) -> None:
        # an entry's own `at` is when the queue message was stored: the same for each delivery
        self.takers.append(TakerView(worker=entry.worker, at=at or entry.at, delivery=entry.delivery))
        if lost:
            self.mark_open_calls("unknown")
            text = f"Taken over by {entry.worker} (delivery {entry.delivery}); finished calls are not repeated"
            self._note(at, "taken", text, bad=True)
        elif len(self.takers) > 1:
            self.mark_open_calls("running")
            self._note(at, "taken", f"Continued by {entry.worker}")

    def _finish(self, index: int, outcome: ToolOutcome, at: float) -> None:
        place = self._calls.setdefault(index, len(self.moments))
        if place == len(self.moments):
            self.moments.append(CallView(number=index, tool="", arguments={}, status="running", artifacts=()))
        call = self.moments[place]
        if isinstance(call, CallView):
            ended = _finish_call(call, outcome, at)
            waited = (at - call.started_at) * 1000
            self.moments[place] = replace(ended, duration_ms=waited) if index in self._joined else ended

    def mark_open_calls(self, status: CallStatus) -> None:
        """Set the status of the calls without an outcome."""
        for place in self._calls.values():
            call = self.moments[place]
            if isinstance(call, CallView) and call.status in ("running", "asking"):
                self.moments[place] = replace(call, status=status)

    def _note(self, at: float, about: str, text: str, *, bad: bool = False) -> None:
        self.moments.append(NoteView(at=at, about=about, text=text, bad=bad))  # pyright: ignore[reportArgumentType]


def view_journal(
    journal: Iterable[tuple[float, JournalEntry]], values: Mapping[str, str], *, over: bool
) -> JournalView:
    """Return the view of a journal; `over`: the sub-task has ended, even if the journal does not say so."""
    telling = JournalView(values=values)
    for at, entry in journal:
        telling.apply(at, entry)
    if over:
        telling.mark_open_calls("unknown")
    telling.moments = _compute_starts(telling.moments)
    return telling


def _compute_starts(moments: list[Moment]) -> list[Moment]:
    """Return moments with the actual start of each call.

    A read-only call is recorded together with the call after it. Its start is its end minus its duration, and its end
    is at most the start of the next call.
    """
    found = list(moments)
    following = float("inf")
    for place, call in reversed(list(enumerate(found))):
        if isinstance(call, CallView) and call.started_at:
            ended = min(call.ended_at, following)
            begun = ended - call.duration_ms / 1000 if call.ended_at else call.started_at
            begun = max(begun, _last_announced_start(found[:place]))
            found[place] = replace(call, started_at=begun, ended_at=call.ended_at and max(begun, ended))
            following = min(begun, following)
    return found


def _last_announced_start(moments: list[Moment]) -> float:
    """Return the start of the newest call that was recorded before it was made; 0 if none was."""
    announced = (one for one in reversed(moments) if isinstance(one, CallView) and one.effect in ("act", "idempotent"))
    return next((one.started_at for one in announced), 0.0)


def _start_call(entry: CallStarted, at: float, values: Mapping[str, str]) -> CallView:
    return CallView(
        number=entry.index,
        tool=entry.call.tool,
        arguments=fill_known_arguments(entry.call.arguments, values),
        clause=entry.call.clause,
        effect=entry.effect,
        started_at=at,
        status="running",
        artifacts=(),
    )


def _finish_call(call: CallView, outcome: ToolOutcome, at: float) -> CallView:
    address, shown = outcome.where.startswith(("http://", "https://")), _view_shown(outcome.shown)
    return replace(
        call,
        ended_at=at,
        duration_ms=outcome.duration_ms,
        status="error" if outcome.status == "ok" and outcome.failure else outcome.status,
        summary=outcome.text,
        failure=str(outcome.failure or ""),
        expected=outcome.expected,
        seen=outcome.seen,
        where=outcome.where,
        url=outcome.where if address else "",
        confirmed=outcome.confirmed,
        strategy=outcome.strategy,
        captured=outcome.captured,
        element=outcome.element,
        artifacts=tuple(name for name in artifact_names(outcome.artifacts) if not shown or name not in shown.pictures),
        shown=shown,
        usage=outcome.usage,
    )


def _view_shown(shown: Shown | None) -> ShownView | None:
    if shown is None:
        return None
    pictures = tuple(name.partition("/")[2] for name in shown.pictures)
    return ShownView(pictures=pictures, target=shown.target, gone=shown.gone, new=shown.new, parts=shown.parts)


def _view_reply(entry: ModelReplied, at: float, values: Mapping[str, str]) -> ReplyView:
    reply = read_reply(entry.reply)
    return ReplyView(
        number=entry.index,
        at=at,
        text=reply.text,
        calls=tuple(AskedView(tool=one.name, arguments=read_arguments(one.arguments, values)) for one in reply.calls),
        input_tokens=entry.input_tokens,
        output_tokens=entry.output_tokens,
        cost=entry.cost,
    )
