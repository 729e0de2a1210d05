"""What becomes of a trigger's times: each exactly once, late ones missed, overlapping ones skipped."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from muster_orchestrator.run_events import run_ended
from muster_orchestrator.trigger_rules import LOOP, decide_event, finish, give_up, next_decision, requests_of
from muster_protocol import codec
from muster_protocol.cloud_events import RUN_ENDED, CloudEvent, EventField, EventFilter
from muster_protocol.requests import Drill, RunRequest, TestCase
from muster_protocol.triggers import MOST_FIRES, Schedule, Trigger, TriggerRow
from muster_protocol.verdicts import Verdict
from muster_views.trigger_view import upcoming_times

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


def ended(run: RunRequest) -> CloudEvent:
    return run_ended(Verdict(run="run-9", name="x", status="pass", labels=run.labels, ended_at=START))


def on_end(id: str) -> TriggerRow:
    return TriggerRow(
        trigger=Trigger(id=id, event=EventFilter(type=RUN_ENDED), runs=(RunRequest(job=Drill()),)), handled_until=START
    )


def fired_by(id: str, event: CloudEvent) -> RunRequest | None:
    """Return the run that a trigger starts for an event; None if it skips it."""
    decided = decide_event(on_end(id), event, START, overlapping=False)
    assert decided is not None
    if decided.pending is None:
        assert decided.fires[-1].why == LOOP
        return None
    return requests_of(decided.trigger, decided.pending)[0]


def test_the_end_of_a_run_starts_others_and_never_again_a_trigger_that_has_led_to_it():
    first = fired_by("a", ended(RunRequest(job=Drill())))
    assert first is not None and first.labels == {"trigger": "a"}
    second = fired_by("b", ended(first))
    assert second is not None and second.labels == {"trigger": "b", "trigger_chain": "a b"}
    third = fired_by("c", ended(second))
    assert third is not None and third.labels["trigger_chain"] == "a b c"
    assert [fired_by(id, ended(third)) for id in ("a", "b", "c")] == [None, None, None]
    assert fired_by("a", ended(first)) is None


def test_the_event_of_a_runs_end_is_always_the_same_and_always_small():
    labels = {f"l{number}": "x" * 150 for number in range(2_000)} | {"long": "x" * 9_000}
    verdict = Verdict(run="run-9", name="x" * 300, status="fail", summary="y" * 100_000, labels=labels)
    assert run_ended(verdict) == run_ended(verdict)
    assert len(codec.encode(run_ended(verdict))) < 100_000


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


def test_a_delayed_time_is_not_late_by_its_delay():
    row = a_row(every=3_600.0, catch_up_seconds=20)
    row = replace(row, trigger=replace(row.trigger, schedule=Schedule(every_seconds=3_600, jitter_seconds=1_800)))
    for now in range(0, 5 * 3_600):
        row = settled(row, START + now + 0.5)
    assert (row.fired + row.missed, row.missed) == (5, 0)
    away = settled(row, START + 50 * 3_600)
    assert (away.fired + away.missed, away.missed >= 44) == (50, True)


@given(st.sampled_from([0, 40, 90]), st.floats(0, 600), st.text(min_size=1, max_size=8))
def test_the_next_times_that_are_told_are_those_at_which_it_fires(jitter: int, after: float, id: str):
    schedule = Schedule(every_seconds=120, jitter_seconds=jitter)
    row = replace(a_row(), trigger=replace(a_row().trigger, id=id, schedule=schedule))
    row = settled(row, START + after)
    told = upcoming_times(row.trigger, START + after, 5, row.handled_until)
    for at in told:
        early, row = row, settled(row, at + 0.001)
        assert settled(early, at - 0.01) == early, "it fired before it was told to"
        assert row.fired == early.fired + 1


def test_without_a_window_a_time_that_somebody_looks_for_is_fired_and_one_of_long_ago_is_missed():
    assert outcomes(settled(a_row(catch_up_seconds=0), START + 61.9)) == [("fired", 60)]
    assert outcomes(settled(a_row(catch_up_seconds=0), START + 111)) == [("missed", 60)]


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


def an_event(id: str = "1", **data: str) -> CloudEvent:
    return CloudEvent(specversion="1.0", id=id, source="ci", type="deployment.done", data=data)


def an_event_row(**more: Any) -> TriggerRow:
    runs = (RunRequest(job=TestCase(name="A", steps=())),)
    trigger = Trigger(id="smoke", event=EventFilter(type="deployment.done"), runs=runs, **more)
    return TriggerRow(trigger=trigger, handled_until=START)


def offered(row: TriggerRow, event: CloudEvent, now: float = START, *, overlapping: bool = False) -> TriggerRow:
    """Return the row once an event is decided; one that is to start runs starts them."""
    decided = decide_event(row, event, now, overlapping=overlapping)
    if decided is None:
        return row
    return finish(decided, ("run-1",)) if decided.pending else decided


def test_an_event_starts_runs_once_however_often_it_comes():
    row = offered(an_event_row(), an_event())
    assert (row.fired, row.handled_until) == (1, START)
    assert offered(row, an_event(), START + 1) is row
    assert offered(row, an_event("2"), START + 1).fired == 2


def test_an_event_gives_its_values_to_the_runs_and_the_same_event_the_same_keys():
    fields = {"release": EventField(field="data.release")}
    decided = decide_event(an_event_row(from_event=fields), an_event(release="2.14"), START, overlapping=False)
    assert decided is not None and decided.pending is not None
    (run,) = requests_of(decided.trigger, decided.pending)
    assert isinstance(run.job, TestCase)
    assert (run.job.variables, run.labels) == ({"release": "2.14"}, {"trigger": "smoke"})
    later = replace(decided.pending, due=START + 9)
    assert requests_of(decided.trigger, later)[0].idempotency_key == run.idempotency_key
    other = decide_event(decided, an_event("2", release="2.14"), START, overlapping=False)
    assert other is not None and other.pending is not None
    assert requests_of(other.trigger, other.pending)[0].idempotency_key != run.idempotency_key


def test_an_event_without_a_value_is_refused_with_the_reason():
    row = offered(an_event_row(from_event={"release": EventField(field="data.release")}), an_event())
    assert (row.refused, row.fires[0].why) == (1, "release: the event has no text or number at data.release")


def test_events_are_skipped_while_the_trigger_rests():
    row = an_event_row(cooldown_seconds=60)
    assert offered(replace(row, paused=True), an_event()).fires[0].why == "the trigger is paused"
    assert offered(row, an_event(), overlapping=True).fires[0].why == "runs of the time before are not over"
    once = offered(row, an_event())
    assert offered(once, an_event("2"), START + 59).fires[-1].why == "less than 60 s after the event before"
    assert offered(once, an_event("2"), START + 60).fired == 2
    skipped = offered(once, an_event("2"), START + 59)
    assert offered(skipped, an_event("3"), START + 60).fired == 2, "a skipped event does not begin another rest"


def test_a_trigger_for_events_alone_has_no_times():
    assert next_decision(an_event_row(), START + 1e6, overlapping=False) is None


def test_with_queue_one_time_waits_for_the_runs_before_and_further_ones_are_skipped():
    row = settled(a_row(overlap="queue"), START + 200, overlapping=True)

    assert row.waiting is not None
    assert (row.waiting.due - START, row.handled_until - START) == (60, 180)
    assert outcomes(row) == [("skipped", 120), ("skipped", 180)]
    over = settled(row, START + 2_000)
    assert outcomes(over)[:3] == [("skipped", 120), ("skipped", 180), ("fired", 60)]
    assert over.waiting is None


def test_with_queue_an_event_waits_once_however_often_it_comes():
    trigger = replace(on_end("a").trigger, overlap="queue")
    event, other = ended(RunRequest(job=Drill())), replace(ended(RunRequest(job=Drill())), id="run-8")
    row = decide_event(TriggerRow(trigger=trigger, handled_until=START), event, START, overlapping=True)

    assert row is not None and row.waiting is not None and row.pending is None
    assert decide_event(row, event, START, overlapping=True) is None
    skipped = decide_event(row, other, START, overlapping=True)
    assert skipped is not None and skipped.fires[-1].outcome == "skipped"
    assert next_decision(row, START, overlapping=True) is None
    started = next_decision(row, START + 5, overlapping=False)
    assert started is not None and started.pending is not None
    assert (started.pending.event, started.pending.told) == (event.key, row.waiting.told)


def test_times_are_made_up_for_one_after_the_other_and_the_schedule_goes_on_as_before():
    row = replace(a_row(every=3600.0), backfill=(START - 7200, START - 3600), paused=True)

    assert next_decision(row, START + 1, overlapping=True) is None
    done = settled(row, START + 1)
    assert (outcomes(done), done.backfill) == ([("fired", -7200), ("fired", -3600)], ())
    assert done.handled_until == row.handled_until


def test_a_time_that_is_made_up_for_is_the_same_run_as_when_it_was_due():
    usual = next_decision(a_row(), START + 61, overlapping=False)
    again = next_decision(replace(a_row(), backfill=(START + 60,)), START + 900, overlapping=False)
    assert usual is not None and usual.pending is not None and again is not None and again.pending is not None

    keys = [
        [it.idempotency_key for it in requests_of(a_row().trigger, fire)] for fire in (usual.pending, again.pending)
    ]
    assert keys[0] == keys[1]
