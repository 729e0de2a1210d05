"""When work is asked for, and when not: a lagging event loop, an end in the middle of deliveries."""

import asyncio
import subprocess
import sys
import time
from contextlib import suppress

import pytest
from proxy import Proxy, proxied
from waiting import eventually
from workshop import QUEUE, Workshop, acks, at_work, put

from muster_bus import Bus, Claim, Intake
from muster_bus.nats_server import NatsServer
from muster_bus.queue import MOST_LAG
from muster_bus.testing import connected

ACK_WAIT = 1.0


def asked(proxy: Proxy) -> int:
    return proxy.to_server.seen.count(b"CONSUMER.MSG.NEXT")


@pytest.mark.slow
async def test_nothing_is_asked_for_while_the_event_loop_lags_and_again_once_it_does_not(
    server: NatsServer, other: Bus
):
    async def blocks(claim: Claim) -> None:
        time.sleep(MOST_LAG + 0.5)  # as work that does not let go of the loop
        await claim.ack()

    workshop = Workshop(blocks)
    async with proxied(server, ack_wait_seconds=30) as (bus, proxy):
        watching = asyncio.ensure_future(bus.lag.watch())
        async with at_work(bus, workshop):
            await eventually(lambda: asked(proxy) == 1, "it asks")
            await put(other, "a", "b")
            await eventually(lambda: workshop.done == ["a"], "the first is done")
            assert bus.lag.seconds > MOST_LAG
            await bus.nc.flush()
            assert asked(proxy) == 1
            await eventually(
                lambda: workshop.done == ["a", "b"], "the loop is well again, and the second is done", 10.0
            )
            assert asked(proxy) == 2
        watching.cancel()
        with suppress(asyncio.CancelledError):
            await watching
    assert bus.lag.seconds == 0.0


async def test_a_message_that_waited_while_the_loop_was_blocked_longer_than_its_claim_lasts_is_not_worked_on(
    server: NatsServer, other: Bus
):
    blocked, rival = Workshop(acks), Workshop(acks)
    async with connected(server, ack_wait_seconds=ACK_WAIT) as bus:
        watching = asyncio.ensure_future(bus.lag.watch())
        async with at_work(bus, blocked):
            await bus.nc.flush()

            async def has_asked() -> bool:
                return (await other.js.consumer_info("TASKS", QUEUE)).num_waiting == 1

            await eventually(has_asked, "it has asked")
            await put_while_blocked(server)
            async with at_work(other, rival):
                await eventually(lambda: rival.done == ["a"], "another has it")
        watching.cancel()
    assert blocked.done == []


async def put_while_blocked(server: NatsServer) -> None:
    """Have another process store a message, and block this one's loop until that is done and long over."""
    code = (
        "import asyncio, nats\n"
        "async def main():\n"
        f"    nc = await nats.connect('{server.url}')\n"
        "    await nc.jetstream().publish('muster.tasks.act.normal', b'a')\n"
        "    await nc.close()\n"
        "asyncio.run(main())\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=30)
    time.sleep(1.5 * ACK_WAIT)


@pytest.mark.slow
async def test_however_publishing_and_stopping_meet_no_message_waits_for_ack_wait(server: NatsServer):
    """60 rounds; a message that vanished in one would stay pending for the 30 s that its claim lasts."""
    workshop = Workshop(acks)
    async with connected(server, ack_wait_seconds=30) as bus, connected(server) as other:
        await bus.js.add_consumer("TASKS", (await bus.js.consumer_info("TASKS", QUEUE)).config.evolve(ack_wait=30.0))
        for turn in range(60):
            intake = Intake(bus, "TASKS", [QUEUE], slots=4, handler=workshop.handle)
            await intake.start()
            putting = asyncio.ensure_future(put(other, f"a{turn}", f"b{turn}"))
            for _ in range(turn % 12):
                await asyncio.sleep(0)
            await intake.stop(grace=5.0)
            await putting
        async with at_work(bus, workshop, slots=4):
            await eventually(lambda: len(set(workshop.done)) == 120, "all are done", 10.0)
        assert len(workshop.done) == 120
