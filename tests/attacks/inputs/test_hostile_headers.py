"""Headers that nobody can have meant, on messages, rows and live copies: each is got over, and the rest goes on."""

from contextlib import aclosing

import pytest
from fleet import Fleet
from waiting import eventually

from muster_bus import Bus, Stored, tail
from muster_bus.dead_letter_store import DeadLetter, newest_dead
from muster_client import trigger_store
from muster_client.runs import submit
from muster_protocol import codec
from muster_protocol.control import Cancel
from muster_protocol.requests import Drill, RunRequest
from muster_protocol.triggers import Schedule, Trigger

ENDLESS = "9" * 5000
"""More digits than Python reads as a number."""


def test_a_number_in_a_header_is_read_however_long_it_is():
    assert codec.version_of({"v": ENDLESS}) == codec.LARGEST
    assert codec.version_of({"v": "2"}) == 2
    assert [codec.version_of({"v": odd}) for odd in ("", "²", "-1", "one")] == [1] * 4
    assert [codec.read_number(text) for text in ("17", "", "x", "²", "-1")] == [17, 0, 0, 0, 0]


async def test_rows_and_messages_with_an_endless_version_hold_up_nothing_else(team: Fleet, bus: Bus):
    await team.start("orchestrator")
    await team.start("subagent")
    for bucket in ("RUN_LIST", "TRIGGERS", "DEFINITIONS"):
        await bus.js.publish(f"$KV.{bucket}.odd", b"{}", headers={"v": ENDLESS})
    for subject in ("muster.control.odd", "muster.tasks.act.normal", "muster.requests.odd", "muster.events.odd"):
        await bus.js.publish(subject, b"{}", headers={"v": ENDLESS})
    trigger = Trigger(id="often", schedule=Schedule(every_seconds=1.0), runs=(RunRequest(job=Drill(count=1)),))
    await trigger_store.put_trigger(bus, trigger)

    async def fired() -> bool:
        return (await trigger_store.get_trigger(bus, "often")).fired > 0

    await eventually(fired, "the trigger has fired", 30.0)
    run = (await submit(bus, RunRequest(job=Drill(count=2)))).run
    assert (await team.verdict(run)).status == "pass"
    told = "".join(log.read_text() for log in team.folder.glob("*.log"))
    assert "Traceback" not in told


async def test_dead_letters_are_listed_whatever_numbers_one_of_them_has(bus: Bus):
    await bus.js.publish("muster.dead.TASKS", b"", headers={"Muster-Size": ENDLESS, "Muster-Delivery": ENDLESS})
    letters: list[DeadLetter] = [letter async for letter in newest_dead(bus)]
    assert letters[0].size == codec.LARGEST


@pytest.mark.parametrize("headers", [None, {"Nats-Sequence": ENDLESS}, {"Nats-Stream": "RUNS"}])
async def test_who_follows_a_log_gets_over_what_others_publish_on_its_live_subject(
    bus: Bus, headers: dict[str, str] | None
):
    subject = "muster.runs.followed.events"
    async with aclosing(tail(bus, "RUNS", subject)) as stored:
        await bus.store(subject, b"1")
        assert (await anext(stored)).data == b"1"
        await bus.nc.publish("muster.live.runs.followed.events", b"forged", headers=headers)
        await bus.store(subject, b"2")
        second: Stored = await anext(stored)
    assert second.data == b"2"


async def test_a_control_that_nobody_can_read_is_dropped_and_the_next_one_is_applied(team: Fleet, bus: Bus):
    await team.start("orchestrator")
    await team.start("subagent")
    await bus.js.publish("muster.control.unread", b"\xff nonsense")
    run = (await submit(bus, RunRequest(job=Drill(count=1, wait_seconds=60.0)))).run
    await bus.store(bus.names.control(run), codec.encode(Cancel(id="stop")))
    assert (await team.verdict(run)).cause == "cancelled"
    told = "".join(log.read_text() for log in team.folder.glob("*.log"))
    assert "unreadable message dropped" in told
