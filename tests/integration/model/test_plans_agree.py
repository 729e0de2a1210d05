"""What a worker composes of a planner's proposal is a plan that the orchestrator accepts, whatever was proposed."""

from hypothesis import given
from hypothesis import strategies as st

from muster_orchestrator.machine.jobs.test_case.planning import find_faults
from muster_protocol.requests import Step, TestCase
from muster_subagent.agent.case_parts import Proposal, ProposedTask
from muster_subagent.agent.case_planning import composed, unfaithful

CASE = TestCase(
    name="A case",
    preconditions=("The shop is open",),
    steps=(
        Step(action="Open it", expected="It is open"),
        Step(action='Type "Ann" and press "Enter"', expected="Ann is in"),
        Step(action="Leave"),
    ),
)
PARTS = st.sampled_from(
    ["Open it", 'Type "Ann"', 'press "Enter"', "Leave", "Do nothing", 'Type "Ann" and press "Enter"']
)
PROPOSALS = st.lists(st.tuples(st.lists(st.integers(0, 4), max_size=2), PARTS), max_size=8)


@given(PROPOSALS)
def test_a_faithful_proposal_is_never_refused(tasks: list[tuple[list[int], str]]) -> None:
    proposal = Proposal([ProposedTask(covers, description, "") for covers, description in tasks])
    if not unfaithful(CASE, proposal):
        assert find_faults(CASE, composed(CASE, proposal), 30) == ()


def test_splits_and_additions_are_accepted() -> None:
    tasks: list[tuple[list[int], str]] = [
        ([1], "x"),
        ([], "Sign in"),
        ([2], 'Type "Ann"'),
        ([2], 'press "Enter"'),
        ([3], "y"),
    ]
    proposal = Proposal([ProposedTask(covers, description, "") for covers, description in tasks])
    assert unfaithful(CASE, proposal) == ()
    assert find_faults(CASE, composed(CASE, proposal), 30) == ()
