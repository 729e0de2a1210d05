"""A whole run, from the request to its close, when all goes well."""

import msgspec
from driven import START, Driven, a_case, passes, plan_of

from muster_orchestrator.machine import AcquireSession, Conclude, Enqueue, Run, SetTimer, decide, fold
from muster_protocol.events import (
    Entry,
    PlanMade,
    RunOpened,
    SubTaskDispatched,
    SubTaskEnded,
    VerdictReached,
)
from muster_protocol.kinds import NoopInput, PlanInput
from muster_protocol.plans import Plan, PlanNode
from muster_protocol.requests import Drill
from muster_protocol.sessions import SessionRef
from muster_protocol.tool_calls import Usage


def test_at_first_the_case_is_planned_and_its_session_opened_at_the_same_time():
    driven = Driven(a_case(domains=("shop.test",)))

    plan, opening, timer = driven.open("plan"), driven.opening[0], driven.effects[-1]
    assert (plan.agent, plan.pool, plan.session, plan.id) == ("case-planner", "think", "", "run-1.plan.1")
    assert isinstance(plan.input, PlanInput)
    assert (opening.request.run, opening.request.name, opening.request.domains) == ("run-1", "main", ("shop.test",))
    assert not opening.request.checkpoint
    assert timer == SetTimer("run", START + 3600)


def test_a_case_goes_step_by_step_to_one_pass_and_is_closed():
    driven = Driven.planned()
    order: list[str] = []
    while driven.run.verdict is None:
        task = driven.open()
        order.append(task.node)
        driven.ends(task, iterations=2)

    assert order == ["step-1", "step-2", "step-3"]
    verdict = driven.verdict
    assert (verdict.status, verdict.cause, verdict.failed_node) == ("pass", None, "")
    assert (verdict.summary, verdict.unverified) == ("3 of 3 sub-tasks passed", 0)
    assert [result.node for result in verdict.results] == order
    assert (sum(len(it.step.evidence) for it in verdict.results), verdict.total_iterations) == (3, 6)
    assert (verdict.duration, verdict.ended_at) == (4.0, START + 4)
    conclude = driven.effects[0]
    assert isinstance(conclude, Conclude)
    assert conclude.sessions == (SessionRef(run="run-1", host="host-1", capabilities=("sandbox",)),)
    driven.closes()
    assert driven.run.closed
    assert driven.effects == ()
    assert len(driven.logged(VerdictReached)) == 1


def test_nothing_acts_before_the_session_is_there():
    driven = Driven()
    driven.ends(driven.open("plan"), plan=plan_of(a_case()))

    assert driven.tasks == []
    driven.opens()
    assert driven.open().node == "step-1"


def test_nothing_acts_before_the_plan_is_there():
    driven = Driven().opens()

    assert driven.open().node == "plan"


def test_a_cause_and_all_that_follows_from_it_are_one_entry():
    driven = Driven.planned(a_case("One is seen", "Two is seen"))

    driven.ends(driven.open("step-1"))
    assert [type(event) for event in driven.entries[-1].events] == [SubTaskEnded, SubTaskDispatched]
    driven.ends(driven.open("step-2"))
    assert [type(event) for event in driven.entries[-1].events] == [SubTaskEnded, VerdictReached]


def test_the_first_entry_holds_the_request_and_the_policy():
    driven = Driven(Drill(count=2))

    assert [type(event) for event in driven.entries[0].events] == [RunOpened, PlanMade, SubTaskDispatched]
    assert isinstance(driven.entries[0].events[0], RunOpened)
    assert driven.entries[0].at == START


def test_a_worker_is_handed_all_it_needs_and_nothing_of_the_rest():
    case = a_case(
        'The text "${order}" is visible', "", variables={"base": "http://shop"}, secrets=("PIN",), domains=("shop",)
    )
    driven = Driven.planned(case, priority="high")

    task = driven.open()
    assert (task.id, task.attempt, task.dispatch) == ("run-1.step-1.1", 1, 2)
    assert (task.description, task.step.expected_result) == ("Do thing 1", 'The text "${order}" is visible')
    assert (task.position, task.total, task.step.covers) == (1, 2, (0,))
    assert (task.agent, task.pool, task.priority) == ("step-runner", "act", "high")
    assert (task.session, task.host, task.step.domains) == ("main", "host-1", ("shop",))
    assert (task.step.secrets, task.step.values) == (("PIN",), {"base": "http://shop"})
    assert task.finish_by == START + 3600
    assert "case" not in task.input.__struct_fields__


def test_what_a_sub_task_captured_is_known_to_those_after_it():
    driven = Driven.planned(a_case('The text "${order}" is visible', 'The text "${order}" is still visible'))

    driven.ends(driven.open("step-1"), captured={"order": "4711"})

    assert driven.open("step-2").step.values == {"order": "4711"}


def test_a_value_may_be_captured_by_the_very_sub_task_that_proves_something_with_it():
    driven = Driven.planned(a_case('The text "${order}" is visible'))

    assert driven.ends(driven.open(), captured={"order": "4711"}).verdict.status == "pass"


def test_each_sub_task_is_told_what_was_done_before_it():
    driven = Driven.planned()
    driven.ends(driven.open(), summary="the shop is there")
    driven.ends(driven.open(), summary="logged in")

    assert driven.open().step.state == (
        'Do thing 1 (showed: The page title is "Demo shop")\nDo thing 2 (showed: The text "Basket" is visible)'
    )


def test_what_nothing_was_expected_of_is_told_with_what_came_of_it():
    driven = Driven.planned(a_case("", 'The text "Basket" is visible'))
    driven.ends(driven.open(), summary="the shop is there")

    assert driven.open().step.state == "Do thing 1: the shop is there"


def test_a_long_history_is_cut_at_its_oldest_end():
    driven = Driven.planned(a_case(*[""] * 20))
    for number in range(11):
        driven.ends(driven.open(), summary=f"{number} " + "x" * 300)

    state = driven.open().step.state
    assert len(state) <= driven.run.policy.state_characters
    assert "Do thing 11: 10 x" in state
    assert "Do thing 1:" not in state


def test_one_fact_that_is_too_long_by_itself_is_cut_not_dropped():
    driven = Driven.planned(a_case("", ""))
    driven.ends(driven.open(), summary="y" * 10_000)

    assert driven.open().step.state == "Do thing 1: " + "y" * 159 + "…"


def test_preconditions_come_first_and_are_marked():
    driven = Driven.planned(a_case("One is seen", preconditions=("The shop is open", "You are logged out")))

    first = driven.open()
    assert (first.node, first.step.precondition, first.position, first.total) == ("pre-1", True, 1, 3)
    driven.ends(first)
    assert driven.open().node == "pre-2"
    driven.ends(driven.open())
    assert driven.open().node == "step-1"


def test_steps_that_expect_nothing_are_counted_as_unverified():
    driven = Driven.planned(a_case("", "Two is seen", ""))
    while driven.run.verdict is None:
        driven.ends(driven.open())

    assert (driven.verdict.unverified, driven.verdict.summary) == (2, "3 of 3 sub-tasks passed, 2 unverified")


def test_independent_sub_tasks_run_at_once_only_in_different_sessions():
    nodes = [
        PlanNode(id="a", covers=(0,), description="Do thing 1", expected_result="x", session="left"),
        PlanNode(id="b", covers=(1,), description="Do thing 2", expected_result="x", session="left", needs=("a",)),
        PlanNode(id="c", covers=(2,), description="Do thing 3", expected_result="x", session="right"),
    ]
    driven = Driven.planned(plan=Plan(nodes=tuple(nodes)))

    assert [task.node for task in driven.tasks] == ["a", "c"]
    assert [task.session for task in driven.tasks] == ["left", "right"]
    driven.ends(driven.open("a"))
    assert [task.node for task in driven.tasks] == ["b", "c"]


def test_dispatch_numbers_rise_over_the_run_so_that_newer_holders_compare_greater():
    driven = Driven.planned()
    while driven.run.verdict is None:
        driven.ends(driven.open())

    numbers = [event.sub_task.dispatch for event in driven.logged(SubTaskDispatched)]
    assert numbers == [1, 2, 3, 4]


def test_a_drill_passes_without_a_session_or_evidence():
    driven = Driven(Drill(count=3))
    nodes: list[str] = []
    while driven.run.verdict is None:
        nodes.append(driven.open().node)
        assert driven.open().input == NoopInput()
        driven.ends(driven.open(), evidence=(), unverified=True)

    assert nodes == ["drill-1", "drill-2", "drill-3"]
    assert (driven.verdict.status, driven.verdict.summary) == ("pass", "3 of 3 sub-tasks passed")
    assert not driven.opening


def test_what_sub_tasks_spent_adds_up():
    driven = Driven.planned(a_case("One is seen", "Two is seen"))
    usage = Usage(calls=3, model_calls=1, input_tokens=100, output_tokens=10, cost=0.5, seconds=2.0)
    driven.ends(driven.open(), usage=usage)
    driven.ends(driven.open(), usage=usage)

    spent = driven.verdict.usage
    assert (spent.calls, spent.model_calls, spent.input_tokens, spent.cost) == (6, 2, 200, 1.0)


def test_the_verdict_carries_what_the_request_named_it_by():
    driven = Driven(
        Drill(count=1, name="size"), suite="nightly", labels={"team": "a"}, reply_to="answers", correlation_id="c7"
    )
    driven.ends(driven.open(), evidence=(), unverified=True)

    verdict, conclude = driven.verdict, driven.effects[0]
    assert (verdict.run, verdict.name, verdict.suite, verdict.labels) == ("run-1", "size", "nightly", {"team": "a"})
    assert verdict.correlation_id == "c7"
    assert isinstance(conclude, Conclude)
    assert conclude.reply_to == "answers"


def test_ids_of_all_effects_are_the_same_whenever_they_are_derived():
    def log_and_ids() -> tuple[bytes, list[str]]:
        driven, ids = Driven.planned(), list[str]()
        while not driven.run.closed:
            ids += [command.id for command in driven.effects if not isinstance(command, SetTimer)]  # pyright: ignore[reportAttributeAccessIssue]
            if driven.run.verdict is None:
                driven.ends(driven.open())
            else:
                driven.closes()
        return msgspec.json.encode(driven.entries), ids

    assert log_and_ids() == log_and_ids()
    assert log_and_ids()[1] == ["run-1.step-1.1", "run-1.step-2.1", "run-1.step-3.1", "conclude"]


def test_a_run_that_is_not_there_wants_nothing():
    assert decide(Run()) == ()
    assert decide(fold(Run(), [Entry(epoch=1, at=1.0, events=())])) == ()


def test_the_effects_of_a_run_are_only_those_four():
    driven = Driven.planned()
    while not driven.run.closed:
        assert all(isinstance(effect, AcquireSession | Enqueue | SetTimer | Conclude) for effect in driven.effects)
        if driven.run.verdict is None:
            driven.ends(driven.open(), passes(driven.open()))
        else:
            driven.closes()
