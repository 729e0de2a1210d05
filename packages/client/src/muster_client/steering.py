"""What people and programs ask of runs that are there: pause, resume, answer, run again. What decides is pure."""

import time
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
    """What a run asks a person, and nobody has answered yet."""

    id: str
    text: str
    node: str = ""
    """The sub-task that asks."""


class Standing(NamedTuple):
    """The state of a run that decides which controls it takes."""

    run: str
    over: str = ""
    """Status of its verdict; empty before there is one."""
    questions: tuple[OpenQuestion, ...] = ()
    """Those that are open, oldest first."""
    answers: tuple[tuple[str, str], ...] = ()
    """(question id, text) of every answer that was stored or given, the newest last."""
    paused: bool = False
    """Whether the last of its controls to pause or resume is a pause; its owner may not have applied it yet."""
    newest: int = 0
    """Sequence of the newest control; 0 if there is none."""


class StoredControl(NamedTuple):
    """A control as it is stored, and its sequence."""

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
    """Return the node of a sub-task's id, `<run>.<node>.<attempt>`, or of a question's, which begins with one."""
    parts = task.split(".")
    return parts[1] if len(parts) >= 3 else ""


def fold_standing(run: str, happened: Iterable[Event], asked: Sequence[StoredControl]) -> Standing:
    """Return where a run stands, by the events of its log and what is stored on its control subject."""
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
    controls += [one.control for one in asked]  # what was taken note of is stored before what was not
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
    """Return what answers the question (empty: the only open one); None if that very answer is there already.

    Raises:
        WrongState: there is no such open question, there are several to choose from, or it has another answer.
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
        raise WrongState(f"run {standing.run!r} asks several questions, so name the one that is meant: {listed}")
    if id in given:
        raise WrongState(f"question {id!r} of run {standing.run!r} has another answer already, and keeps it")
    if id not in open_ones:
        asks = f"; open are: {', '.join(open_ones)}" if open_ones else ""
        what = f"does not ask {question!r}" if question else "asks nothing"
        raise WrongState(f"run {standing.run!r} {what}{asks}")
    return Answer(id=f"answer-{id}", question=id, text=text, by=by)


def _require_live(standing: Standing, what: str) -> None:
    if standing.over:
        raise WrongState(f"run {standing.run!r} is over ({standing.over}); there is nothing to {what}")


async def read_controls(bus: Bus, run: str) -> list[StoredControl]:
    """Return what is stored on a run's control subject, oldest first; what cannot be read is left out."""
    found: list[StoredControl] = []
    async for message in replay(bus, "CONTROL", bus.names.control(run)):
        try:
            control = decode_control(message.data)
        except msgspec.DecodeError:
            continue  # its owner says so
        found.append(StoredControl(message.seq, control))
    return found


def build_rerun(request: RunRequest, run: str, key: str = "") -> RunRequest:
    """Return the request that repeats a run as a run of its own; with the same key it is the same new run."""
    own = f"{run}.{key or new_id('rerun')}"
    again = msgspec.structs.replace(request, id=run_id_for(own), idempotency_key=own, rerun_of=run, requested_at=0.0)
    return with_id_and_time(again, time.time())


def newest_runs(rows: Iterable[RunRow], suite: str = "", runs: Sequence[str] = ()) -> list[RunRow]:
    """Return the newest run of each test: runs of the same suite and name are of one test.

    Only tests of the suite and of the runs that are named, where they are; in the order of their newest runs.
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
    """Return the newest runs of tests (see `newest_of`) that ended in a fail."""
    return [row for row in newest_runs(rows, suite, runs) if row.status == "fail"]


def reruns_with_key(rows: Iterable[RunRow], key: str) -> list[RunRow]:
    """Return the runs that were made by running others again with this key."""
    return [row for row in rows if row.rerun_of and row.run == run_id_for(f"{row.rerun_of}.{key}")]


def require_runs(rows: Iterable[RunRow], runs: Sequence[str]) -> None:
    """Refuse runs that are not among the rows.

    Raises:
        InvalidRequest: some are not; one reason each.
    """
    known = {row.run for row in rows}
    missing = [run for run in runs if run not in known]
    if missing:
        raise InvalidRequest([f"there is no run {run!r} here; `muster list` shows those there are" for run in missing])
