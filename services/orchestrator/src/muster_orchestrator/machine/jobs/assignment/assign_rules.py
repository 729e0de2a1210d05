"""Rules for agents with a goal: the input of each, and the judgement of its claims. Pure."""

from collections.abc import Sequence

from msgspec.structs import replace

from muster_evidence.proof import find_gap, find_planted, guarded_literals
from muster_orchestrator.machine.core.graph import Node
from muster_orchestrator.machine.core.kind_rules import KindRules, require_output, with_cause
from muster_orchestrator.machine.core.state import Run
from muster_protocol.assignments import Rights
from muster_protocol.causes import Failure
from muster_protocol.journal import Child
from muster_protocol.kinds import AssignInput, AssignOutput, Input
from muster_protocol.requests import Assignment
from muster_protocol.tasks import Budget, SubTaskResult
from muster_text.clauses import split_clauses
from muster_text.named_hosts import hosts_in
from muster_text.values import fill_known

ROOT = "assignment"
"""Id of the node of the assignment itself."""
NOWHERE = ("nowhere.invalid",)
"""The only host of an agent that has something to tell and was named no host: none."""
TURNS, CALLS, SECONDS = 60, 100, 1_800.0
"""What an assignment may spend if neither it nor its agent's file says less."""


def assignment_of(run: Run) -> Assignment:
    """Return the run's assignment."""
    assert isinstance(run.opened.job, Assignment)
    return run.opened.job


def ask(job: Assignment) -> Child:
    """Return the assignment as its agent is given it."""
    spend = job.budget
    hosts = job.domains or hosts_in((job.goal, job.url, *job.inputs.values()))
    closed = hosts or NOWHERE if job.workspace or job.secrets or job.event else ()
    given = AssignInput(
        inputs=job.inputs,
        workspace=job.workspace,
        url=job.url,
        acceptance=tuple(fill_known(text, job.inputs) for text in job.acceptance),
        output_schema=job.output_schema,
        deliverable=job.deliverable,
        rights=Rights(tools=job.tools, effects=("read", "check") if job.role == "viewer" else None),
        depth=spend.depth,
        context=spend.context or 0,
        tier=job.tier,
        temperature=job.temperature,
        domains=job.domains or closed,
        hosts=hosts,
        secrets=job.secrets,
        event=job.event,
        may_start=job.may_start if job.role else None,
    )
    budget = Budget(
        iterations=spend.turns or TURNS,
        calls=CALLS if spend.calls is None else spend.calls,
        tokens=spend.tokens or 0,
        cost=spend.cost or 0.0,
        seconds=spend.seconds or SECONDS,
    )
    return Child(description=job.goal, input=given, agent=job.agent, budget=budget)


def brief(_run: Run, node: Node) -> Input:
    """Return what was asked for with the node."""
    assert node.asked is not None, "every node of an assignment was asked for"
    return node.asked.input


def accept(_run: Run, node: Node, claimed: SubTaskResult) -> SubTaskResult:
    """Accept what an agent claims only with an output, where one is wanted, and the evidence of what was to hold."""
    result = require_output("assign", claimed)
    given = node.sub_task.assigned if node.sub_task else AssignInput()
    if result.status != "pass":
        return with_cause(result)
    if given.output_schema and result.assigned.output is None:
        return _refuse(result, Failure.UNPARSABLE, "it gave no output, and one of a given form is wanted")
    lack = find_unproven(given.acceptance, result)
    if lack:
        return _refuse(result, Failure.NO_EVIDENCE, lack)
    if forged := _find_forged(given, node.plan.description, result):
        return _refuse(result, Failure.TAMPERED, forged)
    return result


def find_unproven(acceptance: Sequence[str], result: SubTaskResult) -> str:
    """Return what is not proven of what was to hold in the end, or ""."""
    for clause in (clause for text in acceptance for clause in split_clauses(text)):
        checks = [evidence for evidence in result.assigned.evidence if evidence.clause == clause]
        if missing := find_gap(clause, checks, result.last_act, {}):
            return missing
    return ""


def _find_forged(given: AssignInput, goal: str, result: SubTaskResult) -> str:
    """Return which command has printed what an output was to show, or "": files and pages are the agent's to change."""
    outputs = {it.clause for it in result.assigned.evidence if it.about in ("output", "response", "unknown")}
    guarded = guarded_literals(sorted(outputs), (goal, *given.inputs.values()), {})
    for act in result.assigned.acts:
        literal = find_planted(act, guarded, anyhow=False) if act.does == "run" else ""
        if literal:
            return f"{act.tool} was called with {literal!r}, which the output was to show by itself"
    return ""


def absorb(run: Run, node: Node, result: SubTaskResult) -> Run:
    """Keep the result; of a sub-agent, what it found and made stays in its journal, where its parent reads it."""
    told = AssignOutput(context=result.assigned.context, allowed=result.assigned.allowed)
    kept = result if not node.parent else replace(result, output=told)
    node = replace(node, status="passed" if result.status == "pass" else "failed", result=kept)
    return run.with_node(node).with_result(kept)


RULES = KindRules(brief, accept, absorb)


def _refuse(result: SubTaskResult, failure: Failure, why: str) -> SubTaskResult:
    return with_cause(replace(result, status="fail", failure=failure, summary=why, cause=None))
