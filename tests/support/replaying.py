"""What the machine makes of a recorded log: its state and what it wants, after every entry."""

import hashlib
from collections.abc import Sequence
from typing import Any, cast

import msgspec

from muster_orchestrator.machine import Run, decide, fold, settle
from muster_protocol import codec
from muster_protocol.events import Entry, Event


class Moment(msgspec.Struct, frozen=True):
    """A run after one entry of its log."""

    state: str
    """Digest of all that is known of the run."""
    wants: tuple[str, ...]
    """What it wants done, each with a digest of all that is in it."""


class Replay(msgspec.Struct, frozen=True):
    """What comes of a log."""

    verdict: str
    nodes: dict[str, str]
    """How each node ended."""
    follows: bool
    """Whether the machine, told what happened, writes the same log again."""
    moments: tuple[Moment, ...]


def replay(entries: Sequence[Entry]) -> Replay:
    """Return what today's machine makes of a log."""
    run, moments = Run(), list[Moment]()
    for entry in entries:
        run = fold(run, [entry])
        wants = tuple(f"{type(it).__name__} {getattr(it, 'id', '')} {digest(it)}" for it in decide(run))
        moments.append(Moment(digest(run), wants))
    verdict = run.verdict
    told = f"{verdict.status} {verdict.cause or ''}: {verdict.summary}" if verdict else ""
    nodes = {id: node.status for id in run.graph for node in (run.graph[id],)}
    return Replay(told, nodes, follows(entries), tuple(moments))


def digest(value: Any) -> str:
    """Return a digest of a value that does not change when a field is added that keeps its default."""
    return hashlib.sha256(codec.encode(lean(value))).hexdigest()[:12]


def lean(value: Any) -> Any:
    """Return a value as plain data, fields with their defaults left out, fields in order of their names."""
    match value:
        case msgspec.Struct():
            told = {
                field.name: getattr(value, field.name)
                for field in sorted(msgspec.structs.fields(value), key=lambda it: it.name)
                if getattr(value, field.name) != _default(field)
            }
            return {"is": type(value).__name__, **{name: lean(it) for name, it in told.items()}}
        case tuple() | list():
            return [lean(it) for it in cast("list[Any]", value)]
        case dict():
            return {name: lean(it) for name, it in cast("dict[str, Any]", value).items()}
        case _:
            return value


def _default(field: msgspec.structs.FieldInfo) -> Any:
    factory = field.default_factory
    return factory() if factory is not msgspec.NODEFAULT else field.default


def follows(entries: Sequence[Entry]) -> bool:
    """Return whether today's machine, told what happened, writes each entry just as it was written."""
    run = Run()
    for entry in entries:
        if not _written(run, entry, entry.events):
            return False
        run = fold(run, [entry])
    return True


def _written(run: Run, entry: Entry, events: Sequence[Event]) -> bool:
    """Return whether the events are some that happened with all that follows from them, perhaps several times over."""
    for count in range(1, len(events) + 1):
        after, made, *_ = settle(run, tuple(events[:count]), entry.at, entry.epoch)
        rest = events[len(made.events) :]
        if made.events == tuple(events[: len(made.events)]) and (not rest or _written(after, entry, rest)):
            return True
    return False
