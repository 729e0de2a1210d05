"""Nodes and rows as a run's log tells them."""

from typing import Any

from envelopes import a_task, result_of
from msgspec import Raw

from muster_bus import Stored
from muster_gateway import fold
from muster_gateway.entries import Known, RawEntry, known, parse, request_in, verdict_in
from muster_gateway.views import NodeView
from muster_protocol import codec
from muster_protocol.causes import Cause, Failure
from muster_protocol.events import (
    Event,
    PlanMade,
    RetryPlanned,
    RunClosed,
    RunOpened,
    SubTaskDispatched,
    SubTaskEnded,
    VerdictReached,
)
from muster_protocol.logs import RunRow
from muster_protocol.plans import Plan, PlanNode
from muster_protocol.requests import RunRequest, Step, TestCase
from muster_protocol.tasks import ResultStatus, SubTaskResult
from muster_protocol.verdicts import Verdict

REQUEST = RunRequest(
    id="r1",
    job=TestCase(name="Buy", steps=(Step(action="a", expected="b"),), tags=("smoke",)),
    suite="s",
    requested_at=5.0,
)
PLAN = Plan(nodes=(PlanNode(id="a", description="first"), PlanNode(id="b", description="second", needs=("a",))))


def dispatched(node: str, attempt: int = 1, kind: str = "step") -> Event:
    task = a_task(id=f"r1.{node}.{attempt}", run="r1", node=node, attempt=attempt, dispatch=1, kind=kind)
    return SubTaskDispatched(sub_task=task)


def result(node: str, status: ResultStatus, attempt: int = 1, **more: Any) -> SubTaskResult:
    return result_of(f"r1.{node}.{attempt}", status=status, summary=status, **more)


def folded(*events: Event) -> list[NodeView]:
    return list(fold.nodes(Known(float(at), event) for at, event in enumerate(events, 1)))


def states(*events: Event) -> dict[str, str]:
    return {node.id: node.state for node in folded(*events)}


def test_without_a_plan_there_are_no_nodes():
    assert folded(RunOpened(request=REQUEST, owner="o", message=1, delivery=1)) == []


def test_planned_nodes_wait_in_the_plans_order_behind_the_planning_itself():
    nodes = folded(dispatched("plan", kind="plan"), SubTaskEnded(outcome=result("plan", "pass")), PlanMade(plan=PLAN))
    assert [(node.id, node.state, node.planned) for node in nodes] == [
        ("plan", "passed", False),
        ("a", "waiting", True),
        ("b", "waiting", True),
    ]


def test_a_node_runs_ends_and_keeps_what_was_seen():
    ended = SubTaskEnded(
        outcome=result("a", "fail", failure=Failure.EXPECTATION_FALSE, cause=Cause.PRODUCT, seen="Error")
    )
    first, second = folded(PlanMade(plan=PLAN), dispatched("a"), ended)
    assert (first.state, first.failure, first.cause, first.seen) == ("failed", "expectation_false", "product", "Error")
    assert (first.started_at, first.ended_at) == (2.0, 3.0)
    assert second.state == "waiting"


def test_a_retry_shows_its_reason_and_the_next_attempt_takes_its_place():
    again = RetryPlanned(node="a", not_before=9.0, reason="the session was lost")
    broken = (PlanMade(plan=PLAN), dispatched("a"), SubTaskEnded(outcome=result("a", "error")), again)
    assert (folded(*broken)[0].state, folded(*broken)[0].summary) == ("retrying", "the session was lost")
    node = folded(*broken, dispatched("a", 2))[0]
    assert (node.state, node.attempt, node.summary, node.ended_at) == ("running", 2, "", 0.0)


def test_a_recovery_is_listed_though_not_planned():
    assert states(PlanMade(plan=PLAN), dispatched("a"), dispatched("a-fix")) == {
        "a": "running",
        "b": "waiting",
        "a-fix": "running",
    }


def test_a_new_plan_keeps_what_its_nodes_have_come_to():
    longer = Plan(nodes=(PLAN.nodes[0], PlanNode(id="c", description="third")))
    assert states(
        PlanMade(plan=PLAN), dispatched("a"), SubTaskEnded(outcome=result("a", "pass")), PlanMade(plan=longer)
    ) == {
        "b": "waiting",
        "a": "passed",
        "c": "waiting",
    }


def test_the_verdicts_accepted_results_win_over_what_was_claimed_and_the_rest_is_skipped():
    verdict = Verdict(run="r1", name="Buy", status="fail", results=(result("a", "fail"),))
    claimed = SubTaskEnded(outcome=result("a", "pass"))
    reached = VerdictReached(verdict=verdict)
    assert states(PlanMade(plan=PLAN), dispatched("a"), claimed, reached) == {"a": "failed", "b": "skipped"}
    cancelled = VerdictReached(verdict=Verdict(run="r1", name="Buy", status="fail", cause=Cause.CANCELLED))
    assert states(PlanMade(plan=PLAN), dispatched("a"), cancelled) == {"a": "cancelled", "b": "skipped"}


def test_a_row_that_lags_behind_the_log_is_brought_up_to_it():
    opened = Known(7.0, RunOpened(request=REQUEST, owner="o", message=1, delivery=1))
    reached = Known(
        9.0, VerdictReached(verdict=Verdict(run="r1", name="Buy", status="fail", cause=Cause.AGENT, summary="x"))
    )
    queued = fold.row("r1", None, REQUEST, [])
    assert (queued.status, queued.name, queued.suite, queued.tags) == ("queued", "Buy", "s", ("smoke",))
    assert (fold.row("r1", None, REQUEST, [opened]).status, fold.row("r1", queued, REQUEST, [opened]).started_at) == (
        "running",
        7.0,
    )
    over = fold.row("r1", RunRow(run="r1", name="Buy", status="running", done=1), REQUEST, [opened, reached])
    assert (over.status, over.cause, over.summary, over.ended_at, over.done) == ("fail", "agent", "x", 9.0, 1)
    assert fold.row("r1", None, None, []).name == "r1"


def test_events_of_a_newer_version_are_left_out_of_the_fold_but_kept_in_the_entry():
    entry = parse(
        Stored(4, "s", b'{"epoch":1,"at":2,"events":[{"type":"run_closed"},{"type":"new"},{"type":"parked"}]}')
    )
    assert entry is not None
    assert (entry.sequence, len(entry.events)) == (4, 3)
    assert known([entry]) == [Known(2.0, RunClosed())]
    assert parse(Stored(4, "s", b"no json")) is None
    assert parse(Stored(4, "s", b'{"events":' + b"[" * 100_000)) is None


def test_request_and_verdict_are_found_wherever_they_stand():
    opened = RunOpened(request=REQUEST, owner="o", message=1, delivery=1)
    verdict = Verdict(run="r1", name="Buy", status="pass")
    raw = tuple(Raw(codec.encode(event)) for event in (opened, VerdictReached(verdict=verdict), RunClosed()))
    events = known([RawEntry(events=raw)])
    assert (request_in(events), verdict_in(events)) == (REQUEST, verdict)
    assert (request_in(events[1:]), verdict_in(events[:1])) == (None, None)
