"""A run's history, and the views and rows made of it."""

from typing import Any, get_args

import pytest
from envelopes import a_task, result_of

from muster_protocol.causes import Cause, Failure
from muster_protocol.control import Pause
from muster_protocol.events import (
    Asked,
    ChildrenAsked,
    ControlApplied,
    Event,
    PlanMade,
    RetryPlanned,
    RunOpened,
    SubTaskDispatched,
    SubTaskEnded,
    VerdictReached,
)
from muster_protocol.kinds import AssignOutput, Decision, Mended
from muster_protocol.logs import RunRow, RunStatus
from muster_protocol.plans import Plan, PlanNode
from muster_protocol.requests import Analysis, Drill, Exploration, RunRequest, Step, TestCase
from muster_protocol.tasks import Budget, ResultStatus, SubTaskResult
from muster_protocol.tool_calls import Usage
from muster_protocol.verdicts import Verdict
from muster_views.attempt_views import CallStatus
from muster_views.history import History, fold_events
from muster_views.node_history import NodeState, tree_of
from muster_views.run_rows import current_row
from muster_views.run_view import view_nodes, view_run
from muster_views.views import ClauseState, NodeView, RunView
from muster_views.words import STATES

REQUEST = RunRequest(
    id="r1",
    job=TestCase(name="Buy", steps=(Step(action="a", expected="b"),), tags=("smoke",)),
    suite="s",
    requested_at=5.0,
)
OPENED = RunOpened(request=REQUEST, owner="o", message=1, delivery=1)
PLAN = Plan(nodes=(PlanNode(id="a", description="first"), PlanNode(id="b", description="second", needs=("a",))))


def dispatched(node: str, attempt: int = 1, kind: str = "step") -> Event:
    task = a_task(f"r1.{node}.{attempt}", kind=kind)
    return SubTaskDispatched(sub_task=task)


def result(node: str, status: ResultStatus, attempt: int = 1, **more: Any) -> SubTaskResult:
    return result_of(f"r1.{node}.{attempt}", status=status, summary=status, **more)


def history(*events: Event) -> History:
    return fold_events((float(at), event) for at, event in enumerate(events, 1))


def nodes(*events: Event) -> list[NodeView]:
    return list(view_nodes(history(*events), {}))


def states(*events: Event) -> dict[str, str]:
    return {node.id: node.state for node in nodes(*events)}


def test_without_a_plan_there_are_no_nodes():
    assert nodes(RunOpened(request=REQUEST, owner="o", message=1, delivery=1)) == []


def test_planned_nodes_wait_in_the_plans_order_behind_the_planning_itself():
    found = nodes(dispatched("plan", kind="plan"), SubTaskEnded(outcome=result("plan", "pass")), PlanMade(plan=PLAN))
    assert [(node.id, node.label, node.state, node.number) for node in found] == [
        ("plan", "Planning", "passed", 0),
        ("a", "", "waiting", 1),
        ("b", "", "waiting", 2),
    ]


def test_a_node_runs_ends_and_keeps_what_was_seen():
    ended = SubTaskEnded(
        outcome=result("a", "fail", failure=Failure.EXPECTATION_FALSE, cause=Cause.PRODUCT, seen="Error")
    )
    first, second = nodes(PlanMade(plan=PLAN), dispatched("a"), ended)
    assert (first.state, first.failure, first.cause, first.seen) == ("failed", "expectation_false", "product", "Error")
    assert (first.started_at, first.ended_at) == (2.0, 3.0)
    assert second.state == "waiting"


def test_a_retry_shows_its_reason_and_the_next_attempt_takes_its_place():
    again = RetryPlanned(node="a", not_before=9.0, reason="the session was lost")
    broken = (PlanMade(plan=PLAN), dispatched("a"), SubTaskEnded(outcome=result("a", "error")), again)
    assert (nodes(*broken)[0].state, nodes(*broken)[0].summary) == ("retrying", "the session was lost")
    node = nodes(*broken, dispatched("a", 2))[0]
    assert (node.state, node.attempt, node.summary, node.ended_at) == ("running", 2, "", 0.0)


def test_a_node_that_needs_children_waits_and_its_recovery_is_listed_though_not_planned():
    asked = ChildrenAsked(task="r1.a.1", call="r1.a.1:0", children=())
    assert states(PlanMade(plan=PLAN), dispatched("a"), asked, dispatched("a-fix")) == {
        "a": "waiting",
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
    opened = (7.0, OPENED)
    verdict = Verdict(run="r1", name="Buy", status="fail", cause=Cause.AGENT, summary="x")
    reached = (9.0, VerdictReached(verdict=verdict))
    queued = current_row(History(run="r1", request=REQUEST), None)
    assert (queued.status, queued.name, queued.suite, queued.tags) == ("queued", "Buy", "s", ("smoke",))
    begun = fold_events([opened], "r1")
    assert (current_row(begun, None).status, current_row(begun, queued).started_at) == ("running", 7.0)
    over = current_row(fold_events([opened, reached], "r1"), RunRow(run="r1", name="Buy", status="running", done=1))
    assert (over.status, over.cause, over.summary, over.ended_at, over.done) == ("fail", "agent", "x", 9.0, 1)
    assert current_row(History(run="r1"), None).name == "r1"


FAILED = result("b", "fail", failure=Failure.EXPECTATION_FALSE, seen="$4")
JUDGED = a_task("r1.b-e1.1", kind="evaluate", about="b")
MENDING = a_task("r1.b-r1.1", about="b", mended=Mended(action="a", expected="b"))
RECOVER = Decision(action="recover", reason="a banner is in the way")
RECOVERED = (
    OPENED,
    dispatched("plan", kind="plan"),
    SubTaskEnded(outcome=result("plan", "pass")),
    PlanMade(plan=PLAN),
    dispatched("a"),
    SubTaskEnded(outcome=result("a", "pass")),
    dispatched("b"),
    SubTaskEnded(outcome=FAILED),
    SubTaskDispatched(sub_task=JUDGED),
    SubTaskEnded(outcome=result("b-e1", "pass", kind="evaluate", decision=RECOVER)),
    SubTaskDispatched(sub_task=MENDING),
    SubTaskEnded(outcome=result("b-r1", "pass")),
    dispatched("b", 2),
)


def test_what_is_done_for_a_sub_task_stands_below_it():
    listed = [(node.id, node.label, node.depth, node.number) for node in nodes(*RECOVERED)]
    assert listed == [
        ("plan", "Planning", 0, 0),
        ("a", "", 0, 1),
        ("b", "", 0, 2),
        ("b-e1", "Evaluation", 1, 0),
        ("b-r1", "Recovery", 1, 0),
    ]


def test_what_is_out_of_the_ordinary_about_a_sub_task_is_told():
    ended = SubTaskEnded(outcome=result("b", "pass", 2, source="model", unverified=True))
    found = {node.id: node.badges for node in view_nodes(history(*RECOVERED, ended), {"b": 2})}
    assert found["b"] == ("recovered", "taken over ×2", "unverified")
    assert found["a"] == ()
    again = (PlanMade(plan=PLAN), dispatched("a"), dispatched("a", 2), dispatched("a", 3))
    assert nodes(*again)[0].badges == ("retried ×2",)


def view(*events: Event) -> RunView:
    return view_run(history(*events), None, {})


def test_a_kind_whose_sub_tasks_are_numbered_has_its_name_once():
    tour = SubTaskDispatched(sub_task=a_task("r1.t1.1", description="Tour 1", kind="explore"))
    other = SubTaskDispatched(sub_task=a_task("r1.s1.1", description="Summary of what was done", kind="summarise"))
    assert [(it.label, it.title) for it in nodes(tour, other)] == [
        ("", "Tour 1"),
        ("Summary", "Summary of what was done"),
    ]


def test_a_view_tells_whether_the_job_follows_a_plan():
    opened = {
        type(job): view(RunOpened(request=RunRequest(job=job), owner="o", message=1, delivery=1)).planned
        for job in (REQUEST.job, Drill(), Exploration(url="http://a.test"), Analysis(run="r1"))
    }
    assert opened == {TestCase: True, Drill: True, Exploration: False, Analysis: False}


def test_the_sub_task_to_show_first_is_what_failed_asks_or_is_at_work():
    assert view(*RECOVERED).focus == "b"
    asked = Asked(question="r1.a.1:0", text="Which?", task="r1.a.1")
    assert view(PlanMade(plan=PLAN), dispatched("a"), dispatched("b"), asked).focus == "a"
    assert view(PlanMade(plan=PLAN), dispatched("a"), SubTaskEnded(outcome=result("a", "pass"))).focus == "a"
    assert view(PlanMade(plan=PLAN)).focus == "a"
    assert view(OPENED).focus == ""


def test_a_fail_is_told_with_its_cause_its_reason_and_what_the_evaluator_made_of_it():
    verdict = Verdict(
        run="r1", name="Buy", status="fail", cause=Cause.PRODUCT, summary="no", failed_node="b", results=(FAILED,)
    )
    failure = view(*RECOVERED, VerdictReached(verdict=verdict)).failure
    assert failure is not None
    assert (failure.node, failure.meaning) == ("b", "the product did not do what was expected")
    assert (failure.why, failure.evaluator) == (
        "the expectation was checked and does not hold",
        "a banner is in the way",
    )
    assert view(*RECOVERED).failure is None
    passed = Verdict(run="r1", name="Buy", status="pass")
    assert view(OPENED, VerdictReached(verdict=passed)).failure is None


def test_what_cannot_be_asked_of_a_run_is_told_with_the_reason():
    assert view(OPENED).refused == {"resume": "The run is not paused."}
    paused = view(OPENED, ControlApplied(control=Pause(id="1")))
    assert (paused.run.status, paused.refused) == ("paused", {"pause": "The run is paused already."})
    over = view(VerdictReached(verdict=Verdict(run="r1", name="Buy", status="pass"))).refused
    assert over.keys() == {"cancel", "pause", "resume", "answer", "rerun"}
    assert over["cancel"] == "The run is over (pass)."


def test_every_state_has_a_word_a_mark_and_a_tone():
    states = {*get_args(NodeState), *get_args(RunStatus), *get_args(CallStatus), *get_args(ClauseState)}
    assert {*states, *get_args(ResultStatus), "none"} == STATES.keys()


def test_what_an_agent_has_spent_and_was_refused_is_told_with_its_sub_task():
    task = a_task("r1.top.1", kind="assign", agent="lead", budget=Budget(calls=20))
    told = AssignOutput(context=9120, allowed=15)
    refused = ('write_file("x"): not for this agent', 'click("y"): not for this agent')
    outcome = result("top", "pass", output=told, usage=Usage(calls=4), refusals=refused)
    plan = Plan(nodes=(PlanNode(id="top", description="Lead", kind="assign", session=""),))
    [view] = nodes(PlanMade(plan=plan), SubTaskDispatched(sub_task=task), SubTaskEnded(outcome=outcome))

    assert view.spent == ("4 of 15 calls", "context 9,120 characters")
    assert (view.badges, view.refusals) == (("2 refused calls",), refused)


def test_what_an_agent_asked_others_for_stands_below_it_with_its_depth():
    def begun(node: str, parent: str = "", resumed: int = 0) -> SubTaskDispatched:
        task = a_task(f"r1.{node}.1", kind="assign", agent="lead", parent=parent, resumed=resumed)
        return SubTaskDispatched(sub_task=task)

    plan = Plan(nodes=(PlanNode(id="top", description="Lead", kind="assign", session=""),))
    asked = ChildrenAsked(task="r1.top.1", call="r1.top.1:0", children=())
    happened = (
        *(PlanMade(plan=plan), begun("top"), asked, begun("top-1-0-1", "top"), begun("top-1-0-2", "top")),
        *(begun("top-1-0-1-1-0-1", "top-1-0-1"), begun("top", resumed=1)),
    )
    history = fold_events((1.0, event) for event in happened)

    assert [(node.id, depth) for node, depth in tree_of(history.nodes, "top")] == [
        ("top", 0),
        ("top-1-0-1", 1),
        ("top-1-0-1-1-0-1", 2),
        ("top-1-0-2", 1),
    ]
    assert [(view.id, view.depth, view.label) for view in view_nodes(history, {})] == [
        ("top", 0, "lead"),
        ("top-1-0-1", 1, "lead"),
        ("top-1-0-1-1-0-1", 2, "lead"),
        ("top-1-0-2", 1, "lead"),
    ]
    assert (history.nodes["top"].state, len(history.nodes["top"].attempts)) == ("running", 1)


@pytest.mark.parametrize(("kind", "state"), [("step", "passed"), ("assign", "done"), ("explore", "done")])
def test_only_what_tests_something_passes(kind: str, state: NodeState) -> None:
    [node] = nodes(dispatched("a", kind=kind), SubTaskEnded(outcome=result("a", "pass")))
    assert node.state == state
