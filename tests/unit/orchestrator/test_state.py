"""What happened so far: the newest facts, or a summary by a job where a model is there to make it."""

from driven import Driven, a_case, fails, passes, plan_of
from msgspec.structs import replace

from muster_orchestrator.machine.jobs.test_case.planning import PLANNING
from muster_protocol.causes import Failure
from muster_protocol.events import Policy
from muster_protocol.kinds import SummariseInput

LONG = Policy(state_characters=100)
SUMMARY = "All is well."


def planned(*expected: str, source: str) -> Driven:
    case = a_case(*expected)
    driven = Driven(case, policy=LONG).opens()
    return driven.ends(driven.open(PLANNING), source=source, plan=plan_of(case))


def grown() -> Driven:
    driven = planned("", "", "Three is seen", source="model")
    driven.ends(driven.open(), replace(passes(driven.open()), summary="x" * 60))
    return driven.ends(driven.open(), replace(passes(driven.open()), summary="y" * 60))


def test_a_state_that_has_grown_is_summed_up_before_the_next_step():
    driven = grown()
    [task] = driven.tasks
    assert (task.kind, task.pool, task.node) == ("summarise", "think", "state-1")
    assert isinstance(task.input, SummariseInput)
    assert "x" * 60 in task.input.state
    driven.ends(task, passes(task, summary=SUMMARY))
    assert (driven.open().node, driven.open().step.state) == ("step-3", SUMMARY)
    driven.ends(driven.open())
    assert (driven.verdict.status, len(driven.verdict.results)) == ("pass", 3)


def test_where_it_cannot_be_summed_up_the_newest_facts_have_to_do():
    driven = grown()
    driven.ends(driven.open(), fails(driven.open(), Failure.MODEL_UNAVAILABLE))
    assert driven.open().node == "step-3"
    assert "y" * 60 in driven.open().step.state
    assert "x" * 60 not in driven.open().step.state


def test_without_a_model_nothing_is_asked():
    driven = planned("", "Two is seen", source="phrase")
    driven.ends(driven.open(), replace(passes(driven.open()), summary="x" * 300))
    assert driven.open().node == "step-2"
