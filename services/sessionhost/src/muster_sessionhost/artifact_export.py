"""The export of a session's recordings: masks them, keeps them within limits, stores and logs them.

It reads files only, after the device has ended, so it works however the session ended.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple

import structlog

from muster_bus.artifact_store import download_name
from muster_devices.device_host import LeftFile, Recording, Spec
from muster_protocol.logs import Level
from muster_protocol.tool_calls import ArtifactRef
from muster_sessionhost.outbox import FAULTS, Store
from muster_text.redaction import Redactor

log = structlog.get_logger("muster.sessions")

MB = 1_000_000

WriteLogLine = Callable[[str, tuple[str, ...], Level], Awaitable[None]]
"""Writes a line into the run's log: text, names of the artifacts it is about, level."""


class Prepared(NamedTuple):
    """Files to store, each with the name of its artifact, and a description of each file that is left out."""

    files: tuple[tuple[str, LeftFile], ...]
    left_out: tuple[str, ...]


class Names(NamedTuple):
    """The names of a session's artifacts."""

    run: str
    session: str
    generation: int

    def of(self, ending: str) -> str:
        """Return the name of one artifact. A reopened session does not overwrite artifacts of the lost one."""
        again = f"-{self.generation}" if self.generation else ""
        return f"{self.run}/session/{self.session}{again}-{ending}"


class Masking(NamedTuple):
    """How a session's files are masked: folder and limits (`spec`), names, and the secrets."""

    spec: Spec
    names: Names
    redactor: Redactor


async def export(
    masking: Masking, recordings: Sequence[Recording], store: Store, write_log_line: WriteLogLine
) -> tuple[ArtifactRef, ...]:
    """Store what a device recorded, write a line about it into the run's log, and return the stored artifacts."""
    if not recordings:
        return ()
    ready = await asyncio.to_thread(prepare, masking, recordings)
    stored, failed = list[ArtifactRef](), list[str]()
    for name, file in ready.files:
        try:
            data = await asyncio.to_thread(file.path.read_bytes)
            stored.append(await store(name, data, file.content_type))
        except FAULTS as error:
            log.warning("recording not stored", name=name, error=str(error) or type(error).__name__)
            failed.append(f"{_base_name(name)} (it could not be stored)")
    if line := format_log_line(masking.names.session, stored, (*ready.left_out, *failed)):
        await write_log_line(line, tuple(ref.name for ref in stored), "warning" if failed or ready.left_out else "info")
    return tuple(stored)


def format_log_line(session: str, stored: list[ArtifactRef], left_out: tuple[str, ...]) -> str:
    """Return the line for the run's log, or "" if nothing was stored or left out. Pure."""
    kept = ", ".join(f"{_base_name(ref.name)} ({_size(ref.size)})" for ref in stored)
    parts = [f"kept {kept}" if kept else "", f"left out {'; '.join(left_out)}" if left_out else ""]
    text = "; ".join(filter(None, parts))
    return f"[Session] {session}: {text}" if text else ""


def _base_name(name: str) -> str:
    """Return an artifact's name without the run's id and the folder."""
    return name.rpartition("/")[2]


def _size(size: int) -> str:
    return f"{size / MB:.1f} MB" if size >= MB / 10 else f"{size / 1000:.1f} kB"


def prepare(masking: Masking, recordings: Sequence[Recording]) -> Prepared:
    """Write masked copies of the recordings, and describe what is left out; one failure does not affect the others."""
    spec, names, redactor = masking
    target, limits = spec.folder / "masked", spec.limits
    target.mkdir(exist_ok=True)
    room, files, left_out = limits.session, dict[str, LeftFile](), list[str]()
    for recording in recordings:
        try:
            made = recording.write(redactor, target, min(room, limits.artifact))
        except Exception as error:  # pages can produce any content, and the message may quote it: log the type only
            log.warning("recording not masked", kind=recording.kind, run=names.run, error=type(error).__name__)
            left_out.append(f"{recording.kind} (it could not be read)")
            continue
        left_out += made.left_out
        for name, file in ((_stored_as(names, file), file) for file in made.files):
            size = file.path.stat().st_size
            if size > min(room, limits.artifact):
                left_out.append(f"{_base_name(name)} ({_size(size)}: too large)")
            elif name not in files:
                room -= size
                files[name] = file
    return Prepared(tuple(files.items()), tuple(left_out))


def _stored_as(names: Names, file: LeftFile) -> str:
    return download_name(names.run, file.name, file.path.read_bytes()) if file.download else names.of(file.name)
