"""Dead letters on a real server: written once, listed, read, dropped."""

import asyncio
import time
from typing import Any

import pytest
from nats.js.errors import NotFoundError
from prometheus_client import REGISTRY

from muster_bus import Bus, Claim, Intake
from muster_bus.dead_letter_store import (
    DeadLetter,
    build_letter,
    bury,
    count_letters,
    drop_dead,
    newest_dead,
    read_dead,
)
from muster_bus.streams import RUNS_CONSUMER
from muster_protocol.errors import InvalidRequest


def letter(number: int = 1, **more: Any) -> DeadLetter:
    made: dict[str, Any] = {"stream": "REQUESTS", "subject": f"muster.requests.run-{number}", "reason": "no"}
    made |= {"key": f"k{number}", "data": b"{}"} | more
    return DeadLetter(**made)


async def listed(bus: Bus) -> list[DeadLetter]:
    return [letter async for letter in newest_dead(bus)]


def counted() -> float:
    return REGISTRY.get_sample_value("muster_dead_letters_total", {"stream": "REQUESTS"}) or 0.0


def test_letters_are_counted_from_nothing_on_so_that_the_first_one_shows_as_an_increase():
    count_letters("NONE-YET")

    assert REGISTRY.get_sample_value("muster_dead_letters_total", {"stream": "NONE-YET"}) == 0.0


async def test_a_letter_tells_all_that_was_known(bus: Bus):
    before = time.time()
    await bury(bus, letter(data=b"\x00\xff", reason="„nein“\nund Schluß", history=("eins", "zwei")))
    [found] = await listed(bus)

    assert (found.sequence, found.stream, found.subject, found.run) == (1, "REQUESTS", "muster.requests.run-1", "run-1")
    assert (found.reason, found.history, found.data) == ("„nein“\nund Schluß", ("eins", "zwei"), b"\x00\xff")
    assert before - 1 < found.at < time.time() + 1
    assert await read_dead(bus, 1) == found


async def test_two_holders_of_one_message_write_one_letter(bus: Bus):
    before = counted()
    claims: list[Claim] = []

    async def handle(claim: Claim) -> None:
        claims.append(claim)
        await bury(bus, build_letter("REQUESTS", claim, f"seen {claim.delivery} times"))
        await (claim.nak() if claim.delivery == 1 else claim.term("done with"))

    await bus.store("muster.requests.run-1", b"nonsense")
    intake = Intake(bus, "REQUESTS", [RUNS_CONSUMER], slots=1, handler=handle)
    await intake.start()
    async with asyncio.timeout(10):
        while len(claims) < 2:
            await asyncio.sleep(0.02)
    await intake.stop(5.0)
    [found] = await listed(bus)

    assert (found.reason, found.delivery, found.data) == ("seen 1 times", 1, b"nonsense")
    assert counted() == before + 1


async def test_the_same_place_in_a_queue_that_was_made_anew_is_another_letter(bus: Bus):
    keys: list[str] = []

    async def handle(claim: Claim) -> None:
        keys.append(build_letter("REQUESTS", claim, "no").key)
        await claim.term("done with")

    for count in (1, 2):
        await bus.store("muster.requests.run-1", b"nonsense")
        intake = Intake(bus, "REQUESTS", [RUNS_CONSUMER], slots=1, handler=handle)
        await intake.start()
        async with asyncio.timeout(10):
            while len(keys) < count:
                await asyncio.sleep(0.02)
        await intake.stop(5.0)

    assert keys[0] != keys[1]


async def test_a_message_as_large_as_the_server_takes_is_put_aside_with_as_much_as_fits(bus: Bus):
    size = bus.nc.max_payload
    await bury(bus, letter(data=b"x" * size, reason="y" * 10_000))
    [found] = await listed(bus)

    assert (found.size, found.cut) == (size, True)
    assert size - 2000 < len(found.data) < size
    assert bus.nc.stats["reconnects"] == 0


async def test_letters_are_listed_newest_first_and_those_that_were_dropped_are_gone(bus: Bus):
    for number in range(1, 5):
        await bury(bus, letter(number))
    await drop_dead(bus, 2)
    await drop_dead(bus, 4)
    await drop_dead(bus, 4)

    assert [found.run for found in await listed(bus)] == ["run-3", "run-1"]
    with pytest.raises(InvalidRequest, match="there is no dead letter 4; `muster dead list`"):
        await read_dead(bus, 4)


async def test_without_any_there_is_nothing_to_list(bus: Bus):
    assert await listed(bus) == []
    with pytest.raises(NotFoundError):
        await bus.js.get_msg("DEAD", seq=1)
