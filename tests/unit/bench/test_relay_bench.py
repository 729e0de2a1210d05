"""What the bench of the relay makes of what it counts, and the frames that its second floor writes at a rate."""

import asyncio
import importlib
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

sys.path.append(str(Path(__file__).parents[3] / "bench"))
relay: Any = importlib.import_module("relay")
parts: Any = importlib.import_module("relay_parts")
figures: Any = importlib.import_module("relay_figures")

LEVEL = figures.Level(
    clients=500,
    heard=20_000.0,
    written=5_000.0,
    relayed=3_000.0,
    heard_cpu=16.0,
    written_cpu=90.0,
    relayed_cpu=110.0,
    frame_lines=80.0,
    missed=0,
    half_lines=30.0,
    p99=95.0,
    heard_p99=4.0,
    written_p99=60.0,
)


def report(*levels: Any) -> Any:
    return figures.Report(pens=[], levels=list(levels), stall=None, busy=0.5)


def test_the_relay_adds_what_neither_floor_needs() -> None:
    assert LEVEL.added == pytest.approx(31.0)
    assert figures.misses(report(LEVEL)) == []
    assert figures.misses(report(replace(LEVEL, written_p99=40.0))) == ["500 clients: 51 ms added at p99"]


def test_the_table_shows_the_waits_of_the_relay_and_of_each_floor() -> None:
    rows = [line.split() for line in figures.table(report(LEVEL)).splitlines()]

    assert ["clients", "lines/frame", "relayed", "heard", "written", "added"] in rows
    assert ["500", "30.0", "95.0", "4.0", "60.0", "31.0"] in rows


def test_lines_of_a_frame_are_counted_for_one_client() -> None:
    before, after = parts.Answer(lines=100, frames=40), parts.Answer(lines=400, frames=100)

    assert relay.frame_lines(before, after, clients=10) == pytest.approx(50.0)
    assert relay.frame_lines(before, replace(after, frames=40), clients=10) == 0.0


async def test_at_a_rate_every_client_gets_each_frame_with_the_time_of_its_making_in_the_first_line() -> None:
    pen: Any = parts.Pen()
    got: list[list[str]] = [[], []]

    async def receive() -> dict[str, Any]:
        return {"type": "websocket.connect"}

    def sending(texts: list[str]) -> Any:
        async def send(message: dict[str, Any]) -> None:
            texts.extend([message["text"]] if "text" in message else [])

        return send

    clients = [asyncio.create_task(pen.app({"type": "websocket"}, receive, sending(texts))) for texts in got]
    await asyncio.sleep(0)
    made = await pen.write(parts.Ask(rate=1000.0, lines=10, seconds=0.3))
    async with asyncio.timeout(10):
        while min(map(len, got)) < made.frames:
            await asyncio.sleep(0.01)
    for client in clients:
        client.cancel()
    await asyncio.wait(clients)

    assert got[0] == got[1]
    assert 1 < made.frames <= 31 and made.lines == made.frames * 10
    stamps = [[float(at) for at in re.findall(r'"at":([0-9.]+)', text)] for text in got[0]]
    assert {len(frame) for frame in stamps} == {10}
    assert [frame[0] for frame in stamps] == sorted({frame[0] for frame in stamps})
    assert stamps[-1][0] - stamps[-1][1] >= (made.frames - 1) * 0.01 - 0.001
