"""Runs as assistants read them: short, however large they are."""

from muster_api.run_texts import MOST_NODES, describe_run
from muster_protocol.logs import RunRow
from muster_protocol.tool_calls import Usage
from muster_views.views import NodeView, RunView


def a_run(states: list[str]) -> str:
    nodes = tuple(
        NodeView(id=f"step-{number}", title="Look", state=state, number=number, usage=Usage(), clauses=(), artifacts=())  # type: ignore[arg-type]
        for number, state in enumerate(states, 1)
    )
    return describe_run(
        RunView(run=RunRow(run="run-1", name="Long", status="running"), request=None, verdict=None, nodes=nodes)
    )


def test_of_very_many_sub_tasks_those_that_matter_are_listed_and_the_last_ones():
    states = ["passed"] * 3_000
    states[7] = "failed"
    lines = a_run(states).splitlines()
    assert lines[1] == "(2979 of 3000 sub-tasks left out; get them by their ids)"
    assert "[step-8] failed" in lines[2]
    assert "[step-3000]" in lines[-1]
    assert len(a_run(["failed"] * 3_000).splitlines()) <= MOST_NODES + 22


def test_a_run_of_usual_length_is_listed_whole():
    assert len(a_run(["passed"] * MOST_NODES).splitlines()) == MOST_NODES + 1
