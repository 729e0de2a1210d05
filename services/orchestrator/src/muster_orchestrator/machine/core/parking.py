"""Runs that wait: for an answer, for a session, parked without an owner, or for missing processes. Pure."""

from msgspec.structs import replace

from muster_orchestrator.machine.core.budgets import charge
from muster_orchestrator.machine.core.graph import Node
from muster_orchestrator.machine.core.state import (
    SESSION_HOST,
    Absence,
    Owner,
    Parking,
    Run,
    asking_nodes,
    is_due,
    open_node,
)
from muster_protocol import events
from muster_protocol.control import Answer, Cancel, Control, Pause, Rerun, Resume, Say, Stop
from muster_protocol.events import Answered, Event, Parked
from muster_protocol.journal import Question

MOST_CONTROLS = 256
"""Ids of controls that are remembered; the bus keeps fewer of a run, so that no older one comes again."""

WaitEvent = (
    events.OwnerChanged
    | events.ControlApplied
    | events.Parked
    | events.Woken
    | events.Asked
    | events.Answered
    | events.SessionQueued
    | events.Unserved
    | events.Served
)
"""The events that begin or end a wait."""


def evolve(run: Run, event: WaitEvent) -> Run:
    """Return the run after an event that begins or ends a wait."""
    match event:
        case events.OwnerChanged():
            return _apply_owner_change(run, event)
        case events.ControlApplied(control=control):
            return apply_control(run, control)
        case events.Parked(reason=reason, until=until, session_host=host):
            parking = Parking(reason=reason, session_host=host, since=run.clock.now, until=until)
            return replace(run, parking=replace(parking, expired=run.parking.expired))
        case events.Woken():
            return run  # OwnerChanged has woken it
        case events.Asked():
            return _apply_question(run, event)
        case events.Answered(question=question, text=text):
            return _apply_answer(run, question, text)
        case events.SessionQueued(name=name, place=place):
            return _mark_queued(run, name, place)
        case events.Unserved():
            return _mark_unserved(run, event)
        case events.Served(what=what):
            return mark_served(run, what)


def _apply_owner_change(run: Run, event: events.OwnerChanged) -> Run:
    """Return the run under its next owner; a parked run's clock resumes, and its last owner was not lost."""
    takeovers, parking, clock = run.owner.takeovers + 1, run.parking, run.clock
    if parking.reason:
        late = parking.reason if parking.until and clock.now >= parking.until else ""
        clock, takeovers = replace(clock, waited=clock.waited + clock.now - parking.since), 0
        parking = replace(parking, expired=late)
    owner = Owner(
        id=event.owner, epoch=event.epoch, message=event.message, delivery=event.delivery, takeovers=takeovers
    )
    parking = replace(parking, reason="", session_host="", until=0.0)
    return replace(
        run, owner=owner, clock=clock, parking=parking, unserved={}, sessions=replace(run.sessions, queued={})
    )


def _apply_question(run: Run, event: events.Asked) -> Run:
    """Return the run with an open sub-task waiting for an answer, unless it has that answer already."""
    if not event.task:
        asks = (*run.people.asks, Question(id=event.question, text=event.text))
        return replace(run, people=replace(run.people, asks=asks))
    node = open_node(run, event.task)
    if node is None or node.sub_task is None or node.status != "open" or node.withdrawn:
        return run
    if event.question in node.sub_task.answers:
        return run
    run = reset_takeovers(charge(run, node, event.spent))
    asks = Question(id=event.question, text=event.text)
    return run.with_node(replace(node, status="asking", asks=asks, charged=event.spent))


def _apply_answer(run: Run, question: str, text: str) -> Run:
    """Return the run with the asking sub-task dispatched again with the answer; its journal says where it stopped."""
    node = next((node for node in asking_nodes(run) if node.asks and node.asks.id == question), None)
    if node is None or node.sub_task is None:
        left = tuple(asked for asked in run.people.asks if asked.id != question)
        answers = {**run.people.answers, question: text}
        return replace(run, people=replace(run.people, asks=left, answers=answers)) if left != run.people.asks else run
    task = replace(node.sub_task, answers={**node.sub_task.answers, question: text}, finish_by=run.deadline)
    earlier = {**run.people.earlier_answers, _question_key(node, node.attempt): text}
    run = replace(run, people=replace(run.people, earlier_answers=earlier))
    return run.with_node(replace(node, status="open", asks=None, sub_task=task))


def reset_takeovers(run: Run) -> Run:
    """Return the run with its count of takeovers reset, since it has made progress."""
    return replace(run, owner=replace(run.owner, takeovers=0)) if run.owner.takeovers else run


def apply_control(run: Run, control: Control) -> Run:
    """Return the run after a control; a repeated one changes nothing."""
    if control.id in run.people.controls:
        return run
    people = replace(run.people, controls=(*run.people.controls, control.id)[-MOST_CONTROLS:])
    match control:
        case Cancel():
            return replace(run, people=replace(people, cancelled=people.cancelled or control))
        case Pause():
            return replace(run, people=replace(people, paused=True))
        case Resume():
            return replace(run, people=replace(people, paused=False), parking=replace(run.parking, expired=""))
        case Answer(question=question, text=text):
            open_ones = [asked.id for asked in _open_questions(run)]
            meant = question or next(iter(open_ones), "")
            expired = "" if meant in open_ones else run.parking.expired
            answers = {**people.answers, meant: text}
            parking = replace(run.parking, expired=expired)
            return replace(run, people=replace(people, answers=answers), parking=parking)
        case Say():
            return replace(run, people=people, parking=replace(run.parking, expired=""))
        case Rerun() | Stop():
            return replace(run, people=people)  # a rerun is another run; which node is stopped, the job says


def answer_questions(run: Run) -> tuple[Event, ...]:
    """Return the known answers to open questions, also those given to an earlier attempt."""
    if run.people.paused:
        return ()
    waiting = [(node.asks.id, node) for node in asking_nodes(run) if node.asks is not None]
    known = [(question, run.people.answers.get(question, _earlier_answer(run, node))) for question, node in waiting]
    known += [(asked.id, run.people.answers.get(asked.id)) for asked in run.people.asks]
    return tuple(Answered(question=question, text=text) for question, text in known if text is not None)


def park_if_idle(run: Run, host: str) -> tuple[Event, ...]:
    """Park a run that can only wait: nothing is open, and it is paused, asks a person, or waits for a `host`."""
    asks, paused = asking_nodes(run), run.people.paused or bool(run.people.asks)
    if run.parking.reason or run.graph.with_status("open"):
        return ()
    if not paused and not (asks and not _has_other_work(run, asks)):
        return _park_in_line(run, host)
    first_lines = (asked.text.partition("\n")[0] for asked in _open_questions(run))
    questions = [f'"{line}"' for line in first_lines]
    reason = "it is paused" if run.people.paused else f"it asks {' and '.join(questions)}"
    return (Parked(reason=reason, until=run.clock.now + run.policy.parked_seconds),)


def _open_questions(run: Run) -> tuple[Question, ...]:
    return (*run.people.asks, *(node.asks for node in asking_nodes(run) if node.asks))


def park_at_rest(run: Run, until: float) -> tuple[Event, ...]:
    """Park a run that can only wait for a message, until `until` at most; 0: it has something to do."""
    if run.parking.reason or not until:
        return ()
    return (Parked(reason="it waits for a message", until=until),)


def _park_in_line(run: Run, host: str) -> tuple[Event, ...]:
    """Park a run that no host has room for; while no host is live, keep it, so that it ends after a while."""
    queued = run.sessions.queued
    resting = any(not is_due(run, run.graph[id]) for id in run.graph.ready)
    if not queued or resting or any(what.startswith(SESSION_HOST) for what in run.unserved):
        return ()
    return (Parked(reason=f"it waits for a session: number {max(queued.values())} in line", session_host=host),)


def _mark_queued(run: Run, name: str, place: int) -> Run:
    """Return the run with its place in line for a session, unless the session is open."""
    if name in run.sessions.open:
        return run
    return replace(run, sessions=replace(run.sessions, queued={**run.sessions.queued, name: place}))


def _mark_unserved(run: Run, event: events.Unserved) -> Run:
    """Return the run with a service missing."""
    if event.what in run.unserved:
        return run
    absence = Absence(run.clock.now, run.absences + 1, event.why, event.unheard)
    return replace(run, unserved={**run.unserved, event.what: absence}, absences=absence.number)


def mark_served(run: Run, what: str) -> Run:
    """Return the run with a service no longer missing."""
    return replace(run, unserved={key: absence for key, absence in run.unserved.items() if key != what})


def _question_key(node: Node, attempt: int) -> str:
    return f"{node.plan.id}.{attempt}: {node.asks.text if node.asks else ''}"


def _earlier_answer(run: Run, node: Node) -> str | None:
    """Return the answer that an earlier attempt got to the same question; within one attempt a question is new."""
    topics = (_question_key(node, number) for number in range(node.attempt - 1, 0, -1))
    return next((run.people.earlier_answers[topic] for topic in topics if topic in run.people.earlier_answers), None)


def _has_other_work(run: Run, asks: tuple[Node, ...]) -> bool:
    """Return whether nodes of other sessions can still start: after a retry pause, or once their session is open."""
    held = {node.plan.session for node in asks} - {""}
    return any(run.graph[id].plan.session not in held for id in run.graph.ready)
