"""Describes the events of a run as log lines for people. Pure."""

import json
from collections import Counter
from collections.abc import Sequence

from muster_bus import LogLine
from muster_orchestrator.machine import Run, job_of, open_node, values_in
from muster_protocol import events
from muster_protocol.detector_work import LocateOutput
from muster_protocol.events import Event
from muster_protocol.examiner_work import CritiqueOutput, ValidateOutput
from muster_protocol.journal import Child
from muster_protocol.kinds import EvaluateOutput, PlanOutput
from muster_protocol.logs import Level, LogKind
from muster_protocol.sessions import NO_SANDBOX, SANDBOX
from muster_protocol.tasks import SubTask, SubTaskResult
from muster_protocol.verdicts import Verdict
from muster_text.values import fill_known
from muster_views.texts import format_count


def describe_event(run: Run, event: Event) -> LogLine | None:  # noqa: C901 - one short branch an event
    """Return the log line for an event, given the run after it; None for events that people need not see."""
    match event:
        case events.RunOpened(request=request):
            extent = job_of(run).extent(run)
            return _line("message", f"Run {request.id}: {request.job.name}" + (f", {extent}" if extent else ""))
        case events.OwnerChanged(owner=owner, epoch=epoch) if run.owner.takeovers:
            return _line("message", f"Taken over by {owner} (owner number {epoch}); finished work is kept", "warning")
        case events.PlanMade():
            return _describe_plan(run, event)
        case events.PlanRefused(reasons=reasons):
            return _line("error", f"Plan refused: {'; '.join(reasons)}", "error")
        case events.SessionOpened():
            return _describe_session(run, event)
        case events.SessionFailed(reason=reason):
            return _line("error", f"No session: {reason}", "error")
        case events.SubTaskDispatched(sub_task=task) if task.position or task.parent:
            return _describe_task(run, task)
        case events.SubTaskEnded(outcome=result):
            return _describe_thought(run, result) or _describe_refusal(run, result)
        case events.RetryPlanned(node=node, reason=reason):
            return _line("decision", f"Trying {node} again: {reason}", "warning")
        case events.GivenUp(reason=reason):
            return _line("error", f"Given up: {reason}", "error")
        case events.VerdictReached(verdict=verdict):
            return _describe_verdict(verdict)
        case _:
            return _describe_wait(run, event)


def _describe_wait(run: Run, event: Event) -> LogLine | None:  # noqa: C901 - one short branch an event
    match event:
        case events.RecoveryPlanned(node=node, decision=decision):
            text = f"By rule, before {node} is tried again: {decision.recovery} ({decision.reason})"
            return _line("decision", text, "warning")
        case events.ControlApplied(control=control):
            return _line("message", f"Asked to {type(control).__name__.lower()}")
        case events.Asked(text=text, task=task):
            return _describe_question(run, text, task)
        case events.ChildrenAsked(task=task, children=children):
            return _describe_children(run, task, children)
        case events.Answered(text=text):
            return _line("message", f"Answered: {text}")
        case events.SessionQueued(place=place):
            return _line("message", f"Waiting for a session: number {place} in line", "warning")
        case events.Parked(reason=reason):
            return _line("message", f"Parked: {reason}; no orchestrator holds the run meanwhile")
        case events.Woken():
            return _line("message", f"Resumed by {run.owner.id}")
        case events.Unserved(what=what, why=why):
            return _line("message", f"Waiting: {what} is not running" + (f": {why}" if why else ""), "warning")
        case events.Served(what=what):
            return _line("message", f"{what[:1].upper()}{what[1:]} is running again")
        case _:
            return None


def _describe_plan(run: Run, event: events.PlanMade) -> LogLine:
    made = format_count(len(event.plan.nodes), "sub-task")
    if event.replaces:
        return _line("decision", f"Planned again: {made} for what is left of the case")
    job = str(type(run.request.job).__struct_config__.tag).replace("_", " ") if run.request else "job"
    return _line("decision", f"Planning: decomposed {job} into {made}")


def _describe_verdict(verdict: Verdict) -> LogLine:
    cause = f" ({verdict.cause})" if verdict.cause else ""
    level: Level = "info" if verdict.achieved else "error"
    text = f"VERDICT: {verdict.status.upper()}{cause} — {verdict.summary}"
    return _line("verdict", text, level, verdict.status)


def _describe_children(run: Run, task: str, children: Sequence[Child]) -> LogLine:
    asks = open_node(run, task)
    node = asks.plan.id if asks else ""
    agents = ", ".join(f"{agent} × {number}" for agent, number in Counter(it.agent for it in children).items())
    told = f"[Orchestrator] {node} waits for {format_count(len(children), 'sub-agent')}: {agents}"
    return LogLine(kind="decision", text=told, node=node, task=task, status="delegating")


def _describe_task(run: Run, task: SubTask) -> LogLine:
    again = f" (attempt {task.attempt})" if task.attempt > 1 else ""
    if task.kind == "assign":
        said = "goes on: its sub-agents are back" if task.resumed else "begins"
        text = f"[Orchestrator] {task.node} ({task.agent}) {said}{again}: {task.description[:200]}"
        return LogLine(kind="progress", text=text, node=task.node, task=task.id, status="open")
    what = "Precondition" if task.step.precondition else "Recovery for sub-task" if task.about else "Sub-task"
    text = (
        f"[Orchestrator] {what} {task.position}/{task.total}: {fill_known(task.description, task.step.values)}{again}"
    )
    return LogLine(
        kind="progress",
        text=text,
        node=task.node,
        task=task.id,
        position=task.position,
        total=task.total,
        status="open",
    )


def _describe_question(run: Run, text: str, task: str) -> LogLine:
    id = run.request.id if run.request else ""
    asks = open_node(run, task)
    node = asks.plan.id if asks else ""
    line = f'[Orchestrator] Question: {text} — answer with: muster answer {id} "…"'
    return LogLine(kind="message", text=line, level="warning", node=node, task=task, status="asking")


def _describe_session(run: Run, event: events.SessionOpened) -> LogLine:
    name, host = event.session.name, event.session.host
    if event.restored == "no":
        confined = SANDBOX in event.session.capabilities
        text = f"Session {name} opened on {host}" + ("" if confined else f"; {NO_SANDBOX}")
        return _line("message", text, "info" if confined else "warning")
    done = run.sessions.used.get(name)
    node = run.graph.get(done.node) if done and done.ended == event.after else None
    after = (
        f" after {json.dumps(fill_known(node.plan.description, values_in(run)), ensure_ascii=False)}" if node else ""
    )
    found = "the page reads the same" if event.restored == "same" else event.missing
    where = f" from the checkpoint{after}" if event.after else ""
    return _line("message", f"Session {name} was lost; reopened on {host}{where}; {found}", "warning")


def _describe_thought(run: Run, result: SubTaskResult) -> LogLine | None:
    """Describe what a planning or evaluating sub-task has decided, and why."""
    match result.output:
        case EvaluateOutput(decision=decision):
            node = run.graph.get(result.node)
            of = node.about if node else result.node
            cause = f", cause {decision.cause}" if decision.cause else ""
            mending = f"; first: {decision.recovery}" if decision.recovery else ""
            accepted = node.result.output if node and node.result else None
            why = accepted.overruled if isinstance(accepted, EvaluateOutput) else ""
            overruled = f" (overruled: {why})" if why else ""
            told = f"{decision.action}{cause} — {decision.reason}{mending}{overruled}"
            text = f"[Orchestrator] Evaluation of {of}: {told}"
            return LogLine(kind="decision", text=text, node=of, task=result.task, status=decision.action)
        case CritiqueOutput() if result.summary:
            return _line("decision", f"Critique: {result.summary}")
        case ValidateOutput() if result.summary:
            looked = run.graph.get(result.node)
            return _line("decision", f"Validation of {looked.about if looked else result.node}: {result.summary}")
        case LocateOutput():
            looked = run.graph.get(result.node)
            return _line("decision", f"Detection for {looked.about if looked else result.node}: {result.summary}")
        case PlanOutput() if result.summary:
            return _line("decision", f"Planning: {result.summary}")
        case _:
            return None


def _describe_refusal(run: Run, claimed: SubTaskResult) -> LogLine | None:
    """Describe a result only if the run did not accept its status as claimed."""
    node = run.graph.get(claimed.node)
    accepted = node.result if node else None
    if accepted is None or accepted.task != claimed.task or accepted.status == claimed.status:
        return None
    text = f"[Orchestrator] {claimed.node}: the claimed {claimed.status} is refused — {accepted.summary}"
    return LogLine(
        kind="decision", text=text, level="warning", node=claimed.node, task=claimed.task, status=accepted.status
    )


def _line(kind: LogKind, text: str, level: Level = "info", status: str = "") -> LogLine:
    return LogLine(kind=kind, text=f"[Orchestrator] {text}", level=level, status=status)
