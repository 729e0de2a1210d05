"""`muster cancel`: cancels runs."""

import click

from muster_bus import Bus
from muster_cli.app import perform
from muster_cli.options import NATS, RUNS, example
from muster_cli.subcommands.control_command import ask_each, read_standing, send, user_name
from muster_protocol.control import Cancel
from muster_protocol.ids import new_id


@click.command(
    short_help="Cancel runs.",
    epilog=example(
        "muster cancel run-3f9c27d1a0b4e865 --reason 'wrong branch'",
        "muster list --status queued --json | jq -r '.[].run' | xargs muster cancel",
    ),
)
@RUNS
@click.option("--reason", default="", help="Reason to store in the verdict.")
@NATS
def cancel(runs: tuple[str, ...], reason: str, nats: str | None) -> None:
    """Cancel queued and running runs; they fail with cause `cancelled`."""

    async def ask(bus: Bus, run: str) -> str:
        over = (await read_standing(bus, run)).over
        if over:
            return f"has ended already ({over})"
        await send(bus, run, Cancel(id=new_id("cancel"), reason=reason, by=user_name()))
        return "asked to stop"

    perform(lambda: ask_each(nats, runs, ask))
