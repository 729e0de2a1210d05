"""What becomes of a trigger's times: each exactly once, late ones missed, overlapping ones skipped."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from muster_orchestrator.trigger_rules import finish, give_up, next_decision, requests_of
from muster_protocol.requests import Drill, RunRequest
from muster_protocol.triggers import MOST_FIRES, Schedule, Trigger, TriggerRow

START = 1_796_000_000.0 - 1_796_000_000.0 % 60


def a_row(*, every: float = 60.0, handled: float = START, paused: bool = False, **more: Any) -> TriggerRow:
    trigger = Trigger(id="nightly", schedule=Schedule(every_seconds=every), runs=(RunRequest(job=Drill()),) * 2, **more)
    return TriggerRow(trigger=trigger, handled_until=handled, paused=paused)


def settled(row: TriggerRow, now: float, *, overlapping: bool = False) -> TriggerRow:
    """Return the row once nothing is due any longer; every pending time starts its runs."""
    while (changed := next_decision(row, now, overlapping=overlapping)) is not None:
        row = finish(changed, ("run-1",)) if changed.pending else changed
    return row


def outcomes(row: TriggerRow) -> list[tuple[str, float]]:
    return [(fire.outcome, fire.due - START) for fire in row.fires]


def test_nothing_happens_before_it_is_time():
    assert next_decision(a_row(), START + 59, overlapping=False) is None


def test_a_time_is_decided_before_its_runs_start_and_only_once():
    decided = next_decision(a_row(), START + 61, overlapping=False)
    assert decided is not None and decided.pending is not None
    assert (decided.pending.due, decided.fires) == (START + 60, ())
    done = finish(decided, ("run-1", "run-2"))
    assert (done.pending, done.running, done.fired) == (None, ("run-1", "run-2"), 1)
    assert next_decision(done, START + 61, overlapping=False) is None


def test_times_while_earlier_runs_go_on_are_skipped():
    row = settled(a_row(), START + 125, overlapping=True)
    assert outcomes(row) == [("skipped", 60), ("skipped", 120)]
    assert row.skipped == 2


def test_a_trigger_that_allows_overlap_fires_all_the_same():
    assert outcomes(settled(a_row(overlap="allow"), START + 61, overlapping=True)) == [("fired", 60)]


def test_times_within_the_catch_up_window_are_made_up_for_and_earlier_ones_missed_together():
    row = settled(a_row(catch_up_seconds=130), START + 605)
    assert outcomes(row) == [("missed", 420), ("fired", 480), ("fired", 540), ("fired", 600)]
    assert (row.missed, row.fired) == (7, 3)
    assert row.fires[0].why == "7 times passed while no orchestrator was running"


def test_a_paused_trigger_fires_by_hand_only():
    row = a_row(paused=True)
    assert next_decision(row, START + 600, overlapping=False) is None
    asked = settled(replace(row, asked_at=START + 5), START + 6)
    assert outcomes(asked) == [("fired", 5)]
    assert (asked.fires[0].manual, asked.handled_until) == (True, START)


def test_jitter_delays_a_time_and_loses_none():
    row = a_row()
    row = replace(row, trigger=replace(row.trigger, schedule=Schedule(every_seconds=60, jitter_seconds=30)))
    seen = [now for now in range(0, 700) if next_decision(row, START + now, overlapping=False) is not None]
    assert 60 <= seen[0] < 90
    assert [due for _, due in outcomes(settled(row, START + 690))] == [60.0 * n for n in range(1, 12)]


def test_runs_of_a_time_have_keys_of_their_own_that_are_the_same_wherever_they_are_made():
    decided = next_decision(a_row(), START + 61, overlapping=False)
    assert decided is not None and decided.pending is not None
    first, second = requests_of(decided.trigger, decided.pending)
    assert first.idempotency_key == f"trigger/nightly/{START + 60:.3f}/1"
    assert second.idempotency_key == f"trigger/nightly/{START + 60:.3f}/2"
    assert first.labels == {"trigger": "nightly"}


def test_a_refusal_is_told_and_the_next_time_comes():
    decided = next_decision(a_row(), START + 61, overlapping=False)
    assert decided is not None
    refused = finish(decided, (), "the case expects nothing")
    assert (refused.refused, refused.fires[0].outcome, refused.fires[0].why) == (
        1,
        "refused",
        "the case expects nothing",
    )
    assert next_decision(refused, START + 121, overlapping=False) is not None


def test_without_room_a_time_waits_for_its_window_and_is_then_missed():
    decided = next_decision(a_row(catch_up_seconds=100), START + 61, overlapping=False)
    assert decided is not None
    assert give_up(decided, START + 160, "full") is None
    late = give_up(decided, START + 162, "full")
    assert late is not None
    assert (late.missed, late.fires[0].why) == (1, "full")


@given(st.lists(st.floats(0, 400), min_size=1, max_size=12), st.floats(30, 500))
def test_every_time_is_decided_exactly_once_whenever_somebody_looks(pauses: list[float], window: float):
    row, now = a_row(catch_up_seconds=window), START
    for pause in pauses:
        now += pause
        row = settled(row, now)
    assert row.fired + row.missed == int((now - START) // 60)
    dues = [fire.due for fire in row.fires]
    assert dues == sorted(set(dues)) and len(dues) <= MOST_FIRES
