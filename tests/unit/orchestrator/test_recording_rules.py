"""Only what the run has judged is remembered, and a heal is kept as the run's policy says."""

import pytest
from msgspec.structs import replace

from muster_orchestrator.machine.core.graph import Node
from muster_orchestrator.machine.jobs.test_case.recording_rules import DAY, KeepStep, find_unjudged, row_after
from muster_protocol.facts import Act, Evidence
from muster_protocol.kinds import StepOutput
from muster_protocol.plans import PlanNode
from muster_protocol.requests import Step, TestCase
from muster_protocol.step_recordings import (
    Described,
    HealPolicy,
    RecordedCall,
    RecordingRow,
    Replay,
    StepRecording,
    digest_of,
    is_unstable,
    key_of_plan,
    key_of_step,
)
from muster_protocol.tasks import SubTaskResult

NAME = RecordedCall(
    tool="type",
    effect="idempotent",
    does="enter",
    arguments={"text": "${name}"},
    target=Described(role="textbox", name="Name"),
)
CHECK = RecordedCall(tool="check_text", effect="check", arguments={"text": "Hi"}, clause="it greets")
OLD = StepRecording(action="Greet ${name}", calls=(NAME, CHECK), tokens=900)
NEW = replace(OLD, calls=(replace(NAME, target=Described(role="textbox", name="Full name")), CHECK), tokens=300)
ACT = Act(
    call=1, tool="type", does="enter", arguments='{"element": "Name", "text": "Ann"}', status="ok", target=("Name",)
)
SEEN = Evidence(clause="it greets", check="check_text", arguments='{"text": "Hi"}', call=2, passed=True)
VALUES = {"name": "Ann"}


def result(*, acts: tuple[Act, ...] = (ACT,), evidence: tuple[Evidence, ...] = (SEEN,), replay: Replay | None = None):
    output = StepOutput(acts=acts, evidence=evidence, replay=replay)
    return SubTaskResult(
        task="r.step-1.1", node="step-1", attempt=1, status="pass", summary="", source="model", output=output
    )


def test_a_call_is_known_by_the_act_or_evidence_that_was_judged():
    assert find_unjudged(OLD.action, OLD.calls, result(), VALUES) == ""


@pytest.mark.parametrize(
    ("acts", "evidence"),
    [
        ((), (SEEN,)),
        ((replace(ACT, arguments='{"element": "Name", "text": "Bob"}'),), (SEEN,)),
        ((replace(ACT, target=("Mail",)),), (SEEN,)),
        ((replace(ACT, status="error"),), (SEEN,)),
        ((replace(ACT, tool="append"),), (SEEN,)),
        ((ACT,), ()),
        ((ACT,), (replace(SEEN, passed=False),)),
        ((ACT,), (replace(SEEN, arguments='{"text": "Ho"}'),)),
        ((ACT,), (replace(SEEN, clause="another"),)),
    ],
)
def test_a_call_that_a_worker_slips_in_keeps_the_recording_from_being_kept(
    acts: tuple[Act, ...], evidence: tuple[Evidence, ...]
):
    told = find_unjudged(OLD.action, OLD.calls, result(acts=acts, evidence=evidence), VALUES)
    assert "is not among what was judged" in told


def test_a_step_that_only_observes_may_wait_or_do_nothing_and_no_other_may():
    wait = RecordedCall(tool="wait_for", effect="read", arguments={"seconds": 3})
    nothing = result(acts=(), evidence=())
    for calls in ((wait,), ()):
        assert find_unjudged("As a visitor would: Wait 3 seconds", calls, nothing, VALUES) == ""
        assert find_unjudged("Send the form", calls, nothing, VALUES)
    assert find_unjudged("Wait 3 seconds", (replace(wait, effect="act"),), nothing, VALUES)


ROW = RecordingRow(key=key_of_step(OLD), step=OLD, run="first", made_at=1.0, used_at=1.0)
MISSED = Replay(key=ROW.key, digest=digest_of(OLD), miss="none", why="gone", left=OLD.calls, done=NEW.calls)


def keep(heal: HealPolicy = "use", replay: Replay | None = MISSED) -> KeepStep:
    node = Node(plan=PlanNode(id="step-1", description=OLD.action))
    return KeepStep(node, result(replay=replay), VALUES, heal)


def test_a_heal_replaces_the_recording_or_waits_beside_it():
    used = row_after(ROW, NEW, keep("use"), "second", 50.0)
    proposed = row_after(ROW, NEW, keep("propose"), "second", 50.0)

    assert used is not None
    assert proposed is not None
    assert (used.step, used.previous, used.proposal) == (replace(NEW, tokens=900), OLD, None)
    assert (proposed.step, proposed.previous, proposed.proposal) == (OLD, None, replace(NEW, tokens=900))
    for row in (used, proposed):
        [episode] = row.episodes
        assert (episode.reason, episode.run, episode.old, episode.new) == ("none", "second", NAME, NEW.calls[0])


def test_a_heal_of_what_another_run_has_replaced_changes_nothing():
    assert row_after(replace(ROW, step=NEW), NEW, keep(), "second", 50.0) is None


def test_what_a_model_did_without_a_recording_is_kept_as_it_is():
    first = row_after(None, NEW, keep(replay=None), "run", 5.0)
    assert first == RecordingRow(key=ROW.key, step=NEW, run="run", made_at=5.0, used_at=5.0)


def test_two_heals_of_one_target_within_a_week_make_a_recording_unstable():
    once = row_after(ROW, NEW, keep("propose"), "second", 10 * DAY)
    assert once is not None
    twice = row_after(once, NEW, keep("propose"), "third", 12 * DAY)
    assert twice is not None
    assert not is_unstable(once, 12 * DAY)
    assert is_unstable(twice, 12 * DAY)
    assert not is_unstable(twice, 18 * DAY)


def test_a_plan_is_kept_under_the_words_of_its_case_and_one_changed_word_asks_again():
    steps = (Step(action="Open ${base_url}", expected="It is open"), Step(action="Buy it", expected="It is bought"))
    case = TestCase(name="Buy", steps=steps, variables={"base_url": "http://one"})
    other = (steps[0], replace(steps[1], expected="It is sold"))
    assert key_of_plan(replace(case, name="Another", variables={"base_url": "http://two"})) == key_of_plan(case)
    assert key_of_plan(replace(case, steps=other)) != key_of_plan(case)
    assert key_of_plan(replace(case, steps=(steps[0], replace(steps[1], action="Buy two")))) != key_of_plan(case)
