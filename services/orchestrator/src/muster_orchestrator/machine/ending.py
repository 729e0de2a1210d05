"""Is the run over, and with which verdict? A run passes in one way only: every planned sub-task passed. Pure."""

from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from muster_orchestrator.machine.dispatch import evaluation_id, needs_evaluation, overspent
from muster_orchestrator.machine.state import PLANNING, POOL, Node, Run, open_tasks, unserved_timer
from muster_protocol.causes import Cause, Failure, cause_of
from muster_protocol.codec import encode
from muster_protocol.facts import Evidence
from muster_protocol.kinds import StepOutput
from muster_protocol.tasks import SubTaskResult
from muster_protocol.values import shown
from muster_protocol.verdicts import Verdict

LARGEST = 350_000
"""Bytes that the results in a verdict may have, so that it fits into one message together with their evidence."""
LONGEST = 10_000
"""Characters that each text of a verdict may have."""
SMALL = 50_000
"""The same for a run that is given up, perhaps because what it had to store was too large."""


class _Fail(NamedTuple):
    """Why a run fails."""

    cause: Cause
    summary: str
    node: str = ""
    result: SubTaskResult | None = None


def ending(run: Run) -> Verdict | None:
    """Return the verdict once it is certain, else None."""
    fail = _cancelled(run) or _abandoned(run) or _not_planned(run) or _failed_node(run)
    if fail is None and run.plan is not None and _all_done(run):
        skipped = next((node for node in run.planned() if node.status == "skipped"), None)
        return _verdict(run, _of_node(run, skipped) if skipped else None)
    fail = fail or _overslept(run) or _timed_out(run) or _unserved(run) or _spent(run)
    return _verdict(run, fail) if fail else None


def _all_done(run: Run) -> bool:
    """Return whether nothing of the plan is left to do; looks from the end, where the undone are."""
    nodes = reversed(run.nodes.values())
    return all(node.status in ("passed", "skipped") for node in nodes if node.planned)


def _cancelled(run: Run) -> _Fail | None:
    if run.cancelled is None:
        return None
    by = f" by {run.cancelled.by}" if run.cancelled.by else ""
    why = f": {run.cancelled.reason}" if run.cancelled.reason else ""
    return _Fail(Cause.CANCELLED, f"cancelled{by}{why}")


def _timed_out(run: Run) -> _Fail | None:
    """A run that is complete when its time is up has its verdict; one that is not has none of its own."""
    if "run" not in run.fired:
        return None
    seconds = run.deadline - run.started_at
    done, total = run.progress()
    text = f"not finished within {seconds:g} s (limits: timeout_seconds); {done}/{total} sub-tasks passed"
    return _Fail(cause_of(Failure.LIMIT), text)


def _unserved(run: Run) -> _Fail | None:
    """A sub-task that nobody can work on ends the run after a while; see `Policy.unserved_seconds`."""
    for what, absence in run.unserved.items():
        waits = any(f"{POOL}{task.pool}" == what for task in open_tasks(run))
        if waits and unserved_timer(what, absence) in run.fired:
            pool, seconds = what.removeprefix(POOL), run.policy.unserved_seconds
            text = (
                f"no worker was there for pool {pool} for {seconds:g} s: start one with `muster up`, or start more "
                f"replicas of the service `subagent` with {pool!r} in POOLS"
            )
            return _Fail(cause_of(Failure.NO_WORKER), text)
    return None


def _overslept(run: Run) -> _Fail | None:
    if not run.overslept:
        return None
    hours = run.policy.parked_seconds / 3600
    return _Fail(cause_of(Failure.LIMIT), f"nobody let it go on within {hours:g} h: {run.overslept}")


def worn_out(run: Run) -> str:
    """Return why a run that costs its owners one after another is to be given up: it must not go round for ever."""
    if run.given_up or run.takeovers < run.policy.max_takeovers:
        return ""
    return f"{run.takeovers} orchestrators in a row were lost before another sub-task ended"


def _abandoned(run: Run) -> _Fail | None:
    """A run that this fleet cannot carry on fails, whatever else is known of it."""
    return _Fail(cause_of(Failure.POISON), f"given up: {run.given_up[:1000]}") if run.given_up else None


def _not_planned(run: Run) -> _Fail | None:
    planning = run.nodes.get(PLANNING)
    if run.refusals:
        return _Fail(Cause.AGENT, "the plan was refused: " + "; ".join(run.refusals))
    if planning is not None and planning.status == "failing" and planning.result is not None:
        return _Fail(planning.result.cause or Cause.AGENT, planning.result.summary, PLANNING, planning.result)
    if run.session_failure:
        return _Fail(Cause.ENVIRONMENT, f"no session could be opened: {run.session_failure}")
    return None


def _failed_node(run: Run) -> _Fail | None:
    for node in run.nodes.values():
        final = node.status == "failed" or (node.status == "failing" and not _awaits_evaluation(run, node))
        if final and node.planned:
            return _of_node(run, node)
    return None


def _awaits_evaluation(run: Run, node: Node) -> bool:
    evaluation = run.nodes.get(evaluation_id(node))
    return needs_evaluation(node) and (evaluation is None or evaluation.status != "failing")


def _of_node(run: Run, node: Node) -> _Fail:
    result = node.result
    order = [other.plan.id for other in run.planned()]
    place = f"sub-task {order.index(node.plan.id) + 1}/{len(order)}"
    text = result.summary if result else "no result"
    cause = (result.cause if result else None) or Cause.AGENT
    return _Fail(cause, f"{place} ({shown(node.plan.description, run.values)}): {text}", node.plan.id, result)


def _spent(run: Run) -> _Fail | None:
    """A used-up budget ends the run once nothing is under way: what runs may finish."""
    used_up = overspent(run)
    if not used_up or any(node.status == "open" for node in run.nodes.values()):
        return None
    return _Fail(cause_of(Failure.LIMIT), f"the budget is used up: {used_up}")


def _fitting(results: Sequence[SubTaskResult], most: int) -> tuple[SubTaskResult, ...]:
    """Return results as they are if they have `most` bytes, else without what was seen, else without what they gave;
    where that is too much, too, the newest of those, fails before passes."""
    for form in (_whole, _lean, _bare):
        made = tuple(form(result) for result in results)
        if len(encode(made)) <= most:
            return made
    kept: set[str] = set()
    for result in sorted(reversed(results), key=lambda result: result.status == "pass"):
        most -= len(encode(_bare(result))) + 1
        if most < 0:
            break
        kept.add(result.task)
    return tuple(_bare(result) for result in results if result.task in kept)


def _whole(result: SubTaskResult) -> SubTaskResult:
    return result


def _lean(result: SubTaskResult) -> SubTaskResult:
    evidence = (
        Evidence(clause=it.clause[:200], check=it.check, call=it.call, passed=it.passed) for it in result.step.evidence
    )
    output = replace(result.step, evidence=tuple(evidence)) if isinstance(result.output, StepOutput) else result.output
    return replace(result, output=output, expected=result.expected[:200], seen=result.seen[:200])


def _bare(result: SubTaskResult) -> SubTaskResult:
    return SubTaskResult(
        task=result.task,
        node=result.node,
        attempt=result.attempt,
        status=result.status,
        summary=result.summary[:200],
        failure=result.failure,
        cause=result.cause,
        worker=result.worker,
        last_act=result.last_act,
        acted=result.acted,
        unverified=result.unverified,
        iterations=result.iterations,
        usage=result.usage,
        source=result.source,
    )


def _verdict(run: Run, fail: _Fail | None) -> Verdict:
    assert run.request is not None
    request, result = run.request, fail.result if fail else None
    results = _fitting(run.results, SMALL if run.given_up else LARGEST)
    unverified = sum(outcome.unverified for outcome in run.results)
    _, planned = run.progress()
    passed = f"{planned} of {planned} sub-tasks passed" + (f", {unverified} unverified" if unverified else "")
    return Verdict(
        run=request.id,
        name=request.job.name,
        status="fail" if fail else "pass",
        cause=fail.cause if fail else None,
        summary=fail.summary[:LONGEST] if fail else passed,
        suite=request.suite,
        labels=request.labels,
        correlation_id=request.correlation_id,
        tags=getattr(request.job, "tags", ()),
        failed_node=fail.node if fail else "",
        expected=result.expected[:LONGEST] if result else "",
        seen=result.seen[:LONGEST] if result else "",
        where=result.where[:LONGEST] if result else "",
        results=results,
        omitted=len(run.results) - len(results),
        unverified=unverified,
        total_iterations=sum(outcome.iterations for outcome in run.results),
        usage=run.usage,
        duration=run.now - run.started_at,
        ended_at=run.now,
    )
