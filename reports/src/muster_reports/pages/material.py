"""What a run's page is made of: the run's log, the journals of its sub-tasks, its stored files and its log lines."""

import mimetypes
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import NamedTuple, TypeVar

import msgspec
from msgspec import Struct

from muster_bus import Bus, replay
from muster_protocol import events
from muster_protocol.codec import decode
from muster_protocol.events import Entry
from muster_protocol.journal import CallFinished, JournalBatch, JournalEntry
from muster_protocol.logs import LogRecord
from muster_protocol.tool_calls import ArtifactRef
from muster_reports.outcome import CaseOutcome
from muster_reports.texts import plain, slug

T = TypeVar("T", Entry, JournalBatch, LogRecord)

ACTIVE = frozenset(("htm", "html", "xhtml", "xht", "shtml", "mht", "mhtml", "svg", "xml", "xsl", "xslt", "js", "mjs"))
"""Endings of files that a browser would run when they are opened."""
TEXTUAL = frozenset(("har", "jsonl", "log", "md", "toml", "yaml", "yml"))
"""Endings that are harmless, too, though they stand for no content type."""


class StoredFile(NamedTuple):
    """An artefact: its name in the object store, where it is below the run's folder, its bytes, and what it is."""

    name: str
    path: str
    size: int
    content_type: str = ""

    @property
    def picture(self) -> bool:
        """Whether a page can show it."""
        return self.content_type.startswith("image/") and "svg" not in self.content_type


class Material(Struct, frozen=True, kw_only=True):
    """All that is known of a run; `journals` by sub-task id, `unreadable` counts messages of a newer version."""

    outcome: CaseOutcome
    entries: tuple[Entry, ...] = ()
    journals: Mapping[str, tuple[JournalEntry, ...]] = {}
    lines: tuple[str, ...] = ()
    files: tuple[StoredFile, ...] = ()
    unreadable: int = 0


async def read_material(bus: Bus, outcome: CaseOutcome) -> Material:
    """Return what the bus has about a run, without its files. What this version cannot read is counted.

    Raises:
        BusError, NatsError, TimeoutError: it cannot be read now.
    """
    run, names = outcome.run, bus.names
    log, log_lost = await _readable(bus, "RUNS", names.events(run), Entry)
    batches, batches_lost = await _readable(bus, "JOURNAL", names.journal(f"{run}.*.*"), JournalBatch)
    lines, _ = await _readable(bus, "LOGS", names.log(run, "*"), LogRecord)
    journals: dict[str, tuple[JournalEntry, ...]] = {}
    prefix = names.journal("")
    for subject, batch in batches:
        task = subject.removeprefix(prefix)
        journals[task] = journals.get(task, ()) + batch.entries
    return Material(
        outcome=outcome,
        entries=tuple(entry for _, entry in log),
        journals=journals,
        lines=tuple(plain(record.text) for _, record in lines),
        unreadable=log_lost + batches_lost,
    )


async def _readable(bus: Bus, stream: str, subject: str, kind: type[T]) -> tuple[list[tuple[str, T]], int]:
    """Return what is stored, each with its subject, and how much of it this version cannot read."""
    found: list[tuple[str, T]] = []
    unreadable = 0
    async for message in replay(bus, stream, subject):
        try:
            found.append((message.subject, decode(message.data, kind)))
        except msgspec.DecodeError:
            unreadable += 1
    return found, unreadable


def artifact_paths(names: Iterable[str], run: str) -> dict[str, str]:
    """Return where each artefact goes below the run's folder, all of them different, none outside. Pure."""
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
    """Return where an artefact `<run>/<part>/<file>` goes below the run's folder; it cannot leave that folder.

    What a browser would run, or guess at, gets the ending `.txt`: it comes from tested pages, and is linked.
    """
    parts = [part for part in PurePosixPath(name).parts if part not in ("/", "..", ".", run)]
    path = PurePosixPath("artifacts", *(slug(part, 120) for part in parts or ["unnamed"]))
    ending = path.suffix[1:].lower()
    harmless = ending in TEXTUAL or (ending not in ACTIVE and mimetypes.guess_type(path.name)[0])
    return path if harmless else path.with_name(f"{path.name}.txt")


def _clashes(path: str, taken: set[str]) -> bool:
    """Return whether there is a file or folder of that path, or a file where it needs a folder; case does not count."""
    folded = path.casefold()
    above = [str(parent) for parent in PurePosixPath(folded).parents]
    return folded in taken or f"{folded}/" in taken or any(parent in taken for parent in above)


def content_types(material: Material) -> dict[str, str]:
    """Return the content type of each artefact that log or journals refer to, by name. Pure."""
    return {ref.name: ref.content_type for ref in references(material)}


def content_type(name: str, known: Mapping[str, str]) -> str:
    """Return what an artefact is: as it is referred to, else by its ending."""
    return known.get(name) or mimetypes.guess_type(name)[0] or ""


def references(material: Material) -> Iterator[ArtifactRef]:
    """Yield the references to artefacts in log and journals. Pure."""
    yield from references_of_sub_tasks(material)
    for entry in material.entries:
        for event in entry.events:
            if isinstance(event, events.RunClosed):
                yield from event.artifacts


def references_of_sub_tasks(material: Material) -> Iterator[ArtifactRef]:
    """Yield the references that sub-tasks hold: in results and in the outcomes of calls. Pure."""
    for entry in material.entries:
        for event in entry.events:
            if isinstance(event, events.SubTaskEnded):
                yield from event.outcome.artifacts
    for journal in material.journals.values():
        for item in journal:
            if isinstance(item, CallFinished):
                yield from item.outcome.artifacts
