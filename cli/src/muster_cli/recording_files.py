"""Recordings of steps and plans as YAML files, one each, that stand beside the cases and are easy to compare."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import yaml
from msgspec.structs import replace

from muster_bus import Rows
from muster_cli.named_files import read_named, write_named
from muster_protocol.errors import InvalidRequest
from muster_protocol.step_recordings import FORMAT, PlanRecording, RecordingRow, StepRecording, key_of_step
from muster_views.texts import to_slug
from muster_yaml.bounded_yaml import YamlFault, load

HEAD = "# Recorded by Muster: what a model did once, replayed without one. `muster recordings --help` says more.\n"


class RecordedFile(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """What a file holds: one recording, and where it came from."""

    key: str
    run: str = ""
    step: StepRecording | None = None
    plan: PlanRecording | None = None
    proposal: StepRecording | None = None


def to_yaml(recording: StepRecording | PlanRecording | RecordedFile) -> str:
    """Return a recording as YAML, in the order of its fields. Pure."""
    plain: Any = msgspec.to_builtins(recording)
    return yaml.safe_dump(plain, sort_keys=False, allow_unicode=True, width=110)


def file_of(row: RecordingRow) -> RecordedFile:
    """Return what the file of a row holds. Pure."""
    return RecordedFile(key=row.key, run=row.run, step=row.step, plan=row.plan, proposal=row.proposal)


def name_of(row: RecordingRow) -> str:
    """Return the name of a row's file: the step's words, and the end of the key. Pure."""
    words = row.step.action if row.step else f"plan {row.plan.steps[0] if row.plan and row.plan.steps else ''}"
    return f"{to_slug(words.lower(), 48)}-{row.key[-8:]}.yaml"


def row_of(text: str, source: str) -> RecordingRow:
    """Return the row in a file.

    Raises:
        InvalidRequest: the file cannot be used; says why.
    """
    try:
        held = msgspec.convert(load(text), RecordedFile)
    except (YamlFault, msgspec.ValidationError) as error:
        raise InvalidRequest([f"{source}: this is no recording: {error}"]) from error
    recording = held.step or held.plan
    if recording is None:
        raise InvalidRequest([f"{source}: it holds neither a step nor a plan"])
    if recording.format != FORMAT:
        said = f"{source}: it has format {recording.format}, and this version reads {FORMAT}; delete it to record anew"
        raise InvalidRequest([said])
    key = key_of_step(held.step) if held.step else held.key
    proposal = held.proposal if held.proposal and key_of_step(held.proposal) == key else None
    return RecordingRow(key=key, step=held.step, plan=held.plan, proposal=proposal, run=held.run)


class RecordingFolder:
    """A folder of recordings, and the bucket of the fleet that uses them."""

    def __init__(self, folder: Path, rows: Rows[RecordingRow]) -> None:
        self._folder, self._rows = folder, rows
        self._loaded: dict[str, RecordingRow] = {}

    async def load(self, now: float) -> None:
        """Hand the folder's recordings to the fleet.

        Raises:
            InvalidRequest: one cannot be used.
        """
        for row in await asyncio.to_thread(read_folder, self._folder):
            self._loaded[row.key] = row
            await self._rows.put(row.key, replace(row, made_at=now, used_at=now))

    async def save(self) -> tuple[str, ...]:
        """Write what is new or has changed, remove what was forgotten, and return the names of the files."""
        rows = {row.key: row for row in await self._rows.all()}
        changed = [row for row in rows.values() if row.key not in self._loaded or _differs(row, self._loaded[row.key])]
        gone = [row for key, row in self._loaded.items() if key not in rows]
        await asyncio.to_thread(self._write, changed, gone)
        return tuple(sorted(map(name_of, (*changed, *gone))))

    def _write(self, changed: Sequence[RecordingRow], gone: Sequence[RecordingRow]) -> None:
        for row in gone:
            (self._folder / name_of(row)).unlink(missing_ok=True)
        write_rows(self._folder, changed)


def write_rows(folder: Path, rows: Sequence[RecordingRow]) -> None:
    """Write recordings into a folder, one file each."""
    for row in rows:
        write_named(folder / name_of(row), HEAD + to_yaml(file_of(row)))


def read_folder(folder: Path) -> list[RecordingRow]:
    """Return the recordings in a folder; none if there is no such folder.

    Raises:
        InvalidRequest: a file cannot be used.
    """
    return [row_of(read_named(path), str(path)) for path in sorted(folder.glob("*.yaml"))]


def _differs(row: RecordingRow, loaded: RecordingRow) -> bool:
    return (row.step, row.plan, row.proposal) != (loaded.step, loaded.plan, loaded.proposal)
