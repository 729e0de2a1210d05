"""Shared by the commands that control runs: one run after another, a line for each, one exit code."""

import getpass
from collections.abc import Awaitable, Callable, Iterable

import click

from muster_bus import Bus
from muster_bus.run_store import read_entries
from muster_cli.app import client, tell
from muster_cli.lookup import require_request
from muster_client.runs import send_control
from muster_client.steering import Standing, fold_standing, read_controls
from muster_protocol.control import Control
from muster_protocol.errors import InvalidRequest, WrongState
from muster_views.outcome import USAGE


async def ask_each(nats: str | None, runs: Iterable[str], ask: Callable[[Bus, str], Awaitable[str]]) -> int:
    """Control each run, print the outcome, and return the exit code: 2 if a run cannot be controlled that way."""
    code = 0
    async with client(nats) as bus:
        for run in runs:
            try:
                click.echo(f"{run}: {await ask(bus, run)}")
            except (InvalidRequest, WrongState) as error:
                tell(f"muster: {error}")
                code = USAGE
    return code


async def read_standing(bus: Bus, run: str) -> Standing:
    """Return the state of a run.

    Raises:
        InvalidRequest: there is no such run.
    """
    await require_request(bus, run)
    happened = (event for entry in await read_entries(bus, run) for event in entry.events)
    return fold_standing(run, tuple(happened), await read_controls(bus, run))


async def send(bus: Bus, run: str, control: Control | None) -> bool:
    """Store a control of a run, if there is one; return whether there was."""
    if control is None:
        return False
    await send_control(bus, run, control)
    return True


def user_name() -> str:
    """Return the name of the user at the terminal, if known."""
    try:
        return getpass.getuser()
    except (OSError, KeyError):  # a container may run under an id that has no name
        return ""
