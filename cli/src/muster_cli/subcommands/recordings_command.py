"""`muster recordings`: what a fleet, or a folder beside the cases, remembers of steps and plans."""

import asyncio
import difflib
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import click
from msgspec.structs import replace
from rich.table import Table
from rich.text import Text

from muster_bus import Rows
from muster_cli.app import client, perform, print_json, print_table
from muster_cli.options import JSON, NATS, example, row_limit
from muster_cli.recording_files import file_of, name_of, read_folder, to_yaml, write_rows
from muster_cli.table import new_table
from muster_protocol.errors import InvalidRequest
from muster_protocol.step_recordings import RecordingRow, StepRecording, is_unstable
from muster_views.texts import to_one_line

IN_FOLDER = click.option(
    "--recordings",
    "folder",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    metavar="DIR",
    help="The folder that `muster run --recordings DIR` keeps, instead of a fleet's bucket.",
)
KEY = click.argument("key")


@click.group(
    "recordings",
    short_help="List and change recordings of steps and plans.",
    epilog=example(
        "muster recordings list",
        "muster recordings diff step-3f2a",
        "muster recordings promote step-3f2a --recordings cases/recordings",
    ),
)
def recordings() -> None:
    """List and change recordings of steps and plans.

    When a step that a model carried out passes, its calls are recorded; the next run repeats them without a model and
    collects new evidence. A proposal is a recording that a model has healed, and that waits for `promote`. Recordings
    of sessions (traces, HARs) are something else: see `muster run --report`.
    """


@recordings.command("list", short_help="List the recordings.")
@IN_FOLDER
@row_limit()
@NATS
@JSON
def list_recordings(*, folder: Path | None, limit: int, nats: str | None, as_json: bool) -> None:
    """List the recordings of a fleet or folder: keys, calls, tokens, and which have a proposal or are unstable."""

    async def work(store: "_Store") -> None:
        rows = await store.rows()
        if as_json:
            print_json(rows)
        elif rows:
            now, ordered = time.time(), sorted(rows, key=lambda row: (row.plan is None, row.key))
            print_table(ordered, limit, lambda some: _recording_table(some, now))
        else:
            click.echo("no recordings")

    _with_store(folder, nats, work)


@recordings.command(short_help="Print a recording as YAML, with its heals.")
@KEY
@IN_FOLDER
@NATS
def show(key: str, folder: Path | None, nats: str | None) -> None:
    """Print a recording as YAML. The beginning of its key is enough."""

    async def work(store: "_Store") -> None:
        row = await store.find(key)
        click.echo(to_yaml(file_of(row)), nl=False)
        for episode in row.episodes:
            new = episode.new.words() if episode.new else "nothing"
            told = f"# healed in {episode.run} ({episode.reason}): {episode.old.words()} -> {new}"
            click.echo(to_one_line(told))

    _with_store(folder, nats, work)


@recordings.command(short_help="Show what a proposal would change, or what the last heal changed.")
@KEY
@IN_FOLDER
@NATS
def diff(key: str, folder: Path | None, nats: str | None) -> None:
    """Print what a proposal would change, or, if there is none, what the last heal changed."""

    async def work(store: "_Store") -> None:
        row = await store.find(key)
        old, new = (row.step, row.proposal) if row.proposal else (row.previous, row.step)
        if old is None or new is None:
            click.echo("nothing was healed")
        else:
            click.echo("\n".join(difference(old, new)))

    _with_store(folder, nats, work)


@recordings.command(short_help="Delete a recording; the next run asks a model again.")
@KEY
@IN_FOLDER
@NATS
def drop(key: str, folder: Path | None, nats: str | None) -> None:
    """Delete a recording, for example because the product was changed on purpose."""

    async def work(store: "_Store") -> None:
        row = await store.find(key)
        await store.delete(row)
        click.echo(f"dropped {row.key}")

    _with_store(folder, nats, work)


@recordings.command(short_help="Use a proposal from now on.")
@KEY
@IN_FOLDER
@NATS
def promote(key: str, folder: Path | None, nats: str | None) -> None:
    """Replace the recording by its proposal; look at it first with `muster recordings diff`."""

    async def work(store: "_Store") -> None:
        row = await store.find(key)
        if row.proposal is None:
            raise InvalidRequest([f"{row.key} has no proposal; `muster recordings list` shows which have"])
        await store.put(replace(row, step=row.proposal, previous=row.step, proposal=None))
        click.echo(f"promoted {row.key}")

    _with_store(folder, nats, work)


@recordings.command(short_help="Write a fleet's recordings as files.")
@click.argument("target", type=click.Path(path_type=Path, file_okay=False))
@NATS
def export(target: Path, nats: str | None) -> None:
    """Write the recordings of a fleet into a folder, for `muster run --recordings DIR`."""

    async def work(store: "_Store") -> None:
        rows = await store.rows()
        await asyncio.to_thread(write_rows, target, rows)
        click.echo(f"wrote {len(rows)} files into {target}")

    _with_store(None, nats, work)


def difference(old: StepRecording, new: StepRecording) -> list[str]:
    """Return what differs between two recordings, as lines of a unified diff of their YAML. Pure."""
    before, after = to_yaml(old).splitlines(), to_yaml(new).splitlines()
    return list(difflib.unified_diff(before, after, "recorded", "healed", lineterm=""))


def _recording_table(rows: Sequence[RecordingRow], now: float) -> Table:
    """Return the recordings as people read them. Pure."""
    shown = new_table("key", "calls", "tokens", "state", "what", wrapped="what")
    for row in rows:
        calls, tokens, words = _summary(row)
        state = " ".join(
            word for word, holds in (("proposal", row.proposal), ("unstable", is_unstable(row, now))) if holds
        )
        cells = (row.key, calls, tokens, state, to_one_line(words, 100))
        shown.add_row(*(Text(cell) for cell in cells))
    return shown


def _summary(row: RecordingRow) -> tuple[str, str, str]:
    if row.plan is not None:
        return str(len(row.plan.nodes)), str(row.plan.tokens), f"plan of {len(row.plan.steps)} steps"
    step = row.step
    return (str(len(step.calls)), str(step.tokens), step.action) if step else ("0", "0", "")


class _Store:
    """Recordings of a fleet, or of a folder."""

    def __init__(self, bucket: Rows[RecordingRow] | None, folder: Path | None) -> None:
        self._bucket, self._folder = bucket, folder

    async def rows(self) -> list[RecordingRow]:
        if self._bucket is not None:
            return await self._bucket.all()
        assert self._folder is not None
        return await asyncio.to_thread(read_folder, self._folder)

    async def find(self, key: str) -> RecordingRow:
        """Return the one recording whose key begins so.

        Raises:
            InvalidRequest: there is none, or there are several.
        """
        found = [row for row in await self.rows() if row.key.startswith(key)]
        if len(found) != 1:
            many = "several recordings have keys that begin" if found else "no recording has a key that begins"
            raise InvalidRequest([f"{many} with {key!r}; `muster recordings list` shows them"])
        return found[0]

    async def put(self, row: RecordingRow) -> None:
        if self._bucket is not None:
            await self._bucket.put(row.key, row)
        else:
            await asyncio.to_thread(write_rows, self._path(row).parent, [row])

    async def delete(self, row: RecordingRow) -> None:
        if self._bucket is not None:
            await self._bucket.delete(row.key)
        else:
            self._path(row).unlink()

    def _path(self, row: RecordingRow) -> Path:
        assert self._folder is not None
        return self._folder / name_of(row)


def _with_store(folder: Path | None, nats: str | None, work: Callable[[_Store], Awaitable[None]]) -> None:
    async def perform_work() -> int:
        if folder is not None:
            await work(_Store(None, folder))
            return 0
        async with client(nats) as bus:
            await work(_Store(Rows(bus, "RECORDINGS", RecordingRow), None))
        return 0

    perform(perform_work)
