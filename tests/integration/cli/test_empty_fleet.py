"""Commands of a fleet that has nothing yet say so, and what to do, in place of an empty table."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from muster_bus import Bus, provision
from muster_bus.nats_server import NatsServer

Muster = Callable[..., Awaitable[Any]]


@pytest.fixture
async def nats(server: NatsServer, bus: Bus) -> str:
    await provision(bus)
    return server.url


@pytest.mark.parametrize(
    ("command", "code", "said"),
    [
        (("list",), 0, "no runs\n"),
        (("health",), 0, "no test has run yet\n"),
        (("agents", "history"), 0, "no releases; `muster agents push PATH` makes one\n"),
        (("investigate", "run-1"), 2, "muster: there is no run 'run-1' here; `muster list` shows all runs\n"),
        (("show", "run-1"), 2, "muster: there is no run 'run-1' here; `muster list` shows all runs\n"),
    ],
)
async def test_nothing_is_called_nothing(muster: Muster, nats: str, command: tuple[str, ...], code: int, said: str):
    ended = await muster(*command, "--nats", nats)
    assert (ended.out + ended.err, ended.code) == (said, code)
