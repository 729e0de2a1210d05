"""Ends common to the runs of all jobs, and the verdict of an end. Pure."""

from collections.abc import Sequence

from msgspec.structs import replace

from muster_orchestrator.machine.core.budgets import exceeded_limit
from muster_orchestrator.machine.core.job import End, Fail
from muster_orchestrator.machine.core.state import POOL, SESSION_HOST, Absence, Run, unserved_timer
from muster_protocol.causes import Cause, Failure
from muster_protocol.codec import encode
from muster_protocol.facts import Evidence
from muster_protocol.kinds import StepOutput
from muster_protocol.tasks import SubTaskResult
from muster_protocol.verdicts import Verdict
from muster_text.text_match import both_ends

MAX_RESULTS_BYTES = 350_000
"""Most bytes of results in a verdict, so that any verdict fits into one message."""
MAX_RESULTS_BYTES_GIVEN_UP = 50_000
"""The same for a run that was given up, perhaps because its entries were too large."""
MAX_TEXT_CHARACTERS = 10_000
"""Most characters of each text in a verdict."""


def check_stopped(run: Run) -> Fail | None:
    """Return why the run ends whatever its job says: it was cancelled or given up, or a session cannot be opened."""
    if run.people.cancelled is not None:
        cancelled = run.people.cancelled
        by = f" by {cancelled.by}" if cancelled.by else ""
        why = f": {cancelled.reason}" if cancelled.reason else ""
        return Fail(Cause.CANCELLED, f"cancelled{by}{why}")
    if run.given_up:
        return Fail(Failure.POISON.cause, f"given up: {run.given_up[:1000]}")
    if run.sessions.failure:
        return Fail(Cause.ENVIRONMENT, f"no session could be opened: {run.sessions.failure}")
    return None


def check_bounds(run: Run) -> Fail | None:
    """Return which limit ends the run before its job is done."""
    checks = (_check_estimate, _check_parked_time, _check_wall_time, _check_unserved, _check_budget)
    return next((fail for check in checks if (fail := check(run))), None)


def check_takeovers(run: Run) -> str:
    """Return why a run that has lost too many owners in a row is given up, or ""."""
    takeovers = run.owner.takeovers
    if run.given_up or takeovers < run.policy.max_takeovers:
        return ""
    return f"{takeovers} orchestrators in a row were lost before another sub-task ended"


def _check_wall_time(run: Run) -> Fail | None:
    """Fail a run whose wall time is up."""
    if "run" not in run.fired:
        return None
    seconds = run.deadline - run.clock.started_at
    done = f"{run.graph.passed}/{run.graph.total} sub-tasks passed"
    return Fail(Failure.LIMIT.cause, f"not finished within {seconds:g} s (limits: timeout_seconds); {done}")


def _check_unserved(run: Run) -> Fail | None:
    """Fail a run that has waited too long for a missing service; see `absence_limit`."""
    pools = {f"{POOL}{node.sub_task.pool}" for node in run.graph.with_status("open") if node.sub_task}
    for what, absence in run.unserved.items():
        waits = what in pools or what.startswith(SESSION_HOST)
        if waits and unserved_timer(what, absence) in run.fired:
            return Fail(Failure.NO_WORKER.cause, _describe_absence(run, what, absence))
    return None


def absence_limit(run: Run, what: str, absence: Absence) -> float:
    """Return how many seconds a run waits for a missing service: not at all for a name that nobody was ever seen to
    have, as hosts that come and go are known."""
    if absence.unheard:
        return 0.0
    return run.policy.unserved_seconds if what.startswith(POOL) else run.policy.session_wait_seconds


def _describe_absence(run: Run, what: str, absence: Absence) -> str:
    seconds = absence_limit(run, what, absence)
    if absence.unheard:
        return f"there is no {what}: {absence.why}"
    if not what.startswith(POOL):
        remedy = absence.why or "start one with `muster up`, or start more replicas of the service `sessions`"
        return f"no {what} was running for {seconds:g} s: {remedy}"
    pool = what.removeprefix(POOL)
    return (
        f"no worker of pool {pool} was running for {seconds:g} s: start one with `muster up`, or start more "
        f"replicas of the service `subagent` with {pool!r} in POOLS"
    )


def _check_parked_time(run: Run) -> Fail | None:
    if not run.parking.expired:
        return None
    hours = run.policy.parked_seconds / 3600
    return Fail(Failure.LIMIT.cause, f"not resumed or answered within {hours:g} h: {run.parking.expired}")


def _check_estimate(run: Run) -> Fail | None:
    """Fail a run that is estimated to cost more than it may, before it spends anything."""
    most = run.request.limits.max_cost if run.request else None
    if most is None or run.estimate is None or run.dispatched or run.estimate.usage.cost <= most:
        return None
    told = f"earlier runs of its steps came to {run.estimate.usage.cost:.4g}, and it may cost {most:g}"
    return Fail(Cause.BUDGET, f"refused before anything was spent: {told} (limits: max_cost)")


def _check_budget(run: Run) -> Fail | None:
    """Fail a run whose budget is used up, once its open sub-tasks have finished."""
    used_up = exceeded_limit(run)
    if not used_up or run.graph.with_status("open"):
        return None
    failure = Failure.MONEY_SPENT if "max_cost" in used_up else Failure.LIMIT
    return Fail(failure.cause, f"the budget is used up: {used_up}")


def build_verdict(run: Run, end: End) -> Verdict:
    """Return the verdict of a run that ends now."""
    request, fail = run.opened, end.fail
    result = fail.result if fail else None
    results = fit_results(run.results, MAX_RESULTS_BYTES_GIVEN_UP if run.given_up else MAX_RESULTS_BYTES)
    unverified = sum(outcome.unverified for outcome in run.results)
    planned = run.graph.total
    passed = f"{planned} of {planned} sub-tasks passed" + (f", {unverified} unverified" if unverified else "")
    note = f"; {end.note}" if end.note else ""
    return Verdict(
        run=request.id,
        name=request.job.name,
        status=request.job.ends[1 if fail else 0],
        cause=fail.cause if fail else None,
        summary=both_ends((fail.summary if fail else end.summary or passed) + note, MAX_TEXT_CHARACTERS),
        suite=request.suite,
        labels=request.labels,
        correlation_id=request.correlation_id,
        tags=request.tags,
        failed_node=fail.node if fail else "",
        expected=result.expected[:MAX_TEXT_CHARACTERS] if result else "",
        seen=result.seen[:MAX_TEXT_CHARACTERS] if result else "",
        where=result.where[:MAX_TEXT_CHARACTERS] if result else "",
        results=results,
        omitted=len(run.results) - len(results),
        unverified=unverified,
        total_iterations=sum(outcome.iterations for outcome in run.results),
        usage=run.usage,
        duration=run.clock.now - run.clock.started_at,
        ended_at=run.clock.now,
    )


def fit_results(results: Sequence[SubTaskResult], most: int) -> tuple[SubTaskResult, ...]:
    """Return results in at most `most` bytes: as they are, else shortened, else without output.

    If even that is too much, keep the newest, fails before passes.
    """
    for candidates in (results, map(_shortened, results), map(_without_output, results)):
        made = tuple(candidates)
        if len(encode(made)) <= most:
            return made
    kept: set[str] = set()
    for result in sorted(reversed(results), key=lambda result: result.status == "pass"):
        most -= len(encode(_without_output(result))) + 1
        if most < 0:
            break
        kept.add(result.task)
    return tuple(_without_output(result) for result in results if result.task in kept)


def _shortened(result: SubTaskResult) -> SubTaskResult:
    evidence = (
        Evidence(clause=it.clause[:200], check=it.check, call=it.call, passed=it.passed) for it in result.step.evidence
    )
    output = replace(result.step, evidence=tuple(evidence)) if isinstance(result.output, StepOutput) else result.output
    return replace(result, output=output, expected=result.expected[:200], seen=result.seen[:200])


def _without_output(result: SubTaskResult) -> SubTaskResult:
    return SubTaskResult(
        task=result.task,
        node=result.node,
        attempt=result.attempt,
        status=result.status,
        summary=both_ends(result.summary, 200),
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
