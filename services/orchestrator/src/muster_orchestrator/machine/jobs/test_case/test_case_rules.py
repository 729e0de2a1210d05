"""The rules of a test case: it passes only if every step of its plan has passed."""

from collections.abc import Mapping
from sys import intern
from typing import ClassVar

from msgspec.structs import replace

from muster_orchestrator.machine.core.graph import Node
from muster_orchestrator.machine.core.job import End, Fail, Job
from muster_orchestrator.machine.core.kind_rules import KindRules
from muster_orchestrator.machine.core.state import Run
from muster_orchestrator.machine.jobs.test_case import (
    approval_rules,
    consent_rules,
    critic_rules,
    evaluate_rules,
    locate_rules,
    overlay_rules,
    plan_rules,
    recovery_rules,
    replan_rules,
    step_rules,
    summarise_rules,
    validate_rules,
)
from muster_orchestrator.machine.jobs.test_case.fails import goes_on
from muster_orchestrator.machine.jobs.test_case.knowledge import all_values, case_of, needs_summary, state_of
from muster_orchestrator.machine.jobs.test_case.planning import PLANNING
from muster_orchestrator.machine.jobs.test_case.state import TestCaseState
from muster_protocol.causes import Cause
from muster_protocol.estimates import Estimate, PastCosts
from muster_protocol.events import Event, PlanMade, PlanRefused, RecoveryPlanned
from muster_protocol.requests import MAIN, TestCase
from muster_protocol.session_requests import OpenSession
from muster_protocol.tool_calls import Usage
from muster_text.cost_estimates import cost_samples, estimate_case, rest_key, step_keys
from muster_text.named_hosts import hosts_named
from muster_text.text_match import both_ends
from muster_text.values import fill_known
from muster_views.texts import format_count

FAILED = frozenset({"failing", "failed", "skipped"})
LONGEST_STEP = 300
"""Characters of a step's words in the summary of a run that it has failed: what went wrong comes after them."""


class TestCaseRules(Job):
    """See `Job`."""

    __test__ = False  # the name starts with Test; keep pytest from collecting it
    kinds: ClassVar[Mapping[str, KindRules]] = {
        "plan": plan_rules.RULES,
        "step": step_rules.RULES,
        "evaluate": evaluate_rules.RULES,
        "critique": critic_rules.RULES,
        "validate": validate_rules.RULES,
        "locate": locate_rules.RULES,
        "summarise": summarise_rules.RULES,
    }

    def start(self, run: Run) -> TestCaseState:
        """A case begins without a plan."""
        return TestCaseState(hosts=hosts_named(case_of(run)))

    def wanted_sessions(self, run: Run) -> tuple[OpenSession, ...]:
        """Return the sessions that the plan uses; before there is one, those that the steps name."""
        case, state, held = case_of(run), state_of(run), run.sessions
        return tuple(
            OpenSession(
                run=run.opened.id,
                name=intern(name),  # msgspec omits a default only if it is the same object
                device=case.device,
                domains=case.domains,
                checkpoint=name in held.lost,
                record=run.opened.record,
            )
            for name in (state.sessions if state.plan else _written_sessions(case))
        )

    def due(self, run: Run, ready: tuple[Node, ...]) -> tuple[Node, ...]:
        """Plan first, summarise a history that has grown too long, run what is ready, then look for what was not found
        in a picture, and evaluate fails last."""
        if state_of(run).plan is None:
            return plan_rules.planning_due(run) or critic_rules.critique_due(run)
        if needs_summary(run):
            return summarise_rules.summary_due(run)
        work = (*ready, *validate_rules.validations_due(run)) or locate_rules.detections_due(run)
        return work or evaluate_rules.evaluations_due(run)

    def follow(self, run: Run) -> tuple[Event, ...]:
        """Accept the plan, or refuse it; have failed steps tried again by rule."""
        plans = plan_rules.accept_plan(run) or replan_rules.accept_rest(run) or approval_rules.ask_approval(run)
        asked = plans or consent_rules.ask_consent(run)
        return asked or overlay_rules.plan_closings(run) or recovery_rules.plan_remedies(run)

    def apply(self, run: Run, event: Event) -> Run:
        """Return the run after a plan was made or refused."""
        match event:
            case PlanMade():
                return plan_rules.apply_plan(run, event)
            case RecoveryPlanned(node=id, decision=decision):
                return evaluate_rules.apply_planned(run, id, decision)
            case PlanRefused(reasons=reasons):
                return replace(run, job=replace(state_of(run), refusals=reasons))
            case _:
                return run

    def values(self, run: Run) -> dict[str, str]:
        """Return all variables and captured values."""
        return all_values(run)

    def extent(self, run: Run) -> str:
        """Return how many steps are written."""
        return format_count(len(case_of(run).steps), "step")

    def cost_keys(self, run: Run) -> frozenset[str]:
        """Return the keys of the steps, and of what the case needs beside them."""
        case = case_of(run)
        return frozenset({*step_keys(case), rest_key(case)})

    def estimate(self, run: Run, past: Mapping[str, PastCosts]) -> Estimate:
        """Return the estimated cost of the steps, from what they cost before."""
        return estimate_case(case_of(run), past)

    def costs(self, run: Run) -> dict[str, Usage]:
        """Return what the steps have come to that have passed."""
        plan, verdict = state_of(run).plan, run.verdict
        if plan is None or verdict is None:
            return {}
        return cost_samples(case_of(run), plan, run.results, run.usage, verdict.duration)

    def end(self, run: Run) -> End | None:
        """Return the end of the case: planning failed, a step failed, or every step is done."""
        fail = _planning_fail(run) or _refused_by_person(run) or _step_fail(run)
        if fail is not None:
            return End(fail, note=overlay_rules.describe_closed(run))
        if state_of(run).plan is None or run.graph.undone or state_of(run).unvalidated:
            return None
        skipped = _build_fail(run, run.graph[run.graph.skipped]) if run.graph.skipped else None
        return End(skipped, note=overlay_rules.describe_closed(run))


RULES: Job = TestCaseRules()


def _written_sessions(case: TestCase) -> tuple[str, ...]:
    """Return the sessions that the steps name, and that of the preconditions."""
    return tuple(sorted({step.session for step in case.steps} | ({MAIN} if case.preconditions else set[str]())))


def _refused_by_person(run: Run) -> Fail | None:
    return approval_rules.check_approval(run) or consent_rules.check_consent(run)


def _planning_fail(run: Run) -> Fail | None:
    refusals, planning = state_of(run).refusals, run.graph.get(PLANNING)
    if refusals:
        return Fail(Cause.AGENT, "the plan was refused: " + "; ".join(refusals))
    if planning is not None and planning.status == "failing" and planning.result is not None:
        return Fail(planning.result.cause or Cause.AGENT, planning.result.summary, PLANNING, planning.result)
    return None


def _step_fail(run: Run) -> Fail | None:
    for node in run.graph.with_status("failed", "failing"):
        waits = locate_rules.awaits_detection(run, node) or evaluate_rules.awaits_evaluation(run, node)
        final = node.status == "failed" or not waits
        if final and node.planned:
            return _build_fail(run, _first_passed_over(run) or node)
    return None


def _first_passed_over(run: Run) -> Node | None:
    """Return the first failed step after which the case went on by its own words: later fails may come from it."""
    node = run.graph.get(run.graph.skipped)
    return node if node is not None and goes_on(run, node) else None


def _build_fail(run: Run, node: Node) -> Fail:
    result = node.result
    number = run.graph.places[node.plan.id]
    place = f"{'recovery of ' if node.backtrack_to else ''}sub-task {number}/{run.graph.total}"
    text = result.summary if result else "no result"
    cause = (result.cause if result else None) or Cause.AGENT
    done = both_ends(fill_known(node.plan.description, all_values(run)), LONGEST_STEP)
    failed = sum(it.planned and not it.backtrack_to and it.status in FAILED for it in run.graph.values())
    more = f"; {failed} failed, {run.graph.passed} passed" if failed > 1 or node.status == "skipped" else ""
    summary = f"{place} ({done}): {text}{more}"
    return Fail(cause, summary, node.plan.id, result)
