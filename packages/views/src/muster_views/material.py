"""Reads everything a run's page shows: log, journals, stored files and log lines."""

import mimetypes
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from pathlib import PurePosixPath
from typing import NamedTuple, TypeVar

import msgspec
from msgspec import Struct

from muster_bus import Bus, replay
from muster_client.run_notes import read_notes
from muster_protocol.codec import decode
from muster_protocol.events import Entry
from muster_protocol.journal import CallFinished, JournalBatch
from muster_protocol.logs import LogRecord
from muster_protocol.notes import Note
from muster_protocol.tool_calls import ArtifactRef
from muster_views.history import History, events_in, fold_events
from muster_views.journal_moments import Possession, TimedEntry, sum_takeovers
from muster_views.messages import Message, list_messages
from muster_views.outcome import CaseOutcome
from muster_views.texts import strip_controls, to_slug

T = TypeVar("T", Entry, JournalBatch, LogRecord)

ACTIVE = frozenset(("htm", "html", "xhtml", "xht", "shtml", "mht", "mhtml", "svg", "xml", "xsl", "xslt", "js", "mjs"))
"""Extensions of files that a browser executes when it opens them."""
TEXTUAL = frozenset(("har", "jsonl", "log", "md", "toml", "yaml", "yml"))
"""Harmless extensions without a known content type."""


class StoredFile(NamedTuple):
    """An artifact: name in the object store, path below the run's folder, size in bytes, content type."""

    name: str
    path: str
    size: int
    content_type: str = ""

    @property
    def picture(self) -> bool:
        """Whether a page can show it as an image."""
        return self.content_type.startswith("image/") and "svg" not in self.content_type


class Material(Struct, frozen=True, kw_only=True):
    """Everything stored about a run; `journals` by sub-task id, `unreadable` counts messages of newer versions."""

    outcome: CaseOutcome
    history: History = msgspec.field(default_factory=History)
    journals: Mapping[str, tuple[TimedEntry, ...]] = {}
    lines: tuple[str, ...] = ()
    files: tuple[StoredFile, ...] = ()
    unreadable: int = 0
    notes: tuple[Note, ...] = ()
    """What was found out about it after its end."""
    messages: tuple[Message, ...] = ()
    """Who asked whom for what, oldest first."""


async def read_material(bus: Bus, outcome: CaseOutcome) -> Material:
    """Return what the bus stores about a run, without its files; count messages this version cannot read.

    Raises:
        BusError, NatsError, TimeoutError: it cannot be read now.
    """
    run, names = outcome.run, bus.names
    log, log_lost = await _read_decodable(bus, "RUNS", names.events(run), Entry)
    journals, journals_lost = await _read_journals(bus, run)
    happened = tuple(events_in(entry for _, entry in log))
    return Material(
        outcome=outcome,
        history=fold_events(happened, run),
        messages=list_messages(happened),
        journals=journals,
        lines=await read_lines(bus, run),
        unreadable=log_lost + journals_lost,
        notes=await read_notes(bus, run),
    )


async def read_lines(bus: Bus, run: str) -> tuple[str, ...]:
    """Return the log lines of a run in stored order.

    Raises:
        BusError, NatsError, TimeoutError: they cannot be read now.
    """
    lines, _ = await _read_decodable(bus, "LOGS", bus.names.log(run, "*"), LogRecord)
    return tuple(strip_controls(record.text) for _, record in lines)


async def read_journals(bus: Bus, run: str) -> dict[str, tuple[TimedEntry, ...]]:
    """Return the journals of a run by sub-task id; skip messages this version cannot read.

    Raises:
        BusError, NatsError, TimeoutError: they cannot be read now.
    """
    return (await _read_journals(bus, run))[0]


def count_takeovers(journals: Mapping[str, Sequence[TimedEntry]]) -> dict[str, int]:
    """Return the number of takeovers from lost workers by node. Pure."""
    entries = {task: [entry for _, entry in journal] for task, journal in journals.items()}
    return sum_takeovers({task: reduce(Possession.apply, some, Possession()) for task, some in entries.items()})


async def _read_journals(bus: Bus, run: str) -> tuple[dict[str, tuple[TimedEntry, ...]], int]:
    batches, lost = await _read_decodable(bus, "JOURNAL", bus.names.journal(f"{run}.*.*"), JournalBatch)
    found: dict[str, tuple[TimedEntry, ...]] = {}
    prefix = bus.names.journal("")
    for subject, batch in batches:
        task = subject.removeprefix(prefix)
        found[task] = found.get(task, ()) + tuple(TimedEntry(0.0, entry) for entry in batch.entries)
    return found, lost


async def _read_decodable(bus: Bus, stream: str, subject: str, kind: type[T]) -> tuple[list[tuple[str, T]], int]:
    """Return (subject, message) pairs and the number of messages this version cannot read."""
    found: list[tuple[str, T]] = []
    unreadable = 0
    async for message in replay(bus, stream, subject):
        try:
            found.append((message.subject, decode(message.data, kind)))
        except msgspec.DecodeError:
            unreadable += 1
    return found, unreadable


def artifact_paths(names: Iterable[str], run: str) -> dict[str, str]:
    """Return unique paths below the run's folder, by artifact name. Pure."""
    taken: set[str] = set()
    paths: dict[str, str] = {}
    for name in sorted(names):
        first = path = artifact_path(name, run)
        number = 2
        while _clashes(str(path), taken):
            path = PurePosixPath(first.parts[0], str(number), *first.parts[1:])
            number += 1
        taken |= {str(path).casefold(), *(f"{parent}/".casefold() for parent in path.parents)}
        paths[name] = str(path)
    return paths


def artifact_path(name: str, run: str) -> PurePosixPath:
    """Return a safe path below the run's folder for an artifact `<run>/<part>/<file>`.

    Files come from tested pages and are linked: those a browser would execute, or guess the type of, end in `.txt`.
    """
    parts = [part for part in PurePosixPath(name).parts if part not in ("/", "..", ".", run)]
    path = PurePosixPath("artifacts", *(to_slug(part, 120) for part in parts or ["unnamed"]))
    ending = path.suffix[1:].lower()
    harmless = ending in TEXTUAL or (ending not in ACTIVE and mimetypes.guess_type(path.name)[0])
    return path if harmless else path.with_name(f"{path.name}.txt")


def _clashes(path: str, taken: set[str]) -> bool:
    """Return whether a path collides with a file or folder, or needs a folder where a file is; ignores case."""
    folded = path.casefold()
    above = [str(parent) for parent in PurePosixPath(folded).parents]
    return folded in taken or f"{folded}/" in taken or any(parent in taken for parent in above)


def content_types(material: Material) -> dict[str, str]:
    """Return content types of the artifacts in log and journals, by name. Pure."""
    return {ref.name: ref.content_type for ref in _list_references(material)}


def content_type(name: str, known: Mapping[str, str]) -> str:
    """Return an artifact's content type: as recorded, else guessed from its extension."""
    return known.get(name) or mimetypes.guess_type(name)[0] or ""


def _list_references(material: Material) -> Iterator[ArtifactRef]:
    """Yield the references to artifacts in log and journals. Pure."""
    yield from list_sub_task_references(material)
    yield from material.history.artifacts


def list_sub_task_references(material: Material) -> Iterator[ArtifactRef]:
    """Yield the references to artifacts in results and call outcomes. Pure."""
    for node in material.history.nodes.values():
        for attempt in node.attempts:
            if attempt.claimed:
                replay = attempt.claimed.step.replay
                yield from (*attempt.claimed.artifacts, *(replay.pictures if replay else ()))
    for journal in material.journals.values():
        for _, entry in journal:
            if isinstance(entry, CallFinished):
                yield from entry.outcome.artifacts
