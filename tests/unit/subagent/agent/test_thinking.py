"""A planner's proposal: used where it is faithful to what is written, refused in words where it is not."""

import pytest

from muster_protocol.requests import Step, TestCase
from muster_subagent.agent.case_parts import Proposal, ProposedTask
from muster_subagent.agent.case_planning import composed, unfaithful

CASE = TestCase(
    name="A case",
    preconditions=("The shop is open",),
    steps=(
        Step(action="Open it", expected="It is open"),
        Step(action='Type "Ann" and press "Enter"', expected="Ann is in"),
    ),
)


def proposal(*tasks: tuple[list[int], str]) -> Proposal:
    return Proposal([ProposedTask(covers, description, "why") for covers, description in tasks])


def test_kept_steps_have_their_written_words_whatever_the_model_wrote():
    nodes = composed(CASE, proposal(([1], "open"), ([2], "sign in"))).nodes
    assert [node.description for node in nodes] == ["The shop is open", "Open it", 'Type "Ann" and press "Enter"']
    assert [node.needs for node in nodes] == [(), ("pre-1",), ("step-1",)]


def test_of_a_split_step_the_last_part_has_the_expectation_and_an_added_one_none():
    plan = composed(CASE, proposal(([1], "open"), ([], "Sign in"), ([2], 'Type "Ann"'), ([2], 'Press "Enter"')))
    found = [(node.id, node.covers, node.expected_result) for node in plan.nodes[1:]]
    assert found == [
        ("step-1", (0,), "It is open"),
        ("added-1", (), ""),
        ("step-2-1", (1,), ""),
        ("step-2-2", (1,), "Ann is in"),
    ]


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (proposal(([1], "a")), "step 2 is covered by no sub-task"),
        (proposal(), "step 1 is covered by no sub-task"),
        (proposal(([1, 2], "a")), "a sub-task covers more than one step"),
        (proposal(([2], "b"), ([1], "a")), "the plan changes the order of the steps"),
        (proposal(([1], "a"), ([2], "b"), ([3], "c")), "there is no step 3"),
        (proposal(([0], "a"), ([1], "a"), ([2], "b")), "there is no step 0"),
        (proposal(([1], "a"), ([2], "Type it"), ([2], 'Press "Enter"')), "the sub-tasks of step 2 leave out 'Ann'"),
        (proposal(([1], "a"), ([2], " ")), "a sub-task says nothing"),
    ],
)
def test_an_unfaithful_proposal_is_refused_in_words(made: Proposal, said: str):
    assert said in unfaithful(CASE, made)
