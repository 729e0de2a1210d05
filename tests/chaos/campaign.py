"""One campaign: a fleet, a load, faults at random moments, then calm, and everything there is to know about it."""

import asyncio
import time
from collections.abc import AsyncGenerator, Collection, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from chaos import stored, wrong_clock
from chaos.history import History, Strike, Wish
from chaos.jobs import assignments
from chaos.load import Load
from chaos.nemesis import Nemesis
from chaos.places import Fleet, fleet_under_fire
from chaos.schedule import CLOCKS, Fault, fleet_slots, schedule
from chaos.witness import Witness, witnessing
from muster_bus import Bus, newest
from muster_bus.testing import connected, provisioned_server
from muster_cli.shop import demo_shop
from muster_protocol import codec
from muster_protocol.events import Entry, RunClosed

SHOP = Path(__file__).parents[2] / "examples" / "shop" / "server.py"
FOLLOWED = 4
"""Every so many-th run is followed over the gateway's WebSocket."""


class Plan(NamedTuple):
    """What a campaign is made of."""

    seed: int = 1
    runs: int = 40
    minutes: float = 1.5
    gap: float = 3.0
    """Seconds between faults in the mean; 0: none at all."""
    ack_wait: float = 3.0
    calm_seconds: float = 150.0
    """How long runs may take to end once no fault is going on any more."""


class Stage(NamedTuple):
    """What a campaign plays on."""

    fleet: Fleet
    bus: Bus
    shop: str


@asynccontextmanager
async def stage(plan: Plan, folder: Path) -> AsyncGenerator[Stage]:
    """Run nats-server, shop and fleet until left."""
    settings = {
        "ACK_WAIT_SECONDS": str(plan.ack_wait),
        "SHUTDOWN_SECONDS": "3",
        "SESSION_DRAIN_SECONDS": "2",
        "SESSION_HEARTBEAT_SECONDS": "2",
        "SESSION_IDLE_SECONDS": "60",
        "SWEEP_SECONDS": "3",
    }
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(provisioned_server(folder / "nats", ack_wait_seconds=plan.ack_wait))
        shop = await stack.enter_async_context(demo_shop(SHOP, {"PATH": "/usr/bin:/bin"}))
        fleet = await stack.enter_async_context(fleet_under_fire(server, fleet_slots(), folder, settings))
        yield Stage(fleet, await stack.enter_async_context(connected(server)), shop)


async def campaign(plan: Plan, folder: Path) -> History:
    """Play a campaign and return its history; its data are left in the folder."""
    async with stage(plan, folder) as on:
        async with witnessing(on.bus, on.fleet.gateway_url) as witness:
            history = await _played(plan, on, witness)
        await on.fleet.stop()

        async def gone() -> bool:
            return not on.fleet.strays()

        await stored.settled(gone, 10.0)
        remains = replace(history.remains, after_stop=tuple(on.fleet.strays()))
        places = on.fleet.places.values()
        lives = tuple(life for place in places for life in place.incarnations())
        return replace(history, remains=remains, incarnations=lives, crashes=tuple(on.fleet.crashes))


async def _played(plan: Plan, on: Stage, witness: Witness) -> History:
    load = Load(on.bus, on.fleet.gateway_url)
    wanted = assignments(plan.seed, plan.runs, on.shop)
    following = [asyncio.create_task(witness.follow(it.run)) for it in wanted[::FOLLOWED]]
    nemesis = Nemesis(on.fleet, on.bus, _faults(plan))
    striking = asyncio.create_task(nemesis.run())
    end = time.monotonic() + plan.minutes * 60
    await load.run(wanted, plan.minutes * 60 * 0.9)
    await asyncio.sleep(max(0.0, end - time.monotonic()))
    striking.cancel()
    await asyncio.wait({striking})
    await nemesis.heal()
    unfinished = await _unfinished(on.bus, load.wishes.values(), plan.calm_seconds)
    await asyncio.wait(following, timeout=15.0)
    for task in following:
        task.cancel()
    await witness.ask(list(load.wishes), 30.0 + 0.2 * plan.runs)
    history = await _read(on, witness, load, tuple(nemesis.strikes))
    return replace(history, unfinished=unfinished)


def _faults(plan: Plan) -> Iterator[Fault]:
    if not plan.gap:
        return iter(())
    without = () if wrong_clock.library() else CLOCKS
    return schedule(plan.seed, fleet_slots(), gap=plan.gap, ack_wait=plan.ack_wait, without=without)


async def _unfinished(bus: Bus, wishes: Collection[Wish], patience: float) -> tuple[str, ...]:
    """Wait until every run that exists is closed, and return those that are not after so many seconds."""
    left = {wish.run: wish for wish in wishes}

    async def none_left() -> bool:
        for run, wish in list(left.items()):
            last = await newest(bus, "RUNS", bus.names.events(run))
            events = codec.decode(last.data, Entry).events if last else ()
            if any(isinstance(event, RunClosed) for event in events) or (last is None and not wish.accepted):
                del left[run]
        return not left

    await stored.settled(none_left, patience)
    return tuple(left)


async def _read(on: Stage, witness: Witness, load: Load, strikes: tuple[Strike, ...]) -> History:
    remains = await stored.read_remains(on.bus, on.fleet, 75.0)
    kept = await stored.read_streams(on.bus)
    return History(
        wishes=tuple(load.wishes.values()),
        logs=kept.logs,
        journals=kept.journals,
        digests=kept.digests,
        first=kept.first,
        lines=kept.lines,
        told=tuple(witness.told),
        shown=tuple(witness.shown),
        follows=tuple(witness.follows.values()),
        orders=await stored.read_orders(on.shop),
        snapshots=await stored.read_snapshots(on.bus),
        rows=await stored.read_rows(on.bus),
        strikes=strikes,
        oddities=tuple(load.oddities),
        remains=remains,
        ended=time.time(),
    )
