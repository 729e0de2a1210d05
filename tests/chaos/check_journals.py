"""Checks of journals: one holder at a time, no call made twice, one end, the end that the run's log tells. Pure."""

from collections.abc import Callable, Iterator

from chaos.check_logs import events_of
from chaos.history import History, JournalMessage, Violation
from muster_protocol.codec import encode
from muster_protocol.events import SubTaskDispatched, SubTaskEnded
from muster_protocol.journal import (
    CallFinished,
    CallStarted,
    Finished,
    JournalEntry,
    ModelReplied,
    Revoked,
    Suspended,
    Taken,
)
from muster_protocol.tasks import SubTask

Journal = tuple[JournalMessage, ...]
JOINED = ("execute_command", "dialog")
"""Calls that the session host remembers by their id: asked again, they are joined, not made again."""


def entries_of(journal: Journal) -> Iterator[JournalEntry]:
    """Yield the entries of a journal, in order."""
    for message in journal:
        yield from message.entries


def run_of(task: str) -> str:
    """Return the run that a sub-task belongs to."""
    return task.partition(".")[0]


def holders_follow_one_another(history: History) -> Iterator[Violation]:
    """A journal begins with its holder; each holder comes with a later delivery; nothing follows the end."""
    for task, journal in history.journals.items():
        last, over, held = (0.0, 0, 0), False, False
        for entry in entries_of(journal):
            name = type(entry).__name__
            if over:
                yield Violation("after the end", run_of(task), f"{task}: {name} follows the end of the journal")
            match entry:
                case Taken(message=message, delivery=delivery, at=at):  # a queue made anew numbers from 1 again
                    if (at, message, delivery) <= last:
                        text = f"{task}: taken with delivery {(message, delivery)} after {last[1:]}"
                        yield Violation("outdated holder", run_of(task), text)
                    last, held = (at, message, delivery), True
                case Suspended():
                    held = False
                case Finished() | Revoked():
                    over = True
                case _:
                    pass
            if not held and not isinstance(entry, Suspended | Revoked):
                yield Violation("no holder", run_of(task), f"{task}: {name} while nobody holds it")


def no_call_is_made_twice(history: History) -> Iterator[Violation]:
    """A finished call is never made again; one under way only by a later holder, and only if that does no harm."""
    for task, journal in history.journals.items():
        holder, started, finished = 0, dict[int, int](), set[int]()
        replies = set[int]()
        for entry in entries_of(journal):
            match entry:
                case Taken():
                    holder += 1
                case CallStarted(index=index, call=call, effect=effect):
                    harmless = effect != "act" or call.tool in JOINED
                    again = index in started
                    if index in finished or (again and (started[index] == holder or not harmless)):
                        text = f"{task}: call {index} ({call.tool}, {effect}) was begun again"
                        yield Violation("call made twice", run_of(task), text)
                    started[index] = holder
                case CallFinished(index=index):
                    if index in finished or index not in started:
                        text = f"{task}: call {index} ended twice, or was never begun"
                        yield Violation("call ended twice", run_of(task), text)
                    finished.add(index)
                case ModelReplied(index=index):
                    if index in replies:
                        yield Violation("asked again", run_of(task), f"{task}: model reply {index} is there twice")
                    replies.add(index)
                case _:
                    pass


def results_are_those_of_the_journals(history: History) -> Iterator[Violation]:
    """What a run's log says of a sub-task is what its journal ends with."""
    for run, log in history.logs.items():
        for event in events_of(log):
            if not isinstance(event, SubTaskEnded):
                continue
            outcome = event.outcome
            stored = [_outcome(entry) for entry in entries_of(history.journals.get(outcome.task, ()))]
            if encode(outcome) not in stored:
                text = f"{outcome.task}: the run's log holds a result that its journal does not end with"
                yield Violation("made-up result", run, text)


def _outcome(entry: JournalEntry) -> bytes:
    match entry:
        case Finished(outcome=outcome) | Suspended(waits=outcome):
            return encode(outcome)
        case _:
            return b""


def drivers_of_a_session_follow_one_another(history: History) -> Iterator[Violation]:
    """Once a later sub-task of a session is taken, no earlier one announces or ends a call in it any more."""
    for run, log in history.logs.items():
        tasks = {event.sub_task.id: event.sub_task for event in events_of(log) if isinstance(event, SubTaskDispatched)}
        newest = dict[str, SubTask]()
        for task, entry in _acts(history, [it for it in tasks.values() if it.session]):
            driver = newest.get(task.session, task)
            if task.dispatch < driver.dispatch:
                text = f"session {task.session}: {type(entry).__name__} of {task.id} after {driver.id} was taken"
                yield Violation("interleaved drivers", run, text)
            elif isinstance(entry, Taken):
                newest[task.session] = task


def _acts(history: History, tasks: list[SubTask]) -> Iterator[tuple[SubTask, JournalEntry]]:
    """Yield what the holders of a run's sub-tasks wrote, in the order in which it was stored."""
    stored = [(message.seq, task, message) for task in tasks for message in history.journals.get(task.id, ())]
    for _, task, message in sorted(stored, key=lambda it: it[0]):
        for entry in message.entries:
            if isinstance(entry, Taken | CallStarted | CallFinished):
                yield task, entry


CHECKS: tuple[Callable[[History], Iterator[Violation]], ...] = (
    holders_follow_one_another,
    no_call_is_made_twice,
    results_are_those_of_the_journals,
    drivers_of_a_session_follow_one_another,
)
