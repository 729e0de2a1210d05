"""`muster submit --wait --quarantine`: fails of flaky tests are shown, run all the same, and fail nothing."""

import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from muster_bus import Bus, Rows
from muster_bus.nats_server import NatsServer
from muster_client.test_histories import history_key
from muster_protocol.analyses import TestHistory
from muster_protocol.logs import RunRow

Muster = Callable[..., Awaitable[Any]]
Write = Callable[..., Path]


async def remember(bus: Bus, name: str, marks: str) -> None:
    """Store the history of a test in the suite of its folder: `F` failed, `.` passed."""
    rows = tuple(
        RunRow(run=f"run-{at}", name=name, status="pass" if mark == "." else "fail", ended_at=float(at),
               cause="" if mark == "." else "product")
        for at, mark in enumerate(marks, 1)
    )  # fmt: skip
    await Rows(bus, "HISTORIES", TestHistory).put(history_key("cases", name), TestHistory(name=name, rows=rows))


@pytest.mark.slow
@pytest.mark.usefixtures("player")
async def test_a_fail_of_a_flaky_test_fails_the_command_only_without_quarantine(
    muster: Muster, server: NatsServer, bus: Bus, write_cases: Write
):
    folder = write_cases(a="pass", b="product")
    at = (folder, "--wait", "--nats", server.url)

    unknown = await muster("submit", *at, "--quarantine")
    await remember(bus, "b", "..F...F..F.....F..F")
    counted, left_out = await muster("submit", *at), await muster("submit", *at, "--quarantine")
    shown = json.loads((await muster("submit", *at, "--quarantine", "--json")).out)
    await remember(bus, "b", "...............FFFFF")
    broken = await muster("submit", *at, "--quarantine")

    assert [it.code for it in (unknown, counted, left_out, broken)] == [1, 1, 0, 1]
    assert "1 failed (product), 1 in quarantine (flaky, not counted)" in left_out.out
    assert shown["exit_code"] == 0
    assert shown["quarantined"] == [it["run"] for it in shown["runs"] if it["verdict"]["status"] == "fail"]
