"""Bodies that take long to read hold up neither the gateway's event loop nor those who submit after them."""

import asyncio
import threading
import time

import pytest
from waiting import eventually

from muster_bus import Bus
from muster_bus.nats_client import Client
from muster_gateway import context
from muster_gateway.context import Gateway
from muster_gateway.problem_details import Refusal
from muster_gateway.settings import GatewaySettings
from muster_gateway.submission import read_body
from muster_protocol.errors import InvalidRequest

BOMB = "a: &a0 [x, x]\n" + "".join(
    f"b{level}: &a{level} [{', '.join([f'*a{level - 1}'] * 9)}]\n" for level in range(1, 4_000)
)
"""160 kB that came to more than a gigabyte."""


@pytest.fixture
def gateway() -> Gateway:
    settings = GatewaySettings()
    return Gateway(Bus(Client(), settings), settings)


async def test_the_event_loop_goes_on_while_bodies_are_read(gateway: Gateway):
    large = "cases:\n" + "".join(f"- {{name: n{at}, steps: [{{action: a, expected: e}}]}}\n" for at in range(1_500))
    late: list[float] = []

    async def tick() -> None:
        while True:
            before = time.monotonic()
            await asyncio.sleep(0.01)
            late.append(time.monotonic() - before)

    ticking = asyncio.create_task(tick())
    bodies = [gateway.parse_in_thread(read_body, "application/yaml", large.encode()) for _ in range(3)]
    read = await asyncio.gather(*bodies)
    ticking.cancel()

    assert [len(requests) for requests in read] == [1_500] * 3
    assert len(late) > 20  # it was not held for the whole of it


async def test_a_bomb_of_aliases_is_refused_at_once(gateway: Gateway):
    began = time.process_time()
    with pytest.raises(InvalidRequest, match="has more than 50,000 values"):
        await gateway.parse_in_thread(read_body, "application/yaml", BOMB.encode())
    assert time.process_time() - began < 5.0


async def test_who_waits_too_long_for_others_is_told(gateway: Gateway, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(context, "WAITING_SECONDS", 0.2)
    go_on = threading.Event()
    slow = [asyncio.create_task(gateway.parse_in_thread(go_on.wait, 30.0)) for _ in range(context.BODIES_AT_ONCE)]
    await eventually(gateway.reading.locked, "all places are taken")
    with pytest.raises(Refusal, match=r"the gateway was busy with other request bodies for 0.2 s") as caught:
        await gateway.parse_in_thread(read_body, "application/json", b"{}")
    go_on.set()

    assert (caught.value.status, caught.value.retry > 0) == (503, True)
    assert await asyncio.gather(*slow) == [True] * context.BODIES_AT_ONCE
