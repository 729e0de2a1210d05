"""Checks of runs' logs: one verdict, one owner at a time, no gap, nothing done again, caches equal the replay. Pure."""

from collections import Counter
from collections.abc import Callable, Iterator

from chaos.history import History, LogMessage, Violation
from muster_orchestrator.machine import Run, fold
from muster_protocol.events import (
    Event,
    OwnerChanged,
    RunClosed,
    RunOpened,
    SubTaskDispatched,
    SubTaskEnded,
    VerdictReached,
)
from muster_protocol.tasks import SubTask, SubTaskResult
from muster_protocol.verdicts import Verdict

Log = tuple[LogMessage, ...]
TIME_OFF = 60.0
"""Seconds by which a duration may differ from what the server saw: an entry may have waited for the server."""


def events_of(log: Log) -> Iterator[Event]:
    """Yield the events of a log, in order."""
    for message in log:
        yield from message.entry.events


def verdicts_of(log: Log) -> list[Verdict]:
    """Return the verdicts a log holds; there may be one only."""
    return [event.verdict for event in events_of(log) if isinstance(event, VerdictReached)]


def outcome(verdict: Verdict) -> str:
    """Return a verdict in a word: `pass`, or the cause of the fail."""
    return "pass" if verdict.status == "pass" else str(verdict.cause or "no cause")


def every_accepted_run_ends_once(history: History) -> Iterator[Violation]:
    """Accepted means finished: one verdict, then closed, and nothing after that."""
    for wish in history.wishes:
        log = history.logs.get(wish.run, ())
        if not log:
            if wish.accepted:
                yield Violation("lost run", wish.run, "it was acknowledged and has no log")
            continue
        found, kinds = len(verdicts_of(log)), [type(event) for event in events_of(log)]
        if found != 1:
            yield Violation("one verdict", wish.run, f"{found} verdicts in its log")
        if kinds.count(RunClosed) != 1 or kinds[-1] is not RunClosed:
            yield Violation(
                "closed last", wish.run, f"closed {kinds.count(RunClosed)} times; last is {kinds[-1].__name__}"
            )
    asked = {wish.run for wish in history.wishes}
    for run in sorted(set(history.logs) - asked):
        yield Violation("unasked run", run, "nobody asked for it")


def streams_have_no_gap(history: History) -> Iterator[Violation]:
    """What was appended is there: every sequence of a stream that keeps everything."""
    for stream, digests in history.digests.items():
        missing = sorted(set(range(history.first.get(stream, 1), max(digests) + 1)) - set(digests))
        if missing:
            yield Violation("gap", "", f"stream {stream} lacks sequences {missing[:10]}")


def what_was_shown_is_stored(history: History) -> Iterator[Violation]:
    """Live messages show only what was stored, byte for byte."""
    for shown in history.shown:
        found = history.digests.get(shown.stream, {}).get(shown.seq)
        if found != shown.digest:
            text = f"{shown.stream} {shown.seq} was shown with other content than is stored ({found or 'nothing'})"
            yield Violation("shown, not stored", "", text)


def epochs_rise_by_one(history: History) -> Iterator[Violation]:
    """An owner opens the run or announces itself; all that follows until the next one carries its epoch."""
    for run, log in history.logs.items():
        epoch = 0
        for message in log:
            first, *rest = message.entry.events
            if isinstance(first, RunOpened | OwnerChanged):
                epoch += 1
            if any(isinstance(event, RunOpened | OwnerChanged) for event in rest):
                yield Violation("owner", run, f"sequence {message.seq}: a change of owner in the middle of an entry")
            if isinstance(first, OwnerChanged) and first.epoch != epoch:
                yield Violation("epoch", run, f"sequence {message.seq}: epoch {first.epoch} announced, {epoch} is next")
            if message.entry.epoch != epoch:
                text = f"sequence {message.seq}: an entry of epoch {message.entry.epoch} while {epoch} owns the run"
                yield Violation("epoch", run, text)
        if log and not isinstance(log[0].entry.events[0], RunOpened):
            yield Violation("owner", run, "its log does not begin with RunOpened")


def nothing_is_dispatched_twice(history: History) -> Iterator[Violation]:
    """A sub-task is dispatched once and ends once; dispatch numbers count up."""
    for run, log in history.logs.items():
        tasks = [event.sub_task for event in events_of(log) if isinstance(event, SubTaskDispatched)]
        order, ids = [task.dispatch for task in tasks], Counter(task.id for task in tasks)
        ended = Counter(event.outcome.task for event in events_of(log) if isinstance(event, SubTaskEnded))
        if order != list(range(1, len(order) + 1)):
            yield Violation("dispatch order", run, f"dispatch numbers are {order}")
        for id, count in ids.items():
            if count > 1:
                yield Violation("dispatched twice", run, f"{id} was dispatched {count} times")
        for id, count in ended.items():
            if not ids[id]:
                yield Violation("unasked result", run, f"{id} ended and was never dispatched")
            elif count > ids[id]:
                yield Violation("ended twice", run, f"{id} ended {count} times in the run's log")


def what_has_passed_is_not_done_again(history: History) -> Iterator[Violation]:
    """No further attempt at a node is dispatched once one has passed."""
    for run, log in history.logs.items():
        passed = set[str]()
        for event in events_of(log):
            match event:
                case SubTaskEnded(outcome=SubTaskResult(node=node, status="pass")):
                    passed.add(node)
                case SubTaskDispatched(sub_task=SubTask(id=id, node=node)) if node in passed:
                    yield Violation("done is redone", run, f"{id} was dispatched after {node} had passed")
                case _:
                    pass


def replay_equals_what_is_cached(history: History) -> Iterator[Violation]:
    """Folding a log from zero gives the stored snapshot, and the row of the list tells the verdict."""
    for run, log in history.logs.items():
        snapshot, row, found = history.snapshots.get(run), history.rows.get(run), verdicts_of(log)
        if snapshot is not None:
            state = fold(Run(), (message.entry for message in log if message.seq <= snapshot.seq))
            if state != snapshot.run:
                yield Violation("replay", run, f"folded to sequence {snapshot.seq}, it differs from the snapshot")
        told = (row.status, row.cause) if row else ("no row", "")
        if found and told != (found[0].status, str(found[0].cause or "")):
            yield Violation("stale row", run, f"the list says {told}, the log says {outcome(found[0])}")


def durations_are_the_servers(history: History) -> Iterator[Violation]:
    """A run took as long as the server saw it take, whatever the clocks of its owners said."""
    for run, log in history.logs.items():
        for message in log:
            for event in message.entry.events:
                seen = message.at - log[0].at
                if isinstance(event, VerdictReached) and abs(event.verdict.duration - seen) > TIME_OFF:
                    text = f"it took {seen:.0f} s, and its verdict says {event.verdict.duration:.0f} s"
                    yield Violation("wrong time", run, text)


CHECKS: tuple[Callable[[History], Iterator[Violation]], ...] = (
    every_accepted_run_ends_once,
    streams_have_no_gap,
    what_was_shown_is_stored,
    epochs_rise_by_one,
    nothing_is_dispatched_twice,
    what_has_passed_is_not_done_again,
    replay_equals_what_is_cached,
    durations_are_the_servers,
)
