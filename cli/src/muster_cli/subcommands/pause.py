"""`muster pause` and `muster resume`: pause runs and continue them."""

import click

from muster_bus import Bus
from muster_cli.app import perform
from muster_cli.options import NATS, RUNS, example
from muster_cli.subcommands.control_command import ask_each, read_standing, send, user_name
from muster_client.steering import build_pause, build_resume


@click.command(
    short_help="Pause runs.",
    epilog=example(
        "muster pause run-3f9c27d1a0b4e865",
        "muster list --suite nightly --status running --json | jq -r '.[].run' | xargs muster pause",
    ),
)
@RUNS
@NATS
def pause(runs: tuple[str, ...], nats: str | None) -> None:
    """Pause runs: current sub-tasks finish, and no new ones start until `muster resume`.

    A paused run does not count as a run in flight, and its clock stops. Its session is kept for SESSION_IDLE_SECONDS
    (15 minutes). It can be cancelled. A queued run pauses when its turn comes. Pausing a paused run changes nothing.
    """

    async def ask(bus: Bus, run: str) -> str:
        stored = await send(bus, run, build_pause(await read_standing(bus, run), user_name()))
        return "asked to pause" if stored else "is asked to pause already"

    perform(lambda: ask_each(nats, runs, ask))


@click.command(
    short_help="Resume paused runs.",
    epilog=example(
        "muster resume run-3f9c27d1a0b4e865",
        "muster list --status paused --json | jq -r '.[].run' | xargs muster resume",
    ),
)
@RUNS
@NATS
def resume(runs: tuple[str, ...], nats: str | None) -> None:
    """Resume paused runs. A run that waits for an answer needs `muster answer`."""

    async def ask(bus: Bus, run: str) -> str:
        found = await read_standing(bus, run)
        if await send(bus, run, build_resume(found, user_name())):
            return "asked to go on"
        waits = f'; it waits for an answer: muster answer {run} "…"' if found.questions else ""
        return f"is not paused{waits}"

    perform(lambda: ask_each(nats, runs, ask))
