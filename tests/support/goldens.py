"""Golden files: what this and earlier versions have put on the wire, as it was written then. See `tests/golden/README.md`."""

import inspect
import json
import types
from collections.abc import Iterator
from enum import StrEnum
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any, Literal, NamedTuple, Union, cast, get_args, get_origin, get_type_hints

import msgspec

import muster_protocol
from muster_protocol import (
    codec,
    control,
    dead_letter_requests,
    events,
    graphs,
    journal,
    requests,
    session_requests,
    session_responses,
    submit_replies,
)
from muster_protocol import kinds as kinds_of_tasks

FOLDER = Path(__file__).parents[1] / "golden"
MODULES = tuple(import_module(f"{muster_protocol.__name__}.{it.name}") for it in iter_modules(muster_protocol.__path__))
"""Where the types on the wire are: every module of the protocol."""
UNIONS: dict[str, Any] = {
    "Job": requests.Job,
    "SubmitReply": submit_replies.SubmitReply,
    "SettleReply": dead_letter_requests.SettleReply,
    "Control": control.Control,
    "Event": events.Event,
    "JournalEntry": journal.JournalEntry,
    "MapEdit": graphs.MapEdit,
    "Waits": journal.Question | journal.Children,
    "Input": kinds_of_tasks.Input,
    "Output": kinds_of_tasks.Output,
    "SessionRequest": session_requests.SessionRequest,
    "SessionReply": session_responses.SessionReply,
    "SessionEvent": session_responses.SessionEvent,
}
Kind = type[msgspec.Struct]


class Message(msgspec.Struct):
    """A type's golden file: JSON with nothing but what must be there, and with every field set to something."""

    minimal: msgspec.Raw
    full: msgspec.Raw


def kinds() -> dict[str, Kind]:
    """Return every type on the wire by name; private ones are what some of these have in common."""
    return {
        kind.__name__: kind
        for module in MODULES
        for _, kind in inspect.getmembers(module, inspect.isclass)
        if issubclass(kind, msgspec.Struct) and kind.__module__ == module.__name__ and not kind.__name__.startswith("_")
    }


def is_strict(kind: Kind) -> bool:
    """Return whether a type refuses unknown fields: people write it, and a misspelt one must not count as left out."""
    return kind.__struct_config__.forbid_unknown_fields


def holds_itself(shape: msgspec.inspect.Type) -> bool:
    """Return whether a type has a list of its own kind, which a sample could fill for ever."""
    if not isinstance(shape, msgspec.inspect.StructType):
        return False
    lists = [field.type for field in shape.fields if isinstance(field.type, msgspec.inspect.VarTupleType)]
    return any(isinstance(it.item_type, msgspec.inspect.StructType) and it.item_type.cls is shape.cls for it in lists)


def unions_of(kind: Kind) -> list[Any]:
    """Return the closed unions that a type is a member of."""
    return [union for union in UNIONS.values() if kind in get_args(union)]


def versions() -> list[int]:
    """Return the versions of the wire format that there are golden files of."""
    return sorted(int(folder.name[1:]) for folder in FOLDER.glob("v*"))


def of_version(version: int = codec.VERSION) -> Path:
    """Return the folder of a version's golden files."""
    return FOLDER / f"v{version}"


def messages(version: int = codec.VERSION) -> dict[str, Message]:
    """Return what is recorded of each type."""
    found = sorted((of_version(version) / "messages").glob("*.json"))
    return {path.stem: msgspec.json.decode(path.read_bytes(), type=Message) for path in found}


def words() -> dict[str, list[str]]:
    """Return the words that each field of a closed vocabulary may hold, as `Type.field`."""
    found: dict[str, list[str]] = {}
    for kind in kinds().values():
        for field, hint in get_type_hints(kind).items():
            told = sorted(set(_words_in(hint)))
            if told:
                found[f"{kind.__name__}.{field}"] = told
    return found


def _words_in(hint: Any) -> Iterator[str]:
    if get_origin(hint) is Literal:
        yield from cast("tuple[str, ...]", get_args(hint))
    elif inspect.isclass(hint) and issubclass(hint, StrEnum):
        yield from (str(member) for member in hint)
    elif get_origin(hint) in (types.UnionType, Union):
        for one in get_args(hint):
            yield from _words_in(one)


def recorded_words(version: int = codec.VERSION) -> dict[str, list[str]]:
    """Return the words that fields held in a version."""
    return cast("dict[str, list[str]]", json.loads((of_version(version) / "words.json").read_text()))


class Kept(NamedTuple):
    """A real run as it was stored: its log, the journals of its sub-tasks, and what the machine made of it then."""

    name: str
    version: int
    log: list[bytes]
    journals: dict[str, list[bytes]]
    """Stored messages by sub-task."""
    replay: bytes

    @property
    def entries(self) -> list[events.Entry]:
        """The log, decoded."""
        return [codec.decode(line, events.Entry) for line in self.log]

    def journal(self, task: str) -> list[journal.JournalEntry]:
        """Return a sub-task's journal, decoded."""
        return [entry for line in self.journals[task] for entry in codec.decode(line, journal.JournalBatch).entries]


class Written(msgspec.Struct):
    """One line of a file of journals."""

    task: str
    batch: msgspec.Raw


def runs() -> dict[str, Kept]:
    """Return all runs kept, of all versions, by version and name."""
    folders = [folder for version in versions() for folder in sorted((of_version(version) / "runs").glob("*"))]
    return {f"{folder.parents[1].name} {folder.name}": _kept(folder) for folder in folders}


def _kept(folder: Path) -> Kept:
    journals: dict[str, list[bytes]] = {}
    for line in (folder / "journals.jsonl").read_bytes().splitlines():
        written = msgspec.json.decode(line, type=Written)
        journals.setdefault(written.task, []).append(bytes(written.batch))
    log = (folder / "log.jsonl").read_bytes().splitlines()
    replay = folder / "replay.json"
    version = int(folder.parents[1].name[1:])
    return Kept(folder.name, version, log, journals, replay.read_bytes() if replay.exists() else b"")


def aged(value: Any) -> Any:
    """Return a value as a later version would write it: one more field wherever there can be one."""
    match value:
        case msgspec.Struct():
            kind = type(value)
            more = {} if is_strict(kind) else {"added_later": {"by": ["somebody"]}}
            tag = {"type": kind.__struct_config__.tag} if kind.__struct_config__.tag else {}
            return {**tag, **{name: aged(getattr(value, name)) for name in kind.__struct_fields__}, **more}
        case tuple() | list():
            return [aged(item) for item in cast("list[Any]", value)]
        case dict():
            return {name: aged(item) for name, item in cast("dict[str, Any]", value).items()}
        case _:
            return value
