"""What a session leaves behind: of its records what is to be kept, masked, within limits, stored and told of.

It works on files alone, after the browser is gone: nobody waits for it, and it does not matter how the session ended.
"""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import NamedTuple

import structlog

from muster_bus.artifact_store import clean_name, download_name
from muster_protocol.logs import Level
from muster_protocol.tool_calls import ArtifactRef
from muster_sessionhost.console_log import masked
from muster_sessionhost.har import write_har
from muster_sessionhost.outbox import FAULTS, Store
from muster_sessionhost.recorder import MB, Kind, Recorder
from muster_sessionhost.trace_redaction import lines_of, write_trace
from muster_text.file_redaction import redacted
from muster_text.redaction import Redactor

log = structlog.get_logger("muster.sessions")

Tell = Callable[[str, tuple[str, ...], Level], Awaitable[None]]
"""Write a line into the run's log: its text, the artefacts it is about, its level."""


class Prepared(NamedTuple):
    """A file that may be stored: every secret in it is masked."""

    name: str
    path: Path
    content_type: str


class Ready(NamedTuple):
    """What can be stored, and what is left out, in words."""

    files: tuple[Prepared, ...]
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


async def leave(
    recorder: Recorder, names: Names, redactor: Redactor, store: Store, tell: Tell, *, passed: bool
) -> tuple[ArtifactRef, ...]:
    """Store what is to be kept of a session, tell of it in the run's log, and return what was stored."""
    kinds = recorder.to_keep(passed=passed)
    if not kinds:
        return ()
    ready = await asyncio.to_thread(prepare, recorder, names, redactor, kinds)
    stored, failed = list[ArtifactRef](), list[str]()
    for file in ready.files:
        try:
            data = await asyncio.to_thread(file.path.read_bytes)
            stored.append(await store(file.name, data, file.content_type))
        except FAULTS as error:
            log.warning("a recording was not stored", name=file.name, error=str(error) or type(error).__name__)
            failed.append(f"{short(file.name)} (it could not be stored)")
    if line := told(names.session, stored, (*ready.left_out, *failed)):
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


def prepare(recorder: Recorder, names: Names, redactor: Redactor, kinds: frozenset[Kind]) -> Ready:
    """Write masked files beside the records, and say what is left out; a kind that fails costs only itself."""
    target = recorder.folder / "masked"
    target.mkdir(exist_ok=True)
    room, files, left_out = recorder.limits.session, list[Prepared](), list[str]()
    for kind, make in MAKERS:
        if kind not in kinds:
            continue
        limit = min(room, recorder.limits.artifact)
        try:
            made = make(recorder, names, redactor, target, limit)
        except Exception as error:  # what pages made may be anything; the error may quote it
            log.warning("a recording cannot be kept", kind=kind, run=names.run, error=type(error).__name__)
            left_out.append(f"{kind} (it could not be read)")
            continue
        left_out += made.left_out
        for file in made.files:
            size = file.path.stat().st_size
            if size > min(room, recorder.limits.artifact):
                left_out.append(f"{short(file.name)} ({_size(size)}: too large)")
                continue
            room -= size
            files.append(file)
    return Ready(tuple(files), tuple(left_out))


def _console(recorder: Recorder, names: Names, redactor: Redactor, target: Path, limit: int) -> Ready:
    source, path = recorder.folder / "console.jsonl", target / "console.jsonl"
    if not source.is_file() or not source.stat().st_size:
        return Ready((), ())
    with path.open("wb") as out:
        for line in lines_of(source):
            out.write(masked(line, redactor) + b"\n")
    return Ready((Prepared(names.of("console.jsonl"), path, "application/x-ndjson"),), ())


def _trace(recorder: Recorder, names: Names, redactor: Redactor, target: Path, limit: int) -> Ready:
    path = target / "trace.zip"
    found = write_trace(recorder.traces, path, redactor, limit)
    return _recorded(recorder, found, Prepared(names.of("trace.zip"), path, "application/zip"))


def _har(recorder: Recorder, names: Names, redactor: Redactor, target: Path, limit: int) -> Ready:
    path = target / "network.har"
    found = write_har(recorder.traces, path, redactor, limit)
    return _recorded(recorder, found, Prepared(names.of("network.har"), path, "application/json"))


def _recorded(recorder: Recorder, left_out: str | None, file: Prepared) -> Ready:
    if left_out is None:
        return Ready((), ())
    why = [f"of {short(file.name)}: {left_out}"] if left_out else []
    why += [f"{short(file.name)} was {recorder.cut}"] if recorder.cut else []
    return Ready((file,), tuple(why))


def _downloads(recorder: Recorder, names: Names, redactor: Redactor, target: Path, limit: int) -> Ready:
    if recorder.downloads is None:
        return Ready((), ())
    refused = [(clean_name(redactor.mask(it.name)), it.why) for it in recorder.downloads.refused]
    files, left_out = dict[str, Prepared](), [f"download {name} ({why})" for name, why in refused]
    for number, (name, path) in enumerate(recorder.downloads.kept):
        shown = redactor.mask(name)
        content = redacted("", path.read_bytes(), redactor)
        if content is None:
            left_out.append(f"download {clean_name(shown)} (it holds a secret)")
            continue
        clean = target / f"download-{number}"
        clean.write_bytes(content)
        stored = download_name(names.run, shown, content)
        files[stored] = Prepared(stored, clean, "application/octet-stream")
    return Ready(tuple(files.values()), tuple(left_out))


MAKERS: tuple[tuple[Kind, Callable[[Recorder, Names, Redactor, Path, int], Ready]], ...] = (
    ("console", _console),
    ("trace", _trace),
    ("har", _har),
    ("downloads", _downloads),
)
"""In the order in which they take the room there is."""
