"""Whatever a run holds, its verdict, the entries of its log and the log itself stay within bounds."""

import pytest
from driven import START, Driven, a_case, in_its_sessions, passes, plan_of, side_by_side
from envelopes import result_of
from hypothesis import given
from hypothesis import strategies as st

from muster_orchestrator.machine import MAX_FOLLOWING, Node, Run, settle
from muster_orchestrator.machine.core.ends import MAX_RESULTS_BYTES, fit_results
from muster_orchestrator.machine.core.graph import DONE, LIVE, Graph, NodeStatus, add_nodes, needs_met, replace_node
from muster_orchestrator.run_driver import split_entry
from muster_protocol.codec import encode
from muster_protocol.errors import Refused
from muster_protocol.events import Entry, GivenUp, Policy, RunOpened, SubTaskDispatched, SubTaskEnded, TimerFired
from muster_protocol.facts import Evidence
from muster_protocol.plans import PlanNode
from muster_protocol.requests import Drill, Limits, RunRequest

MANY = 3_000
SEEN = Evidence(clause='The text "Basket" is visible', check="check_text", call=3, passed=True, seen="Basket " * 200)


def test_the_verdict_of_thousands_of_results_fits_into_one_message_and_keeps_every_fail():
    passed = [result_of(f"r.n{n}.1", status="pass", summary="x" * 300, evidence=(SEEN,) * 3) for n in range(MANY)]
    failed = [result_of(f"r.f{n}.1", status="fail", summary="y" * 300, evidence=(SEEN,)) for n in range(20)]

    kept = fit_results([*failed, *passed], MAX_RESULTS_BYTES)
    assert len(encode(kept)) <= MAX_RESULTS_BYTES
    assert [it.task for it in kept[:20]] == [it.task for it in failed]
    assert 1_000 < len(kept) < MANY
    assert kept[-1].task == passed[-1].task


def test_a_run_of_thousands_of_steps_has_a_verdict_that_says_what_it_left_out():
    case = a_case(*["It is there"] * MANY)
    driven = Driven.planned(case, plan=plan_of(case), limits=Limits(max_subtasks=MANY))
    while driven.run.verdict is None:
        driven.ends(driven.open(), passes(driven.open(), summary="z" * 200))

    verdict = driven.verdict
    assert (verdict.status, len(verdict.results) + verdict.omitted) == ("pass", MANY)
    assert verdict.omitted > 0
    assert len(encode(verdict)) < MAX_RESULTS_BYTES + 10_000
    assert max(len(encode(entry)) for entry in driven.entries[2:]) < MAX_RESULTS_BYTES + 20_000


def test_what_follows_from_an_event_goes_into_as_many_entries_as_it_takes():
    plan = side_by_side(100)
    case = in_its_sessions(a_case(*["It is there"] * 100), plan)
    driven = Driven(case, limits=Limits(max_subtasks=100))
    for name in sorted({node.session for node in plan.nodes}):
        driven.opens(name)
    ended = SubTaskEnded(outcome=passes(driven.open("plan"), plan=plan))

    at_once = settle(driven.run, (ended,), driven.now, 1)
    run, pending, effects, entries = driven.run, (ended,), (), list[Entry]()
    while pending:
        run, entry, pending, effects = settle(run, pending, driven.now, 1, 10)
        entries.append(entry)
        assert bool(pending) != bool(effects)
    assert [event for entry in entries for event in entry.events] == list(at_once.entry.events)
    assert (run, effects) == (at_once.run, at_once.effects)
    assert max(len(entry.events) for entry in entries) == 10
    assert sum(isinstance(event, SubTaskDispatched) for event in at_once.entry.events) == 100


def test_an_entry_that_is_refused_is_tried_in_smaller_parts_down_to_one_event_that_is_given_up():
    pending = (TimerFired(timer="a"), TimerFired(timer="b"))
    assert split_entry(pending, Entry(epoch=1, at=0, events=pending * 4), "large") == (pending, 4)
    given_up = (GivenUp(reason="large"), pending[1])
    assert split_entry(pending, Entry(epoch=1, at=0, events=pending[:1]), "large") == (given_up, 1)
    with pytest.raises(Refused):
        split_entry(given_up, Entry(epoch=1, at=0, events=given_up[:1]), "large")


def test_a_chain_of_ten_thousand_is_worked_through_without_looking_at_all_of_it_each_time():
    run = opened(Drill(count=10_000), Limits(max_subtasks=10_000))
    for _ in range(200):
        [task] = [node.sub_task for node in run.graph.with_status("open")]
        assert task is not None
        run = settle(run, (SubTaskEnded(outcome=passes(task)),), START, 1).run
        assert len(run.graph.recent) <= 64
        assert (len(run.graph.live), len(run.graph.ready)) == (1, 0)
    assert (run.graph.passed, run.graph.total) == (200, 10_000)


def opened(job: Drill, limits: Limits) -> Run:
    request = RunRequest(id="run-1", job=job, limits=limits)
    event = RunOpened(request=request, owner="a", message=1, delivery=1, policy=Policy())
    return settle(Run(), (event,), START, 1, MAX_FOLLOWING).run


STATUSES: tuple[NodeStatus, ...] = (*sorted(LIVE), *sorted(DONE), "waiting")


@given(
    st.lists(st.tuples(st.integers(0, 9), st.sampled_from(STATUSES)), max_size=150),
    st.lists(st.sets(st.integers(0, 9)), min_size=10, max_size=10),
)
def test_the_indexes_say_what_a_look_at_all_nodes_would(changes: list[tuple[int, NodeStatus]], needs: list[set[int]]):
    plan = [
        PlanNode(id=f"n{n}", description="", needs=tuple(f"n{other}" for other in sorted(before) if other < n))
        for n, before in enumerate(needs)
    ]
    graph = add_nodes(Graph(), (Node(plan=node) for node in plan))
    for number, status in changes:
        graph = replace_node(graph, Node(plan=plan[number], status=status))
        nodes = [graph[id] for id in graph]
        assert graph.ready == tuple(it.plan.id for it in nodes if needs_met(graph, it.plan.id))
        assert graph.live == tuple(it.plan.id for it in nodes if it.status in LIVE)
        assert graph.passed == sum(it.status == "passed" for it in nodes)
        assert graph.undone == sum(it.status not in DONE for it in nodes)
