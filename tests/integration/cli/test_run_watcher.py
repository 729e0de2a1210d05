"""`muster watch` in full screen, driven by keys: on a real bus, where the runs are played."""

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable
from io import StringIO
from pathlib import Path
from typing import Any, cast

import pytest
from rich.console import Console
from rich.text import Text
from terminals import read_until, terminal
from textual.pilot import Pilot
from textual.widgets import DataTable, Static
from waiting import eventually

from muster_bus import Bus
from muster_bus.testing import NatsServer
from muster_cli.run_watcher import LogScreen, RunWatcher
from muster_client.runs import submit
from muster_protocol.requests import RunRequest, Step, TestCase

from .conftest import QUESTION, Player


async def play(bus: Bus, how: str) -> str:
    """Have a run played, and return its id."""
    steps = (Step(action='Open the "${play}" page', expected='The text "Hello" is visible'), Step(action='Click "Buy"'))
    job = TestCase(name=f"It is to {how} [b]", steps=steps, variables={"play": how})
    return (await submit(bus, RunRequest(job=job))).run


def shown(app: RunWatcher) -> str:
    """Return what the side of the chosen run shows."""
    console = Console(width=300, record=True, file=StringIO())
    console.print(app.screen_stack[0].query_one("#run", Static).content)
    return console.export_text()


async def choose(pilot: Pilot[None], app: RunWatcher, run: str) -> None:
    """Move the cursor to a run, and wait until it is shown."""
    table = cast("DataTable[Text]", app.query_one("#runs"))
    await eventually(lambda: run in {key.value for key in table.rows}, "the run is listed")
    for _ in range(table.row_count):
        await pilot.press("down")
    for _ in range(table.row_count):
        chosen = app.chosen
        if chosen is not None and chosen.run == run:
            break
        await pilot.press("up")
        await pilot.pause()
    await eventually(
        lambda: app.chosen is not None and app.chosen.run == run and app.chosen.history.nodes, "it is shown"
    )


@pytest.mark.slow
async def test_runs_are_watched_answered_paused_and_cancelled_by_keys(player: Player, bus: Bus, tmp_path: Path):
    asks, hangs = await play(bus, "ask"), await play(bus, "hang")
    app = RunWatcher(bus)
    async with app.run_test(size=(150, 40)) as pilot:
        await choose(pilot, app, asks)
        await eventually(lambda: QUESTION in shown(app), "the question is shown")
        assert "It is to ask [b]" in shown(app)
        await pilot.press("a")
        await eventually(lambda: len(app.screen_stack) == 2, "the answer is asked for")
        await pilot.press(*"4711", "enter")
        await eventually(lambda: app.chosen and app.chosen.history.verdict, "the run goes on to its end")
        await eventually(lambda: any("Answered: 4711" in line for line in app.lines), "the log tells of it")

        await choose(pilot, app, hangs)
        await eventually(lambda: 'click("Buy")' in shown(app) and "1/100 calls" in shown(app), "the call is shown")
        (tmp_path / "watch.svg").write_text(app.export_screenshot())
        await pilot.press("l")
        await eventually(lambda: isinstance(app.screen, LogScreen), "the log is open")
        await pilot.press("escape", "p")
        await eventually(lambda: app.chosen and app.chosen.history.paused, "the run is paused")
        await pilot.press("c")
        await eventually(lambda: len(app.screen_stack) == 2, "the reason is asked for")
        await pilot.press(*"enough", "enter")
        await eventually(lambda: app.chosen and app.chosen.history.cancelling == "enough", "the run is cancelled")
        await pilot.press("q")


async def test_without_a_terminal_a_run_has_to_be_named(muster: Callable[..., Awaitable[Any]]):
    ended = await muster("watch")

    assert (ended.code, "name the run to follow: muster watch RUN" in ended.err) == (2, True)


@pytest.mark.slow
async def test_the_full_screen_opens_on_a_terminal_and_is_left_with_a_key(server: NatsServer):
    with terminal() as (person, theirs):
        command = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "muster_cli", "watch", "--nats", server.url),
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
        )
        await read_until(person, b"Quit")
        os.write(person, b"q")
        async with asyncio.timeout(60):
            assert await command.wait() == 0
