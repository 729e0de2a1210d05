"""Rows of runs as a busy team would have them, stored straight into the list."""

import asyncio
import random
import time
from collections.abc import Sequence

from envelopes import a_task

from muster_bus import Bus
from muster_protocol import codec
from muster_protocol.events import Entry, PlanMade, RunOpened, SubTaskDispatched
from muster_protocol.logs import RunRow
from muster_protocol.plans import Plan, PlanNode
from muster_protocol.requests import RunRequest, Step, TestCase

CASES = (
    ("A visitor buys a backpack", "shop", ("smoke", "purchase")),
    ("The cart total counts every piece", "shop", ("cart",)),
    ("A returning customer sees the orders of the last two years", "shop", ("account", "slow")),
    ("A command-line tool is installed and used", "tools", ("smoke", "command-line")),
    ("Late pages are waited for", "shop", ("late",)),
    ("Password reset mails arrive", "accounts", ("mail",)),
    ("Export of 10,000 invoices as CSV", "billing", ("export", "slow")),
    ("Dark mode is kept after a log-out", "accounts", ()),
    ("Prices show the tax of the customer's country", "billing", ("tax",)),
)
FAILS = (
    ("product", 'expected the text "Total: $39.98" to be visible, seen "Total: $29.99" on Cart - Demo shop'),
    ("product", 'the "Continue to review" button is disabled; expected it to be enabled'),
    ("environment", "http://127.0.0.1:8000/login cannot be reached: connection refused"),
    ("agent", "no evidence for the clause: the invoice lists the delivery note"),
    ("cancelled", "cancelled by mira: wrong branch"),
)
AT_ONCE = 200


def made(count: int, now: float, seed: int = 7) -> list[RunRow]:
    """Return that many rows, one every 40 seconds back from `now` (unix seconds), the same for the same seed."""
    chance = random.Random(seed)
    return [_row(number, now - 40.0 * number, chance) for number in range(count)]


def _row(number: int, at: float, chance: random.Random) -> RunRow:
    name, suite, tags = CASES[chance.randrange(len(CASES))]
    steps, seconds = chance.randint(3, 24), chance.uniform(2, 190)
    tokens = chance.choice((0, 0, chance.randint(900, 90_000)))
    first = RunRow(
        run=f"run-{number:06d}",
        name=name,
        status="pass",
        suite=suite,
        tags=tags,
        total=steps,
        done=steps,
        requested_at=at,
        started_at=at + 0.8,
        ended_at=at + 0.8 + seconds,
        tokens=tokens,
        cost=tokens * 2.4e-6,
        model_calls=tokens // 4000,
    )
    if number < 6:
        return _early(number, first)
    if chance.random() < 0.2:
        cause, summary = FAILS[chance.randrange(len(FAILS))]
        return _changed(first, status="fail", cause=cause, summary=summary, done=steps // 2)
    return _changed(first, summary=f"{steps} steps passed")


def _early(number: int, row: RunRow) -> RunRow:
    """Return one of the newest rows: they are still queued, running or waiting."""
    if number < 2:
        return _changed(row, status="queued", total=0, done=0, started_at=0.0, ended_at=0.0, tokens=0, cost=0.0)
    if number == 4:
        return _changed(
            row, status="parked", summary="asks: which invoice address shall be used?", ended_at=0.0, done=2
        )
    if number == 5:
        return _changed(row, status="paused", summary="paused by mira", ended_at=0.0, done=1)
    return _changed(row, status="running", ended_at=0.0, done=row.total // 3)


def _changed(row: RunRow, **changes: object) -> RunRow:
    fields = {name: getattr(row, name) for name in row.__struct_fields__}
    return RunRow(**{**fields, **changes})  # pyright: ignore[reportArgumentType]


async def store(bus: Bus, rows: Sequence[RunRow]) -> None:
    """Write rows into the bucket that lists all runs."""
    bucket = await bus.js.key_value(bus.names.bucket("RUN_LIST"))
    for start in range(0, len(rows), AT_ONCE):
        await asyncio.gather(*(bucket.put(row.run, codec.encode(row)) for row in rows[start : start + AT_ONCE]))


async def store_branches(bus: Bus, run: str) -> None:
    """Store a run under way whose plan branches and meets again; the first of its five sub-tasks is at work."""
    needs = {"a": (), "b": ("a",), "c": ("a",), "d": ("b", "c"), "e": ("d",)}
    steps = tuple(Step(action=f"Do {name}") for name in needs)
    nodes = tuple(
        PlanNode(id=name, needs=of, covers=(at,), description=f"Do {name}")
        for at, (name, of) in enumerate(needs.items())
    )
    request = RunRequest(id=run, job=TestCase(name="Branches", steps=steps), requested_at=time.time())
    opened = RunOpened(request=request, owner="orchestrator-1", message=1, delivery=1)
    first = SubTaskDispatched(sub_task=a_task(id=f"{run}.a.1", run=run, node="a", attempt=1, dispatch=1))
    entry = Entry(epoch=1, at=time.time(), events=(opened, PlanMade(plan=Plan(nodes=nodes)), first))
    await bus.js.publish(bus.names.events(run), codec.encode(entry))
