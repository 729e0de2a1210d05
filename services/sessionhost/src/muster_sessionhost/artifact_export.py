"""What a session leaves behind: of its records what is to be kept, masked, within limits, stored and told of.

It works on files alone, after the browser is gone: nobody waits for it, and it does not matter how the session ended.
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

Tell = Callable[[str, tuple[str, ...], Level], Awaitable[None]]
"""Write a line into the run's log: its text, the artefacts it is about, its level."""


class Prepared(NamedTuple):
    """Files that can be stored, each with the name of its artefact, and what is left out, in words."""

    files: tuple[tuple[str, LeftFile], ...]
    left_out: tuple[str, ...]


class Names(NamedTuple):
    """What the artefacts of a session are called."""

    run: str
    session: str
    generation: int

    def of(self, ending: str) -> str:
        """Return the name of one artefact; a session that was opened anew does not replace what the first one left."""
        again = f"-{self.generation}" if self.generation else ""
        return f"{self.run}/session/{self.session}{again}-{ending}"


class Masking(NamedTuple):
    """Where the masked files of a session are written, within which limits, and what they are called."""

    spec: Spec
    names: Names
    redactor: Redactor


async def leave(masking: Masking, recordings: Sequence[Recording], store: Store, tell: Tell) -> tuple[ArtifactRef, ...]:
    """Store what a device recorded, tell of it in the run's log, and return what was stored."""
    if not recordings:
        return ()
    ready = await asyncio.to_thread(prepare, masking, recordings)
    stored, failed = list[ArtifactRef](), list[str]()
    for name, file in ready.files:
        try:
            data = await asyncio.to_thread(file.path.read_bytes)
            stored.append(await store(name, data, file.content_type))
        except FAULTS as error:
            log.warning("a recording was not stored", name=name, error=str(error) or type(error).__name__)
            failed.append(f"{short(name)} (it could not be stored)")
    if line := told(masking.names.session, stored, (*ready.left_out, *failed)):
        await tell(line, tuple(ref.name for ref in stored), "warning" if failed or ready.left_out else "info")
    return tuple(stored)


def told(session: str, stored: list[ArtifactRef], left_out: tuple[str, ...]) -> str:
    """Return the line a run's log gets, or "" if there is nothing to tell. Pure."""
    kept = ", ".join(f"{short(ref.name)} ({_size(ref.size)})" for ref in stored)
    parts = [f"kept {kept}" if kept else "", f"left out {'; '.join(left_out)}" if left_out else ""]
    text = "; ".join(filter(None, parts))
    return f"[Session] {session}: {text}" if text else ""


def short(name: str) -> str:
    """Return an artefact's own name, without run and part."""
    return name.rpartition("/")[2]


def _size(size: int) -> str:
    return f"{size / MB:.1f} MB" if size >= MB / 10 else f"{size / 1000:.1f} kB"


def prepare(masking: Masking, recordings: Sequence[Recording]) -> Prepared:
    """Write masked files beside the records, and say what is left out; a kind that fails costs only itself."""
    spec, names, redactor = masking
    target, limits = spec.folder / "masked", spec.limits
    target.mkdir(exist_ok=True)
    room, files, left_out = limits.session, dict[str, LeftFile](), list[str]()
    for recording in recordings:
        try:
            made = recording.write(redactor, target, min(room, limits.artifact))
        except Exception as error:  # what pages made may be anything; the error may quote it
            log.warning("a recording cannot be kept", kind=recording.kind, run=names.run, error=type(error).__name__)
            left_out.append(f"{recording.kind} (it could not be read)")
            continue
        left_out += made.left_out
        for name, file in ((_stored_as(names, file), file) for file in made.files):
            size = file.path.stat().st_size
            if size > min(room, limits.artifact):
                left_out.append(f"{short(name)} ({_size(size)}: too large)")
            elif name not in files:
                room -= size
                files[name] = file
    return Prepared(tuple(files.items()), tuple(left_out))


def _stored_as(names: Names, file: LeftFile) -> str:
    return download_name(names.run, file.name, file.path.read_bytes()) if file.download else names.of(file.name)
