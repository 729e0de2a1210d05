"""Controls of existing runs: decides which control to send, and builds reruns. Only `read_controls` does I/O."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec
from msgspec import Struct

from muster_bus import Bus, replay
from muster_protocol import events
from muster_protocol.control import Answer, Control, Pause, Resume, decode_control
from muster_protocol.errors import InvalidRequest, WrongState
from muster_protocol.events import Event
from muster_protocol.ids import new_id, run_id_for
from muster_protocol.logs import RunRow
from muster_protocol.requests import RunRequest
from muster_text.request_rules import with_id_and_time


class OpenQuestion(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A run's unanswered question to a person."""

    id: str
    text: str
    node: str = ""
    """The sub-task that asks."""


class Standing(NamedTuple):
    """The state of a run that decides which controls it accepts."""

    run: str
    over: str = ""
    """Status of its verdict; empty before there is one."""
    questions: tuple[OpenQuestion, ...] = ()
    """Open questions, oldest first."""
    answers: tuple[tuple[str, str], ...] = ()
    """(question id, text) of every answer sent, newest last."""
    paused: bool = False
    """Whether it was last paused rather than resumed; its owner may not have applied that yet."""
    newest: int = 0
    """Sequence of the newest control; 0 if there is none."""


class StoredControl(NamedTuple):
    """A stored control and its sequence."""

    sequence: int
    control: Control


def update_questions(questions: tuple[OpenQuestion, ...], event: Event) -> tuple[OpenQuestion, ...]:
    """Return the open questions after an event of the run's log."""
    match event:
        case events.Asked(question=id, text=text, task=task):
            asked = OpenQuestion(id=id, text=text, node=node_of(task))
            return (*(known for known in questions if known.id != id), asked)
        case events.Answered(question=id):
            return tuple(known for known in questions if known.id != id)
        case events.SubTaskEnded(outcome=outcome):
            return tuple(known for known in questions if known.node != outcome.node)
        case events.VerdictReached():
            return ()
        case _:
            return questions


def node_of(task: str) -> str:
    """Return the node in the id of a sub-task, `<run>.<node>.<attempt>`, or of its question, which begins with it."""
    parts = task.split(".")
    return parts[1] if len(parts) >= 3 else ""


def fold_standing(run: str, happened: Iterable[Event], asked: Sequence[StoredControl]) -> Standing:
    """Return a run's standing from the events of its log and its stored controls."""
    over, questions = "", tuple[OpenQuestion, ...]()
    answers: list[tuple[str, str]] = []
    controls: list[Control] = []
    for event in happened:
        questions = update_questions(questions, event)
        match event:
            case events.VerdictReached(verdict=verdict):
                over = verdict.status
            case events.ControlApplied(control=control):
                controls.append(control)
            case events.Answered(question=question, text=text):
                answers.append((question, text))
            case _:
                pass
    controls += [one.control for one in asked]  # applied controls were stored before the others
    answers += [(one.question, one.text) for one in controls if isinstance(one, Answer) and one.question]
    return Standing(
        run=run,
        over=over,
        questions=questions,
        answers=tuple(answers),
        paused=next((isinstance(one, Pause) for one in reversed(controls) if isinstance(one, Pause | Resume)), False),
        newest=max((one.sequence for one in asked), default=0),
    )


def build_pause(standing: Standing, by: str) -> Pause | None:
    """Return the control that pauses the run; None if it is paused already.

    Raises:
        WrongState: the run is over.
    """
    _require_live(standing, "pause")
    return None if standing.paused else Pause(id=f"pause-{standing.newest}", by=by)


def build_resume(standing: Standing, by: str) -> Resume | None:
    """Return the control that resumes the run; None if it is not paused.

    Raises:
        WrongState: the run is over.
    """
    _require_live(standing, "resume")
    return Resume(id=f"resume-{standing.newest}", by=by) if standing.paused else None


def build_answer(standing: Standing, question: str, text: str, by: str) -> Answer | None:
    """Return the answer to a question (empty: the only open one); None if it has that answer already.

    Raises:
        WrongState: the question is not open, several are open and none was named, or it has another answer.
    """
    open_ones = {one.id: one for one in standing.questions}
    given = dict(standing.answers)
    id = question or next(iter(open_ones), "")
    if not question and not open_ones and standing.answers:
        id = standing.answers[-1][0]
    if given.get(id) == text:
        return None
    _require_live(standing, "answer")
    if not question and len(open_ones) > 1:
        listed = "; ".join(f'{one.id}: "{one.text}"' for one in standing.questions)
        raise WrongState(f"run {standing.run!r} asks several questions; name the one to answer: {listed}")
    if id in given:
        raise WrongState(f"question {id!r} of run {standing.run!r} has another answer already, which stays")
    if id not in open_ones:
        asks = f"; open are: {', '.join(open_ones)}" if open_ones else ""
        what = f"does not ask {question!r}" if question else "asks nothing"
        raise WrongState(f"run {standing.run!r} {what}{asks}")
    return Answer(id=f"answer-{id}", question=id, text=text, by=by)


def _require_live(standing: Standing, what: str) -> None:
    if standing.over:
        raise WrongState(f"run {standing.run!r} is over ({standing.over}); there is nothing to {what}")


async def read_controls(bus: Bus, run: str) -> list[StoredControl]:
    """Return a run's stored controls, oldest first, without unreadable ones."""
    found: list[StoredControl] = []
    async for message in replay(bus, "CONTROL", bus.names.control(run)):
        try:
            control = decode_control(message.data)
        except msgspec.DecodeError:
            continue  # the run's owner logs it
        found.append(StoredControl(message.seq, control))
    return found


def build_rerun(request: RunRequest, run: str, now: float, key: str = "") -> RunRequest:
    """Return the request that repeats a run as a new run; the same key gives the same new run. Pure."""
    origin = f"{run}.{key or new_id('rerun')}"
    again = msgspec.structs.replace(
        request, id=run_id_for(origin), idempotency_key=origin, rerun_of=run, requested_at=0.0
    )
    return with_id_and_time(again, now)


def newest_runs(rows: Iterable[RunRow], suite: str = "", runs: Sequence[str] = ()) -> list[RunRow]:
    """Return the newest run of each test, in the order of these runs; a test is a suite and a name.

    If `suite` or `runs` are given, only tests of that suite, or with one of those runs.
    """
    newest: dict[tuple[str, str], RunRow] = {}
    wanted: set[tuple[str, str]] = set()
    for row in sorted(rows, key=lambda row: (row.requested_at, row.run)):
        test = (row.suite, row.name)
        newest.pop(test, None)
        newest[test] = row
        if (not suite or row.suite == suite) and (not runs or row.run in runs):
            wanted.add(test)
    return [row for test, row in newest.items() if test in wanted]


def failed_runs(rows: Iterable[RunRow], suite: str = "", runs: Sequence[str] = ()) -> list[RunRow]:
    """Return those of the `newest_runs` that have failed."""
    return [row for row in newest_runs(rows, suite, runs) if row.status == "fail"]


def reruns_with_key(rows: Iterable[RunRow], key: str) -> list[RunRow]:
    """Return the runs that were made by `build_rerun` with this key."""
    return [row for row in rows if row.rerun_of and row.run == run_id_for(f"{row.rerun_of}.{key}")]


def require_runs(rows: Iterable[RunRow], runs: Sequence[str]) -> None:
    """Raise InvalidRequest if some runs are not among the rows, with one reason each."""
    known = {row.run for row in rows}
    missing = [run for run in runs if run not in known]
    if missing:
        raise InvalidRequest([f"there is no run {run!r} here; `muster list` shows all runs" for run in missing])
