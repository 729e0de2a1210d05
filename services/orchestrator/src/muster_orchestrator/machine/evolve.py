"""What each event makes of a run. Total: an event never fails to apply, and a late or repeated one changes nothing."""

from collections.abc import Iterable
from typing import assert_never

import msgspec
from msgspec.structs import replace

from muster_orchestrator.machine import losing, parking
from muster_orchestrator.machine.commands import Command, Record
from muster_orchestrator.machine.decide import decide
from muster_orchestrator.machine.dispatch import helper_node
from muster_orchestrator.machine.judge import judged
from muster_orchestrator.machine.planning import adopted
from muster_orchestrator.machine.state import Absence, Node, Run, asking
from muster_protocol import events
from muster_protocol.causes import JUDGED, Failure
from muster_protocol.control import Answer, Cancel, Control, Pause, Rerun, Resume
from muster_protocol.events import Entry, Event
from muster_protocol.kinds import Decision, EvaluateOutput, SummariseOutput
from muster_protocol.requests import TestCase
from muster_protocol.tasks import SubTaskResult
from muster_protocol.tools import Usage

MEANING = 2
"""Version of what events mean; raise it where one makes something else of a run, so that snapshots are made anew."""

MOST_ROUNDS = 1000
"""How often one thing may follow from another at once; a run takes a handful."""


def fold(run: Run, entries: Iterable[Entry]) -> Run:
    """Return the run after entries of its log."""
    for entry in entries:
        run = replace(run, now=entry.at, epoch=entry.epoch)
        for event in entry.events:
            run = evolve(run, event)
    return run


def settle(run: Run, happened: tuple[Event, ...], at: float, epoch: int) -> tuple[Run, Entry, tuple[Command, ...]]:
    """Return the run after events and all that follows from them by itself, as one entry, and the effects then due."""
    recorded: list[Event] = []
    run = replace(run, now=at, epoch=epoch)
    pending = happened
    for _ in range(MOST_ROUNDS):
        for event in pending:
            run = evolve(run, event)
        recorded += pending
        commands = decide(run)
        pending = tuple(event for command in commands if isinstance(command, Record) for event in command.events)
        if not pending:
            break
    else:
        raise AssertionError(f"what follows from {happened[-1]} never ends")
    effects = tuple(command for command in commands if not isinstance(command, Record))
    return run, Entry(epoch=epoch, at=at, events=tuple(recorded)), effects


def evolve(run: Run, event: Event) -> Run:  # noqa: C901, PLR0912 - one short branch an event, on purpose
    """Return the run after one event."""
    match event:
        case events.RunOpened():
            return _opened(run, event)
        case events.OwnerChanged():
            return parking.taken_over(run, event)
        case events.PlanMade():
            return _planned(run, event) if run.plan is None else run
        case events.PlanRefused(reasons=reasons):
            return replace(run, refusals=reasons)
        case events.SessionOpened():
            return losing.opened(run, event)
        case events.SessionFailed(name=name, reason=reason):
            return run if name in run.sessions else replace(run, session_failure=reason)
        case events.SubTaskDispatched():
            return _dispatched(run, event)
        case events.SubTaskEnded(outcome=outcome):
            return _ended(run, outcome)
        case events.RetryPlanned(node=id, not_before=not_before):
            return _retried(run, id, not_before)
        case events.TimerFired(timer=timer):
            return run if timer in run.fired else replace(run, fired=(*run.fired, timer))
        case events.ControlApplied(control=control):
            return _controlled(run, control)
        case events.Parked(reason=reason, until=until):
            return replace(run, parked=reason, parked_at=run.now, parked_until=until)
        case events.Woken():
            return run  # being taken over has woken it
        case events.Asked():
            return parking.asked(run, event)
        case events.ChildrenAsked():
            return parking.children_asked(run, event)
        case events.Answered(question=question, text=text):
            return parking.answered(run, question, text)
        case events.Unserved(what=what):
            return _unserved(run, what)
        case events.Served(what=what):
            return _served(run, what)
        case events.GivenUp(reason=reason):
            return replace(run, given_up=run.given_up or reason)
        case events.VerdictReached(verdict=verdict):
            return replace(run, verdict=run.verdict or verdict)
        case events.RunClosed():
            return replace(run, closed=True)
        case events.Continued(snapshot=snapshot):
            return msgspec.json.decode(snapshot, type=Run)
        case _:
            assert_never(event)


def _opened(run: Run, event: events.RunOpened) -> Run:
    if run.request is not None:
        return run
    job = event.request.job
    return replace(
        run,
        request=event.request,
        policy=event.policy,
        owner=event.owner,
        epoch=1,
        message=event.message,
        delivery=event.delivery,
        started_at=run.now,
        values=dict(job.variables) if isinstance(job, TestCase) else {},
    )


def _unserved(run: Run, what: str) -> Run:
    if what in run.unserved:
        return run
    absence = Absence(run.now, run.absences + 1)
    return replace(run, unserved={**run.unserved, what: absence}, absences=absence.number)


def _served(run: Run, what: str) -> Run:
    return replace(run, unserved={key: absence for key, absence in run.unserved.items() if key != what})


def _planned(run: Run, event: events.PlanMade) -> Run:
    job = run.request.job if run.request else None
    plan = adopted(job, event.plan) if isinstance(job, TestCase) else event.plan
    return replace(run, plan=plan, nodes={**run.nodes, **{node.id: Node(plan=node) for node in plan.nodes}})


def _dispatched(run: Run, event: events.SubTaskDispatched) -> Run:
    task = event.sub_task
    node = run.nodes.get(task.node)
    if node is None:  # planning and evaluations are no part of the plan; they come with their dispatch
        node = helper_node(task)
    run = replace(run, dispatched=max(run.dispatched, task.dispatch))
    return run.with_node(replace(node, status="open", attempt=task.attempt, sub_task=task, charged=Usage()))


def _ended(run: Run, claimed: SubTaskResult) -> Run:
    node = run.nodes.get(claimed.node)
    if node is None or node.status != "open" or node.attempt != claimed.attempt:
        return run  # a report about an attempt that is not open: late, repeated, or never asked for
    guarded = node.sub_task.step.guarded if node.sub_task else ()
    if run.unserved and node.sub_task:  # a result shows that somebody is there
        run = _served(run, f"pool {node.sub_task.pool}")
    result = losing.trusted(run, judged(node.plan, claimed, {**run.values, **claimed.step.captured}, guarded))
    run = losing.used(replace(parking.charged(run, node, result.usage), takeovers=0), node, result)
    if _may_retry(run, node, result):
        if result.failure == Failure.SESSION_LOST:
            run = losing.lost(run, node.plan.session)
        return run.with_node(replace(node, status="faulted", faults=node.faults + 1, result=result, sub_task=None))
    if result.status == "pass":
        return _passed(run, node, result)
    if node.plan.kind == "summarise":  # then the newest facts have to do
        run = replace(run, facts=_newest(run.facts, run.policy.state_characters))
    else:
        run = replace(run, results=(*run.results, result))
    return run.with_node(replace(node, status="failing", result=result, sub_task=None))


def _may_retry(run: Run, node: Node, result: SubTaskResult) -> bool:
    """An infrastructure fault is retried if nothing was done that a second try would do twice."""
    return result.status == "error" and not result.acted and node.faults + 1 < run.policy.max_attempts


def _passed(run: Run, node: Node, result: SubTaskResult) -> Run:
    if node.plan.kind == "step":
        fact = _fact(node, result)
        run = replace(
            run,
            values={**run.values, **result.step.captured},
            facts=_newest((*run.facts, fact), _room_for_facts(run)),
            results=(*run.results, result),
        )
    run = run.with_node(replace(node, status="passed", result=result, sub_task=None))
    if isinstance(result.output, SummariseOutput):
        return replace(run, facts=(result.output.state[: run.policy.state_characters // 2],))
    if node.about not in run.nodes:
        return run
    if isinstance(result.output, EvaluateOutput):
        return _decided(run, node, result.output.decision)
    return run.with_node(replace(run.nodes[node.about], status="waiting"))


def _decided(run: Run, node: Node, decision: Decision) -> Run:
    """Apply an evaluator's decision to the node it is about."""
    about = run.nodes[node.about]
    if about.status != "failing":
        return run
    run = replace(run, decisions=(*run.decisions, decision))
    allowed = about.recoveries < run.policy.max_recovery_attempts and len(run.planned()) < run.max_subtasks
    if decision.action == "recover" and decision.recovery and allowed:
        number = about.recoveries + 1
        mending = replace(
            about.plan,
            id=f"{about.plan.id}-r{number}",
            description=decision.recovery,
            expected_result=decision.recovery_expected,
            covers=(),
            precondition=False,
        )
        run = run.with_node(Node(plan=mending, about=about.plan.id))
        return run.with_node(replace(about, status="recovering", recoveries=number))
    failed = about.result
    if failed is not None and decision.cause and failed.failure in JUDGED:
        failed = losing.trusted(run, replace(failed, cause=decision.cause))
    status = "skipped" if decision.action == "continue" else "failed"
    return run.with_node(replace(about, status=status, result=failed))


def _retried(run: Run, id: str, not_before: float) -> Run:
    node = run.nodes.get(id)
    if node is None or node.status != "faulted":
        return run
    return run.with_node(replace(node, status="waiting", not_before=not_before))


def _controlled(run: Run, control: Control) -> Run:
    if control.id in run.controls:
        return run
    run = replace(run, controls=(*run.controls, control.id))
    match control:
        case Cancel():
            return replace(run, cancelled=run.cancelled or control)
        case Pause():
            return replace(run, paused=True)
        case Resume():
            return replace(run, paused=False, overslept="")
        case Answer(question=question, text=text):
            first = next((node.asks.id for node in asking(run) if node.asks), "")
            meant = question or first
            late = "" if any(node.asks and node.asks.id == meant for node in asking(run)) else run.overslept
            return replace(run, answers={**run.answers, meant: text}, overslept=late)
        case Rerun():
            return run  # a run of its own


def _fact(node: Node, result: SubTaskResult) -> str:
    """Return what later sub-tasks are told of one that passed; of what was expected they need no word, as it holds."""
    done = _brief(node.plan.description, 90)
    return done if node.plan.expected_result and not result.unverified else f"{done}: {_brief(result.summary)}"


def _brief(text: str, length: int = 160) -> str:
    return text if len(text) <= length else text[: length - 1] + "…"


def _room_for_facts(run: Run) -> int:
    """Return how many characters are kept; with a model to sum them up, a few more until it has."""
    return run.policy.state_characters * (4 if run.thinks else 1)


def _newest(facts: tuple[str, ...], characters: int) -> tuple[str, ...]:
    """Return the newest facts that fit; the newest is always kept, cut if it must be."""
    kept: list[str] = []
    left = characters
    for fact in reversed(facts):
        if kept and len(fact) > left:
            break
        kept.append(fact[:characters])
        left -= len(fact) + 1
    return tuple(reversed(kept))
