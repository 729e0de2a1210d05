"""`muster provision`: creates streams, consumers and buckets on a NATS server."""

import click

from muster_bus import provision as make
from muster_cli.app import client, perform
from muster_cli.options import NATS, example


@click.command(
    short_help="Create missing streams on a NATS server.",
    epilog=example("muster provision --nats nats://nats.example:4222", "MAX_RUNS=64 muster provision"),
)
@NATS
def provision(nats: str | None) -> None:
    """Create missing streams, consumers and buckets on a NATS server; existing ones that differ are an error.

    Settings that shape them: MUSTER_PREFIX, ACK_WAIT_SECONDS, MAX_RUNS, STREAM_REPLICAS.
    """

    async def work() -> int:
        async with client(nats) as bus:
            made = await make(bus)
        for name in made:
            click.echo(f"made {name}")
        if not made:
            click.echo("nothing is missing")
        return 0

    perform(work)
