"""Nodes of a team's own in the table of a tour."""

import pytest

from muster_exploration.tour_nodes import NODES, own_key, table_of
from muster_exploration.tour_rounds import begin
from muster_protocol.explorations import OwnNode
from muster_protocol.requests import DeviceSpec, Exploration, RunRequest
from muster_text.request_rules import find_problems

PHONE = DeviceSpec(kind="appium", name="pixel")


def node(name: str, **fields: object) -> OwnNode:
    return OwnNode(name=name, do=("Press Escape",), **fields)  # pyright: ignore[reportArgumentType]


def test_nodes_behind_the_same_one_follow_each_other_and_what_followed_it_follows_them() -> None:
    first, second, other = node("First"), node("Second", backtrack="Relaunch"), node("Third", after="Act")
    table = table_of((first, second, other))
    assert table["LaunchOrAttach"].then == own_key(first)
    assert table[own_key(first)].then == own_key(second)
    assert (table[own_key(second)].then, table[own_key(second)].backtrack) == ("WaitIdle", "Relaunch")
    assert table["Act"].then == own_key(other)
    assert table[own_key(other)].attempts == 1  # acting is never tried again
    assert NODES["LaunchOrAttach"].then == "WaitIdle"


def test_a_node_called_like_a_built_in_one_replaces_nothing() -> None:
    table = table_of((node("Act", after="WaitIdle"),))
    assert table["Act"] == NODES["Act"]
    assert table["WaitIdle"].then == "own Act"


def test_the_first_tour_may_spend_what_own_nodes_need() -> None:
    plain, own = (begin(Exploration(nodes=nodes)).window[1].left.steps for nodes in ((), (node("One"), node("Two"))))
    assert own == plain + 2


@pytest.mark.parametrize(
    ("nodes", "why"),
    [
        ((node("One"), node("One")), "two nodes are called 'One'"),
        ((OwnNode(name="One"),), "the node 'One' has nothing to do"),
        ((OwnNode(name="One", do=('Type "${secret:PW}" into the "Code" field',)),), "'PW' is not listed"),
    ],
)
def test_nodes_that_cannot_be_meant_are_refused(nodes: tuple[OwnNode, ...], why: str) -> None:
    found = find_problems(RunRequest(job=Exploration(device=PHONE, nodes=nodes)))
    assert any(why in problem for problem in found), found
