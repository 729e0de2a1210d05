"""Runs that wait for people: when a run is parked, what wakes it, and who gets an answer. Pure."""

from msgspec.structs import replace

from muster_orchestrator.machine import dispatch
from muster_orchestrator.machine.state import Run, asking
from muster_protocol import events
from muster_protocol.events import Answered, Event, Parked
from muster_protocol.tasks import NeedsAnswer


def taken_over(run: Run, event: events.OwnerChanged) -> Run:
    """Return the run under its next owner; if it was parked, its clock goes on now, and nobody was lost."""
    takeovers = run.takeovers + 1
    if run.parked:
        late = run.parked if run.parked_until and run.now >= run.parked_until else ""
        run, takeovers = replace(run, waited=run.waited + run.now - run.parked_at, overslept=late), 0
    owner = {"owner": event.owner, "epoch": event.epoch, "message": event.message, "delivery": event.delivery}
    return replace(run, **owner, takeovers=takeovers, parked="", parked_until=0.0, unserved={})


def asked(run: Run, event: events.Asked) -> Run:
    """Return the run with a sub-task that waits for an answer; one that is not open, or has it, does not."""
    node = next((node for node in run.nodes.values() if node.sub_task and node.sub_task.id == event.task), None)
    if node is None or node.sub_task is None or node.status != "open" or event.question in node.sub_task.answers:
        return run
    asks = NeedsAnswer(
        task=event.task, node=node.plan.id, attempt=node.attempt, question=event.question, text=event.text
    )
    return replace(run, takeovers=0).with_node(replace(node, status="asking", asks=asks))


def answered(run: Run, question: str, text: str) -> Run:
    """Return the run with the sub-task handed out once more, with the answer; its journal says how far it was."""
    node = next((node for node in asking(run) if node.asks and node.asks.question == question), None)
    if node is None or node.sub_task is None:
        return run
    assert node.asks is not None
    answers = {**node.sub_task.answers, question: text}
    task = replace(node.sub_task, answers=answers, finish_by=run.deadline)
    run = replace(run, told={**run.told, _topic(node.asks, node.attempt): text})
    return run.with_node(replace(node, status="open", asks=None, sub_task=task))


def _topic(asks: NeedsAnswer, attempt: int) -> str:
    return f"{asks.node}.{attempt}: {asks.text}"


def _told_before(run: Run, asks: NeedsAnswer) -> str | None:
    """Return what an earlier attempt was answered to the same question; within one attempt it is a new question."""
    before = range(asks.attempt - 1, 0, -1)
    return next((run.told[topic] for topic in (_topic(asks, number) for number in before) if topic in run.told), None)


def answers(run: Run) -> tuple[Event, ...]:
    """Return the answers that are there for sub-tasks that wait for them, or were given to an attempt before."""
    if run.paused:
        return ()
    waiting = [node.asks for node in asking(run) if node.asks is not None]
    known = [(asks.question, run.answers.get(asks.question, _told_before(run, asks))) for asks in waiting]
    return tuple(Answered(question=question, text=text) for question, text in known if text is not None)


def letting_go(run: Run) -> tuple[Event, ...]:
    """Let go of a run that can only wait for a person: nothing is open, and it is paused or asks something."""
    statuses = {node.status for node in run.nodes.values()}
    waits = run.paused or ("asking" in statuses and not _due_later(run))
    if run.parked or "open" in statuses or not waits:
        return ()
    questions = [f'"{node.asks.text}"' for node in asking(run) if node.asks]
    reason = "it is paused" if run.paused else f"it asks {' and '.join(questions)}"
    return (Parked(reason=reason, until=run.now + run.policy.parked_seconds),)


def _due_later(run: Run) -> bool:
    """Return whether something goes on by itself: a pause before a retry, or a session that is being opened."""
    held = {node.plan.session for node in asking(run)}
    return any(dispatch.needs_met(run, node) and node.plan.session not in held for node in run.nodes.values())
