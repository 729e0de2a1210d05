"""Assignments and their sub-agents: who is dispatched, who waits, what is reserved, and what comes back."""

from typing import Any

import pytest
from delegated import assigned, delegates, ended, nodes_of, wish
from driven import faults, limits
from msgspec.structs import replace

from muster_orchestrator.machine import Conclude, Enqueue, Run, fold
from muster_protocol.assignments import MOST_AT_ONCE, MOST_CHILDREN, Spending
from muster_protocol.causes import Failure
from muster_protocol.control import Answer, Cancel, Pause, Resume
from muster_protocol.events import Asked, ChildrenAsked, OwnerChanged, Parked, SubTaskDispatched, SubTaskEnded
from muster_protocol.tasks import Budget
from muster_protocol.tool_calls import Usage


def test_an_assignment_is_done_or_has_failed_and_is_no_test():
    done, failed = assigned(), assigned()
    done.ends(done.open(), ended(done.open()))
    failed.ends(failed.open(), ended(failed.open(), "fail", failure=Failure.GAVE_UP))

    assert (done.verdict.status, done.verdict.cause, done.verdict.summary) == ("done", None, "assignment: pass")
    assert (failed.verdict.status, failed.verdict.cause) == ("failed", "agent")


def test_without_a_place_to_work_in_there_is_no_session_and_the_queue_is_that_of_thinkers():
    driven = assigned()

    assert not driven.opening
    assert (driven.open().session, driven.open().pool, driven.open().agent) == ("", "think", "executor")


@pytest.mark.parametrize("wanted", [{"workspace": "shop"}, {"url": "http://shop.test"}, {"acceptance": ("It works",)}])
def test_with_a_place_it_works_in_one_session(wanted: dict[str, Any]):
    driven = assigned(**wanted)
    [opening] = driven.opening
    assert (opening.request.name, opening.request.workspace) == ("main", wanted.get("workspace", ""))

    task = driven.opens("main").open()
    assert (task.session, task.pool) == ("main", "act")


def test_a_parent_waits_holding_nothing_and_goes_on_as_the_same_attempt_with_a_new_dispatch_number():
    driven = assigned()
    parent = driven.open()
    delegates(driven, parent, wish("First"), wish("Second"))
    assert nodes_of(driven) == ["assignment-1-1-1", "assignment-1-1-2"]
    queued = {command.id for command in driven.effects if isinstance(command, Enqueue)}

    for node in ("assignment-1-1-2", "assignment-1-1-1"):
        driven.ends(driven.open(node), ended(driven.open(node)))
    again = driven.open()

    assert (again.id, again.attempt, again.resumed) == (parent.id, 1, 1)
    assert again.dispatch == 4 > max(it.sub_task.dispatch for it in driven.logged(SubTaskDispatched)[:-1])
    [command] = [command for command in driven.effects if isinstance(command, Enqueue)]
    assert command.id == f"{parent.id}+1"
    assert command.id not in queued
    ends = again.children[f"{parent.id}:1"]
    assert [(end.node, end.status, end.task) for end in ends] == [
        (f"assignment-1-1-{number}", "pass", f"run-1.assignment-1-1-{number}.1") for number in (1, 2)
    ]
    driven.ends(again, ended(again, usage=Usage(calls=3, seconds=12.0)))
    assert driven.verdict.usage.calls == 3 + 2 * 2


def test_at_most_so_many_children_of_a_call_are_at_work_at_once():
    driven = assigned(budget=Spending(calls=100))
    delegates(driven, driven.open(), *(wish(str(number)) for number in range(10)), spent=0)
    seen: list[str] = []
    while driven.run.graph["assignment"].status == "delegating":
        assert len(driven.tasks) <= 3
        task = driven.tasks[0]
        seen.append(task.description)
        driven.ends(task, ended(task))
    assert seen == [str(number) for number in range(10)]
    assert len(driven.open().children["run-1.assignment.1:1"]) == 10


def test_a_hundred_children_are_dispatched_in_batches_and_more_are_refused():
    driven = assigned(budget=Spending(calls=1000))
    delegates(driven, driven.open(), *([wish()] * MOST_CHILDREN), most=1000, spent=0)
    assert len(driven.tasks) == MOST_AT_ONCE

    many = assigned()
    delegates(many, many.open(), *([wish()] * (MOST_CHILDREN + 1)))
    ends = many.open().children["run-1.assignment.1:1"]
    assert {end.status for end in ends} == {"error"}
    assert ends[0].summary == "not begun: a sub-agent may have 100 sub-agents in all"


def test_a_failed_child_is_an_error_for_the_parent_and_no_end_of_the_run():
    driven = assigned()
    delegates(driven, driven.open(), wish(), wish())
    first, second = driven.tasks
    driven.ends(first, ended(first, "fail", failure=Failure.GAVE_UP)).ends(second, ended(second))

    assert [end.status for end in driven.open().children["run-1.assignment.1:1"]] == ["fail", "pass"]


def test_a_child_whose_worker_failed_before_it_began_anything_is_tried_again():
    driven = assigned()
    delegates(driven, driven.open(), wish())
    child = driven.open()
    driven.ends(child, faults(child)).waits(10)

    assert (driven.open().node, driven.open().attempt) == (child.node, 2)


def test_what_a_child_has_begun_keeps_its_parent_from_being_tried_again():
    driven = assigned()
    delegates(driven, driven.open(), wish())
    driven.ends(driven.open(), ended(driven.open(), acted=True))
    driven.ends(driven.open(), faults(driven.open()))

    assert driven.verdict.status == "failed"


def test_budgets_are_parts_of_what_the_parent_has_left():
    driven = assigned(budget=Spending(calls=20, tokens=9000))
    delegates(driven, driven.open(), wish(), wish(budget=Budget(calls=2, iterations=5)), wish(), spent=8)

    assert [task.budget.calls for task in driven.tasks] == [4, 2, 4]
    assert [task.budget.tokens for task in driven.tasks] == [3000] * 3
    for task in driven.tasks:
        driven.ends(task, ended(task, usage=Usage(calls=4 if task.budget.calls > 2 else 2)))
    parent = driven.open()
    assert parent.budget.calls - parent.delegated.calls - 8 == 2
    delegates(driven, parent, wish(), call=2, spent=9)
    assert driven.open().budget.calls == 1


def test_a_grandchild_is_counted_in_what_its_grandparent_has_left():
    driven = assigned()
    delegates(driven, driven.open(), wish())
    child = driven.open()
    delegates(driven, child, wish())
    driven.ends(driven.open(), ended(driven.open(), usage=Usage(calls=5)))
    driven.ends(driven.open(), ended(driven.open(), usage=Usage(calls=3)))

    assert (driven.open().node, driven.open().delegated.calls) == ("assignment", 8)


def test_sub_agents_are_nested_as_deep_as_allowed():
    driven = assigned(budget=Spending(depth=1))
    delegates(driven, driven.open(), wish())
    child = driven.open()
    assert child.assigned.depth == 0
    delegates(driven, child, wish())

    [end] = driven.open().children[f"{child.id}:1"]
    assert (driven.open().node, end.status) == (child.node, "error")


def test_a_session_is_lent_along_the_tree_and_to_one_at_a_time():
    driven = assigned(workspace="shop").opens("main")
    delegates(driven, driven.open(), wish("a"), wish("b"))
    first = driven.open()
    assert (first.description, first.session) == ("a", "main")
    delegates(driven, first, wish("below a"))
    assert driven.open().description == "below a"  # b may not work in between
    driven.ends(driven.open(), ended(driven.open()))
    assert (driven.open().node, driven.open().dispatch) == (first.node, 4)
    driven.ends(driven.open(), ended(driven.open()))
    assert driven.open().description == "b"
    driven.ends(driven.open(), ended(driven.open()))
    assert (driven.open().node, driven.open().session) == ("assignment", "main")


def test_a_pause_goes_through_the_tree_and_so_does_going_on():
    driven = assigned()
    delegates(driven, driven.open(), *([wish()] * 4))
    driven.asked(Pause(id="p"))
    for task in list(driven.tasks):
        driven.ends(task, ended(task))
    assert driven.run.parking.reason == "it is paused"

    driven.asked(Resume(id="r"))
    driven.ends(driven.open(), ended(driven.open()))
    assert driven.open().node == "assignment"


def test_cancelling_ends_all_of_the_tree():
    driven = assigned()
    parent = driven.open()
    delegates(driven, parent, wish(), wish())
    children = {task.id for task in driven.tasks}
    driven.asked(Cancel(id="c"))

    [conclude] = [command for command in driven.effects if isinstance(command, Conclude)]
    assert (driven.verdict.status, driven.verdict.cause) == ("failed", "cancelled")
    assert set(conclude.open_tasks) == {parent.id, *children}


def test_a_child_that_asks_a_person_lets_its_siblings_work_and_then_the_run_is_parked():
    driven = assigned(budget=Spending(calls=50))
    delegates(driven, driven.open(), *([wish()] * 4), most=1)
    driven.asks(driven.open())
    while driven.tasks:
        driven.ends(driven.tasks[0], ended(driven.tasks[0]))
    assert driven.logged(Parked)

    driven.asked(Answer(id="a", question="run-1.assignment-1-1-1.1:0", text="42"))
    assert driven.open().answers == {"run-1.assignment-1-1-1.1:0": "42"}
    driven.ends(driven.open(), ended(driven.open()))
    assert driven.open().node == "assignment"


def test_a_new_owner_goes_on_in_the_middle_of_a_tree_from_the_log_alone():
    driven = assigned()
    delegates(driven, driven.open(), wish(), wish())
    driven.ends(driven.tasks[0], ended(driven.tasks[0]))
    assert fold(Run(), driven.entries) == driven.run

    driven.happens(OwnerChanged(owner="b", epoch=2, message=1, delivery=2))
    assert nodes_of(driven) == ["assignment-1-1-2"]
    driven.ends(driven.open(), ended(driven.open()))
    assert driven.open().resumed == 1


def test_reports_that_come_twice_or_late_change_nothing():
    driven = assigned()
    parent = driven.open()
    asked = ChildrenAsked(task=parent.id, call=f"{parent.id}:1", children=(wish(),))
    driven.happens(asked)
    child = driven.open()
    for event in (asked, SubTaskEnded(outcome=ended(parent)), Asked(question="q", text="?", task=parent.id)):
        before = driven.run
        assert driven.happens(event).run == before
    driven.ends(child, ended(child))
    before = driven.run
    for event in (asked, SubTaskEnded(outcome=ended(child, "fail"))):  # two wake-ups at once, an end that lost the race
        assert driven.happens(event).run == before
    assert [task.resumed for task in driven.tasks] == [1]


def test_a_result_of_another_child_is_none():
    driven = assigned()
    delegates(driven, driven.open(), wish())
    stranger = replace(ended(driven.open()), node="assignment-1-1-9", task="run-1.assignment-1-1-9.1")
    before = driven.run

    assert driven.happens(SubTaskEnded(outcome=stranger)).run == before


def test_time_spent_waiting_for_children_is_not_the_parents():
    driven = assigned(budget=Spending(seconds=100))
    delegates(driven, driven.open(), wish())
    driven.ends(driven.open(), ended(driven.open()), after=600)

    assert driven.open().budget.seconds == 90


def test_a_run_has_no_more_sub_tasks_than_it_may():
    driven = assigned(limits=limits(max_subtasks=3))
    delegates(driven, driven.open(), *([wish()] * 3))

    assert "limits.max_subtasks" in driven.open().children["run-1.assignment.1:1"][0].summary


def test_a_run_whose_budget_is_used_up_ends_once_its_open_children_have():
    driven = assigned(limits=limits(max_calls=5))
    delegates(driven, driven.open(), *([wish()] * 3))
    for task in list(driven.tasks):
        driven.ends(task, ended(task, usage=Usage(calls=1)))

    assert (driven.verdict.status, driven.verdict.summary) == ("failed", "the budget is used up: 5 of max_calls 5")
