"""Runs that wait for people: when a run is parked, what wakes it, and who gets an answer. Pure."""

from msgspec.structs import replace

from muster_orchestrator.machine import dispatch
from muster_orchestrator.machine.state import Node, Run, asking
from muster_protocol import events
from muster_protocol.causes import Failure, cause_of
from muster_protocol.events import Answered, Event, Parked
from muster_protocol.journal import Question
from muster_protocol.tasks import SubTaskResult
from muster_protocol.tools import Usage


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
    run = replace(charged(run, node, event.spent), takeovers=0)
    asks = Question(id=event.question, text=event.text)
    return run.with_node(replace(node, status="asking", asks=asks, charged=event.spent))


def charged(run: Run, node: Node, spent: Usage) -> Run:
    """Return the run with what an attempt has spent by now; what it was charged with before is not charged again."""
    return replace(run, usage=run.usage.plus(spent).minus(node.charged))


def children_asked(run: Run, event: events.ChildrenAsked) -> Run:
    """Return the run with a sub-task failed that wants sub-tasks of its own: no agent may have any yet."""
    node = next((node for node in run.nodes.values() if node.sub_task and node.sub_task.id == event.task), None)
    if node is None or node.status != "open":
        return run
    summary = f"it asks for {len(event.children)} sub-tasks of its own, and may have none"
    result = SubTaskResult(
        task=event.task,
        node=node.plan.id,
        attempt=node.attempt,
        status="fail",
        summary=summary,
        failure=Failure.LIMIT,
        cause=cause_of(Failure.LIMIT),
        acted=True,  # what it did before is in its journal alone: count the worst
        usage=event.spent,
    )
    run = replace(charged(run, node, event.spent), takeovers=0, results=(*run.results, result))
    return run.with_node(replace(node, status="failed", result=result, sub_task=None))


def answered(run: Run, question: str, text: str) -> Run:
    """Return the run with the sub-task handed out once more, with the answer; its journal says how far it was."""
    node = next((node for node in asking(run) if node.asks and node.asks.id == question), None)
    if node is None or node.sub_task is None:
        return run
    assert node.asks is not None
    answers = {**node.sub_task.answers, question: text}
    task = replace(node.sub_task, answers=answers, finish_by=run.deadline)
    run = replace(run, told={**run.told, _topic(node, node.attempt): text})
    return run.with_node(replace(node, status="open", asks=None, sub_task=task))


def _topic(node: Node, attempt: int) -> str:
    return f"{node.plan.id}.{attempt}: {node.asks.text if node.asks else ''}"


def _told_before(run: Run, node: Node) -> str | None:
    """Return what an earlier attempt was answered to the same question; within one attempt it is a new question."""
    before = range(node.attempt - 1, 0, -1)
    return next((run.told[topic] for topic in (_topic(node, number) for number in before) if topic in run.told), None)


def answers(run: Run) -> tuple[Event, ...]:
    """Return the answers that are there for sub-tasks that wait for them, or were given to an attempt before."""
    if run.paused:
        return ()
    waiting = [(node.asks.id, node) for node in asking(run) if node.asks is not None]
    known = [(question, run.answers.get(question, _told_before(run, node))) for question, node in waiting]
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
