"""`muster backup` and `muster restore`: all data of a fleet on NATS."""

from pathlib import Path

import click

from muster_cli.app import client, perform, tell
from muster_cli.options import NATS, example
from muster_cli.stream_backup import list_streams, present_streams, save
from muster_cli.stream_backup import restore as restore_stream
from muster_protocol.errors import InvalidRequest

PRESENT = (
    "nothing was restored: the server has these streams already: {}; stop the services, and start the server with "
    "an empty store_dir"
)
FOLDER = click.argument("folder", type=click.Path(path_type=Path, file_okay=False))


@click.command(
    short_help="Back up a fleet's data on NATS.",
    epilog=example("muster backup backups/2026-11-22", "muster backup /backups/now --nats nats://nats.example:4222"),
)
@FOLDER
@NATS
def backup(*, folder: Path, nats: str | None) -> None:
    """Save every stream, bucket and consumer of a fleet into an empty folder, while it works.

    Needs the rights of the NATS user admin. Each stream is saved as it is at one moment; after a restore, unfinished
    runs continue from there, as after a crash.
    """

    async def work() -> int:
        _make_empty(folder)
        async with client(nats) as bus:
            for stream in list_streams(bus):
                tell(f"{stream}: {await save(bus, stream, folder)} messages")
        click.echo(str(folder))
        return 0

    perform(work)


def _make_empty(folder: Path) -> None:
    """Create a folder; if it exists, it must be empty."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise InvalidRequest([f"{folder} is not empty: give each backup a folder of its own"])


@click.command(short_help="Restore a backup.", epilog=example("muster restore backups/2026-11-22"))
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False))
@NATS
def restore(*, folder: Path, nats: str | None) -> None:
    """Restore all streams, buckets and consumers of a backup on a server that has none of them.

    Stop the services first, start them when it is done. Needs the rights of the NATS user admin.
    """

    async def work() -> int:
        async with client(nats) as bus:
            wanted = list_streams(bus)
            missing = [stream for stream in wanted if not (folder / f"{stream}.json").is_file()]
            if missing:
                raise InvalidRequest([f"{folder} holds no complete backup: {', '.join(missing)} missing"])
            if present := await present_streams(bus):
                raise InvalidRequest([PRESENT.format(", ".join(present))])
            for stream in wanted:
                tell(f"{stream}: {await restore_stream(bus, stream, folder)} messages")
        return 0

    perform(work)
