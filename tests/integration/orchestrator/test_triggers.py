"""Triggers on real orchestrators: each time is fired once, whoever lives."""

import signal
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from fleet import Fleet
from msgspec.structs import replace
from nats.aio.msg import Msg
from waiting import eventually

from muster_bus import Bus, Rows
from muster_bus.dead_letter_store import DeadLetter, newest_dead
from muster_bus.run_store import find_request
from muster_client import trigger_store
from muster_client.event_sending import send_event
from muster_client.runs import submit
from muster_protocol import codec
from muster_protocol.cloud_events import RUN_ENDED, CloudEvent, EventField, EventFilter
from muster_protocol.errors import InvalidRequest
from muster_protocol.logs import RunRow
from muster_protocol.requests import Drill, RunRequest, Step, TestCase
from muster_protocol.triggers import Schedule, Trigger, TriggerRow


def a_trigger(seconds: float = 1.0, **more: Any) -> Trigger:
    runs = (RunRequest(job=Drill(count=1, wait_seconds=more.pop("wait", 0.0))),)
    return Trigger(id="often", schedule=Schedule(every_seconds=seconds), runs=runs, **more)


async def row_of(bus: Bus) -> TriggerRow:
    return await trigger_store.get_trigger(bus, "often")


async def until(bus: Bus, holds: Callable[[TriggerRow], bool], seconds: float = 40.0) -> TriggerRow:
    async def look() -> TriggerRow | None:
        row = await row_of(bus)
        return row if holds(row) else None

    return await eventually(look, "the trigger is so far", seconds)


async def started(bus: Bus) -> list[RunRow]:
    """Return the runs that triggers have started."""
    return [row for row in await Rows(bus, "RUN_LIST", RunRow).all() if "trigger" in row.labels]


async def test_two_orchestrators_fire_each_time_once_and_go_on_when_one_is_killed(team: Fleet, bus: Bus):
    first = await team.start("orchestrator")
    await team.start("orchestrator")
    await trigger_store.put_trigger(bus, a_trigger(overlap="allow"))
    await until(bus, lambda row: row.fired >= 3)
    first.send_signal(signal.SIGKILL)
    await first.wait()
    before = (await row_of(bus)).fired
    row = await until(bus, lambda row: row.fired >= before + 4)

    dues = [fire.due for fire in row.fires]
    assert dues == [dues[0] + number for number in range(len(dues))], "no second is left out, and none comes twice"
    assert {fire.outcome for fire in row.fires} == {"fired"}
    await trigger_store.pause_trigger(bus, "often")
    runs = [run for fire in (await row_of(bus)).fires for run in fire.runs]
    assert len(runs) == len(set(runs))

    async def all_there() -> bool:
        return {it.run for it in await started(bus)} >= set(runs)

    await eventually(all_there, "every fire has its run")


async def test_times_are_skipped_while_runs_of_the_time_before_go_on(team: Fleet, bus: Bus):
    await team.start("orchestrator")  # and no worker: the run never ends
    await trigger_store.put_trigger(bus, a_trigger())
    row = await until(bus, lambda row: row.skipped >= 2)

    assert row.fired == 1
    assert row.fires[-1].runs == row.running
    assert len(await started(bus)) == 1


@pytest.mark.slow
async def test_runs_of_the_time_before_are_cancelled_if_the_trigger_says_so(team: Fleet, bus: Bus):
    await team.start("orchestrator")
    await trigger_store.put_trigger(bus, a_trigger(2.0, overlap="cancel"))
    await until(bus, lambda row: row.fired >= 2)
    await trigger_store.pause_trigger(bus, "often")

    async def cancelled() -> list[RunRow]:
        return [it for it in await started(bus) if it.cause == "cancelled"]

    assert await eventually(cancelled, "the first run is cancelled")


@pytest.mark.slow
async def test_with_queue_one_time_waits_until_the_runs_before_are_over(team: Fleet, bus: Bus):
    await team.start("orchestrator")
    await team.start("subagent")
    await trigger_store.put_trigger(bus, a_trigger(wait=3.0, overlap="queue"))
    row = await until(bus, lambda row: row.fired >= 3)

    async def begun() -> list[RunRow]:
        runs = [run for run in await started(bus) if run.started_at]
        return sorted(runs, key=lambda run: run.started_at) if len(runs) >= 3 else []

    runs = await eventually(begun, "three runs have begun")
    assert row.skipped >= 2
    for run, following in pairwise(runs[:3]):
        assert 0 < run.ended_at <= following.started_at


@pytest.mark.slow
async def test_times_that_have_passed_are_made_up_for_once(team: Fleet, bus: Bus):
    await team.start("orchestrator")
    await team.start("subagent")
    await trigger_store.put_trigger(bus, a_trigger(3600.0, wait=1.0))
    hour = bus.clock.now() // 3600 * 3600
    asked = [await trigger_store.backfill_trigger(bus, "often", hour - 2 * 3600, hour) for _ in range(2)]
    row = await until(bus, lambda row: row.fired >= 3 and not row.backfill and row.pending is None)

    assert asked == [(hour - 7200, hour - 3600, hour)] * 2
    dues = [fire.due for fire in row.fires if fire.manual]
    assert sorted({*dues}) == [hour - 7200, hour - 3600, hour]
    assert len(await started(bus)) == 3, "a time is never two runs"
    for since, to, why in ((hour + 9e5, hour + 9e6, "must be over"), (hour - 60, hour - 30, "none of its times")):
        with pytest.raises(InvalidRequest, match=why):
            await trigger_store.backfill_trigger(bus, "often", since, to)


async def test_what_was_due_while_nobody_was_there_is_made_up_for_within_the_window(team: Fleet, bus: Bus):
    await trigger_store.put_trigger(bus, a_trigger(overlap="allow", catch_up_seconds=3.0))
    await trigger_store.change_trigger(bus, "often", lambda row: _handled(row, 20.0))
    await team.start("orchestrator")
    row = await until(bus, lambda row: row.fired >= 3)

    assert row.missed >= 15
    assert row.fires[0].outcome == "missed"
    assert "times passed while no orchestrator was running" in row.fires[0].why


def _handled(row: TriggerRow, seconds: float) -> TriggerRow:
    return replace(row, handled_until=row.handled_until - seconds)


@pytest.mark.slow
async def test_a_paused_trigger_rests_can_be_fired_by_hand_and_goes_on_without_making_up(team: Fleet, bus: Bus):
    await team.start("orchestrator")
    await trigger_store.put_trigger(bus, a_trigger(overlap="allow"))
    await trigger_store.pause_trigger(bus, "often")
    await trigger_store.fire_trigger(bus, "often")
    fired = await until(bus, lambda row: any(fire.manual for fire in row.fires))
    resting = fired.fired
    await trigger_store.fire_trigger(bus, "often")
    again = await until(bus, lambda row: row.fired > resting)
    assert [fire.manual for fire in again.fires[-2:]] == [True, True], "nothing but what was asked for by hand"

    await trigger_store.resume_trigger(bus, "often")
    row = await until(bus, lambda row: not row.fires[-1].manual)
    assert row.missed == 0
    assert row.fires[-1].due > again.fires[-1].due


async def test_a_trigger_whose_case_the_fleet_refuses_says_so_and_goes_on(team: Fleet, bus: Bus):
    await team.start("orchestrator")
    trigger = a_trigger(overlap="allow")
    await trigger_store.put_trigger(bus, trigger)
    bad = RunRequest(job=Drill(), reply_to="muster.requests.x")
    await trigger_store.change_trigger(bus, "often", lambda row: _with_runs(row, bad))
    row = await until(bus, lambda row: row.refused >= 2)

    assert row.fires[-1].why


def _with_runs(row: TriggerRow, run: RunRequest) -> TriggerRow:
    return replace(row, trigger=replace(row.trigger, runs=(run,)))


async def test_a_dropped_trigger_fires_no_longer(team: Fleet, bus: Bus):
    await team.start("orchestrator")
    await trigger_store.put_trigger(bus, a_trigger(overlap="allow"))
    await until(bus, lambda row: row.fired >= 1)
    await trigger_store.drop_trigger(bus, "often")
    with pytest.raises(InvalidRequest, match="there is no trigger 'often'"):
        await row_of(bus)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"id": "a b"}, "id: 'a b' must be"),
        ({"schedule": Schedule(cron="x")}, "schedule: cron: 'x'"),
        ({"runs": ()}, "it starts no run"),
    ],
)
async def test_a_trigger_that_cannot_work_is_not_stored(bus: Bus, change: dict[str, Any], problem: str):
    with pytest.raises(InvalidRequest, match=problem):
        await trigger_store.put_trigger(bus, replace(a_trigger(), **change))


RELEASED = {"release": EventField(field="data.release")}


def an_event(id: str, **data: str) -> CloudEvent:
    return CloudEvent(specversion="1.0", id=id, source="ci", type="deployment.done", data=data)


def on_deployment(**more: Any) -> Trigger:
    steps = (Step(action='Run "true"', expected="The command succeeds"),)
    runs = (RunRequest(job=TestCase(name="Smoke ${release}", steps=steps)),)
    event = EventFilter(type="deployment.*", where={"data.environment": "staging"})
    return Trigger(id="often", event=event, from_event=RELEASED, runs=runs, **more)


async def test_an_event_starts_runs_with_its_values_once_on_any_orchestrator(team: Fleet, bus: Bus):
    await team.start("orchestrator")
    await team.start("orchestrator")
    await trigger_store.put_trigger(bus, on_deployment(overlap="allow"))
    assert await send_event(bus, an_event("1", environment="staging", release="2.14"))
    assert not await send_event(bus, an_event("1", environment="staging", release="2.14"))
    assert await send_event(bus, an_event("2", environment="production", release="2.14"))
    await until(bus, lambda row: row.fired >= 1)  # whoever decides an event first decides it: the next has the same id
    await bus.nc.publish(
        "muster.events.deployment.done", codec.encode(an_event("1", environment="staging", release="2"))
    )
    assert await send_event(bus, an_event("3", environment="staging"))

    row = await until(bus, lambda row: row.fired + row.refused >= 2)
    fired, refused = sorted(row.fires, key=lambda fire: fire.outcome)  # events are decided side by side
    assert (fired.outcome, fired.values, refused.outcome) == ("fired", {"release": "2.14"}, "refused")
    assert "no text or number at data.release" in refused.why
    (run,) = fired.runs
    request = await find_request(bus, run)
    assert request is not None and isinstance(request.job, TestCase)
    assert request.job.variables == {"release": "2.14"}

    async def settled() -> bool:
        return (await bus.js.stream_info("EVENTS")).state.messages == 0

    await eventually(settled, "every event is decided and gone from the queue")
    assert [it.run for it in await started(bus)] == [run]


async def test_events_that_come_while_no_orchestrator_runs_wait_and_those_in_a_row_are_skipped(team: Fleet, bus: Bus):
    await trigger_store.put_trigger(bus, on_deployment())
    for id in ("1", "2"):
        await send_event(bus, an_event(id, environment="staging", release=id))
    await team.start("orchestrator")
    row = await until(bus, lambda row: len(row.fires) >= 2)
    assert sorted(fire.outcome for fire in row.fires) == ["fired", "skipped"]
    assert (row.fired, row.fires[-1].why) == (1, "runs of the time before are not over")


async def test_the_end_of_a_run_is_an_event_that_starts_runs_and_ends_there(team: Fleet, bus: Bus):
    heard: list[CloudEvent] = []

    async def hear(message: Msg) -> None:
        heard.append(codec.decode(message.data, CloudEvent))

    await bus.nc.subscribe("muster.live.events.muster.run.ended", cb=hear)
    await team.start("orchestrator")
    await team.start("subagent")
    wanted = EventFilter(type=RUN_ENDED, where={"data.status": "pass"})
    runs = (RunRequest(job=Drill(name="after", count=1)),)
    await trigger_store.put_trigger(bus, Trigger(id="often", event=wanted, runs=runs, overlap="allow"))
    forged = CloudEvent(specversion="1.0", id="x", source="muster", type=RUN_ENDED, data={"status": "pass"})
    await bus.nc.publish("muster.events.what", codec.encode(forged))
    await submit(bus, RunRequest(job=Drill(name="first", count=1)))
    row = await until(bus, lambda row: row.skipped >= 1)

    assert (row.fired, row.skipped) == (1, 1)
    assert "a run of this trigger has led to the event" in row.fires[-1].why
    told = sorted((event.data["name"], event.data["triggers"]) for event in heard)
    assert told == [("after", ["often"]), ("first", [])]


async def test_what_is_no_event_becomes_a_dead_letter(team: Fleet, bus: Bus):
    await team.start("orchestrator")
    await bus.nc.publish("muster.events.what", b"hello")

    async def buried() -> list[DeadLetter]:
        return [letter async for letter in newest_dead(bus)]

    (letter,) = await eventually(buried, "a dead letter is there")
    assert (letter.stream, letter.data) == ("EVENTS", b"hello")
    assert "no CloudEvent" in letter.reason
