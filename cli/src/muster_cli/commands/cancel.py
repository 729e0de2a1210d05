"""`muster cancel`: end runs."""

import getpass

import click

from muster_cli.app import client, perform
from muster_cli.lookup import known_request
from muster_cli.options import NATS, example
from muster_cli.outcome import USAGE
from muster_protocol.bus import Bus
from muster_protocol.control import Cancel
from muster_protocol.errors import InvalidRequest
from muster_protocol.ids import new_id
from muster_protocol.runs import read_entries, send_control, verdict_in


@click.command(
    short_help="Cancel runs.",
    epilog=example(
        "muster cancel run-3f9c27d1a0b4e865 --reason 'wrong branch'",
        "muster list --status queued --json | jq -r '.[].run' | xargs muster cancel",
    ),
)
@click.argument("runs", nargs=-1, required=True, metavar="RUN…")
@click.option("--reason", default="", help="Kept with the verdict.")
@NATS
def cancel(runs: tuple[str, ...], reason: str, nats: str | None) -> None:
    """Cancel runs, queued or under way; they end with a fail of cause `cancelled`."""

    async def work() -> int:
        known = True
        async with client(nats) as bus:
            for run in runs:
                known = await _cancel(bus, run, reason) and known
        return 0 if known else USAGE

    perform(work)


async def _cancel(bus: Bus, run: str, reason: str) -> bool:
    """Ask for the cancellation, say so, and return whether there is such a run."""
    try:
        await known_request(bus, run)
    except InvalidRequest as error:
        click.echo(f"muster: {error}", err=True)
        return False
    verdict = verdict_in(await read_entries(bus, run))
    if verdict is not None:
        click.echo(f"{run}: has ended already ({verdict.status})")
        return True
    await send_control(bus, run, Cancel(id=new_id("cancel"), reason=reason, by=_user()))
    click.echo(f"{run}: asked to stop")
    return True


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):  # a container may run under an id that has no name
        return ""
