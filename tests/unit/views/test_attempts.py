"""What an attempt comes to, by its results and its journal."""

from typing import Any

import pytest
from envelopes import a_task, result_of

from muster_protocol.causes import Failure
from muster_protocol.facts import Evidence
from muster_protocol.journal import (
    CallFinished,
    CallStarted,
    Children,
    Finished,
    JournalEntry,
    Question,
    Released,
    Revoked,
    Suspended,
    Taken,
)
from muster_protocol.kinds import StepOutput
from muster_protocol.step_recordings import Described, HealPolicy, RecordedCall, Replay
from muster_protocol.tasks import SubTaskResult
from muster_protocol.tool_calls import ArtifactRef, Box, ToolCall, ToolOutcome
from muster_views.attempt_views import AttemptView, CallView, NoteView
from muster_views.attempts import view_attempt
from muster_views.healings import view_healing
from muster_views.journal_moments import TimedEntry
from muster_views.node_history import Attempt, Node

TASK = a_task("r.n.1", description="Buy ${what}", values={"what": "tea"})
ASKS = Question(id="r.n.1:0", text="Which?")


def viewed(
    *journal: TimedEntry, claimed: SubTaskResult | None = None, accepted: SubTaskResult | None = None
) -> AttemptView:
    return view_attempt(Node(id="n"), Attempt(task=TASK, started_at=5.0, claimed=claimed, accepted=accepted), journal)


def calls_of(view: AttemptView) -> list[CallView]:
    return [one for one in view.moments if isinstance(one, CallView)]


def notes_of(view: AttemptView) -> list[tuple[str, bool]]:
    return [(one.text, one.bad) for one in view.moments if isinstance(one, NoteView)]


def result(status: str = "pass", **more: Any) -> SubTaskResult:
    return result_of("r.n.1", status=status, summary=status, **more)


def calling(at: float) -> TimedEntry:
    return TimedEntry(at, CallStarted(index=0, call=ToolCall(tool="click"), effect="act"))


def taken(at: float, delivery: int) -> TimedEntry:
    return TimedEntry(at, Taken(worker=f"w{delivery}", message=1, delivery=delivery, at=5.0))


def test_a_call_that_was_under_way_when_another_worker_took_over_has_an_unknown_outcome() -> None:
    view = viewed(taken(10, 1), calling(11), taken(40, 2))

    assert [(one.worker, one.at) for one in view.takers] == [("w1", 10), ("w2", 40)]
    assert [call.status for call in calls_of(view)] == ["unknown"]


def test_a_call_of_the_worker_that_holds_the_sub_task_is_under_way() -> None:
    view = viewed(taken(10, 1), taken(40, 2), calling(41))

    assert [call.status for call in calls_of(view)] == ["running"]


def noted(at: float, entry: JournalEntry) -> TimedEntry:
    return TimedEntry(at, entry)


def test_a_call_that_waits_for_a_person_says_so_until_somebody_goes_on_with_it() -> None:
    asked = (taken(10, 1), calling(11), noted(12, Suspended(waits=ASKS, message=1)))
    assert [call.status for call in calls_of(viewed(*asked))] == ["asking"]
    again = viewed(*asked, taken(40, 1))
    assert [call.status for call in calls_of(again)] == ["running"]
    assert again.takeovers == 0
    assert notes_of(again) == [("Asked a person: Which?", False), ("Continued by w1", False)]


def test_a_call_that_waits_for_others_is_one_call_which_takes_as_long_as_it_waits() -> None:
    waits = Suspended(waits=Children(call="r.n.1:0", children=()), message=1)
    asked = (taken(10, 1), calling(11), noted(12, waits), taken(40, 1), calling(41))
    [waiting] = calls_of(viewed(*asked))
    assert (waiting.status, waiting.started_at) == ("running", 11)
    done = noted(42, CallFinished(index=0, outcome=ToolOutcome(status="ok", text="both", duration_ms=2)))
    [call] = calls_of(viewed(*asked, done))
    assert (call.status, call.summary, call.started_at, call.duration_ms) == ("ok", "both", 11, 31_000)


def test_only_what_was_taken_from_a_worker_that_was_lost_is_a_takeover() -> None:
    given_back = viewed(taken(10, 1), noted(11, Released(reason="told to stop")), taken(12, 2))
    assert (given_back.takeovers, notes_of(given_back)[-1]) == (0, ("Continued by w2", False))
    lost = viewed(taken(10, 1), taken(12, 2))
    assert lost.takeovers == 1
    assert notes_of(lost) == [("Taken over by w2 (delivery 2); finished calls are not repeated", True)]


def test_after_the_end_of_a_journal_nothing_is_under_way() -> None:
    for end in (Revoked(reason="cancelled"), Finished(outcome=result())):
        assert [call.status for call in calls_of(viewed(taken(1, 1), calling(2), noted(3, end)))] == ["unknown"]
    assert viewed(taken(1, 1), noted(3, Finished(outcome=result()))).result == result()


def test_calls_that_only_look_begin_when_they_were_made_and_not_when_they_were_written_down() -> None:
    def looked(at: float, index: int) -> tuple[TimedEntry, TimedEntry]:
        call = ToolCall(tool="check_text")
        started = noted(at, CallStarted(index=index, call=call, effect="check"))
        return started, noted(at, CallFinished(index=index, outcome=ToolOutcome(status="ok", duration_ms=500.0)))

    first, second = calls_of(viewed(taken(1, 1), *looked(10.0, 0), *looked(10.0, 1)))
    assert (first.started_at, first.ended_at) == (9.0, 9.5)
    assert (second.started_at, second.ended_at) == (9.5, 10.0)


def test_an_attempt_has_the_files_that_no_call_stored_and_the_place_that_was_touched_last() -> None:
    page, trace = (ArtifactRef(name=f"r/n.1/{name}", sha256="0", size=1) for name in ("page.png", "trace.zip"))
    box = Box(x=1, y=2, width=3, height=4)
    outcome = ToolOutcome(status="ok", artifacts=(page,), element=box)
    view = viewed(calling(1), noted(2, CallFinished(index=0, outcome=outcome)), claimed=result(artifacts=(page, trace)))
    assert (calls_of(view)[0].artifacts, view.artifacts) == (("n.1/page.png",), ("n.1/trace.zip",))
    assert view.element == box


def test_what_the_clauses_show_already_is_not_found_again() -> None:
    shown = Evidence(clause="x", check="check_text", call=1, passed=False, seen="$4")
    told = result("fail", expected="$5", seen="$4", failure=Failure.EXPECTATION_FALSE, evidence=(shown,))
    assert viewed(claimed=told).findings == {}
    assert viewed(claimed=result("fail", expected="$5", seen="$4")).findings == {"expected": "$5", "seen": "$4"}
    assert viewed(claimed=result(seen="$5")).findings == {}


def test_a_claim_that_the_run_made_something_else_of_is_named() -> None:
    view = viewed(claimed=result(), accepted=result("fail"))
    assert view.refused == "Its worker claimed pass; the run did not accept that."
    assert view.result is not None and view.result.status == "fail"
    assert viewed(claimed=result(), accepted=result()).refused == ""


def test_an_attempt_is_called_by_what_is_to_be_done_with_values_filled_in() -> None:
    assert viewed().title == "Buy tea"


def recorded(name: str, tool: str = "click") -> RecordedCall:
    return RecordedCall(tool=tool, effect="act", does="point", target=Described(role="button", name=name))


CHECK = RecordedCall(tool="check_text", effect="check", arguments={"text": "Thanks"}, clause="it thanks")
MISSED = Replay(
    key="step-1",
    digest="d",
    made=1,
    total=3,
    miss="none",
    why='there is no button "Send"',
    left=(recorded("Send"), recorded("${what}"), CHECK),
    done=(recorded("Submit"), recorded("${what}")),
    pictures=(ArtifactRef(name="r/n/heal-1.png", sha256="0", size=1),),
)


@pytest.mark.parametrize(
    ("status", "source", "policy", "failure", "outcome"),
    [
        ("pass", "model", "use", None, "accepted: it replaces the recording"),
        ("pass", "model", "propose", None, "accepted: it waits for"),
        ("fail", "model", "use", Failure.RECORDING_MISSED, "refused: it is not shown to be the same thing"),
        ("fail", "model", "use", Failure.EXPECTATION_FALSE, "the step failed"),
        ("fail", "recording", "off", Failure.RECORDING_MISSED, "not tried: healing is off"),
        ("fail", "recording", "use", Failure.RECORDING_MISSED, "not tried: no model could put it right"),
    ],
)
def test_a_heal_is_told_as_a_diff_with_its_policy_and_what_became_of_it(
    status: str, source: Any, policy: HealPolicy, failure: Failure | None, outcome: str
) -> None:
    came = result(status, source=source, failure=failure, output=StepOutput(replay=MISSED))
    view = view_healing(came, policy, {"what": "tea"})

    assert view is not None
    assert (view.reason, view.policy, view.accepted) == ("none", policy, status == "pass")
    assert view.outcome.startswith(outcome)
    lines = [f"{line.mark} {line.text}" for line in view.lines]
    assert lines == ['- click button "Send"', '+ click button "Submit"', '  click button "tea"'], "checks are no acts"
    assert view.pictures == ("n/heal-1.png",)


def test_a_replay_without_a_miss_is_no_heal() -> None:
    came = result(source="recording", output=StepOutput(replay=Replay(key="step-1", digest="d", made=3, total=3)))
    assert view_healing(came, "use", {}) is None
    assert viewed(claimed=came, accepted=came).healing is None
