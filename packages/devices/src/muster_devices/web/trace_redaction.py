"""Removes secrets from recordings: Playwright's trace files, and single files."""

import json
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from secrets import token_hex
from typing import Any, cast

from muster_text.file_redaction import LINES, redact_file, redact_json
from muster_text.redaction import Redactor

ENTRY_BYTES = 300
"""What one entry of a zip costs beside its content, at most about."""
SCREENCAST = "screencast"
PICTURES = (".jpeg", ".jpg", ".png", ".webp")


def network_file(traces: Path) -> Path | None:
    """Return the file in which Playwright notes the requests of a trace, if there is one."""
    return next(iter(sorted(traces.glob("*.network"))), None)


def lines_of(path: Path) -> Iterator[bytes]:
    """Yield the lines of a file of JSON lines; one cut off by the end of its writer is left out."""
    with path.open("rb") as file:
        for line in file:
            if line.endswith(b"\n"):
                yield line[:-1]


def write_trace(traces: Path, target: Path, redactor: Redactor, limit: int) -> str | None:
    """Write the trace as a zip for Playwright's viewer, every form of every secret masked.

    Entries that cannot be masked are left out, and so are pictures of a page that may show a secret in clear. Where
    the limit (bytes) is reached, the oldest pictures are left out. Playwright names a body by its hash, from which a
    short secret in it could be guessed: bodies that held one get another name.

    Returns:
        What was left out for want of room, or None if nothing was recorded.
    """
    trace = next(iter(sorted(traces.glob("*.trace"))), None)
    if trace is None:
        return None
    unsafe = _unsafe_pictures(trace, redactor)
    files = [path for path in traces.rglob("*") if path.is_file() and path.suffix not in LINES]
    files.sort(key=lambda path: (path.suffix in PICTURES, -path.stat().st_mtime))
    bodies = [path for path in files if path.parent.name != SCREENCAST]
    others = {path.stem.encode(): token_hex(20).encode() for path in bodies if redactor.holds(path.read_bytes())}
    room, left_out = limit - ENTRY_BYTES * (len(files) + 2), 0
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for source, name in ((trace, "trace.trace"), (network_file(traces), "trace.network")):
            if source is not None:
                _write_lines(archive, name, source, redactor, others)
        for path in files:
            name = path.relative_to(traces).as_posix()
            if name not in unsafe:
                shown = _renamed(name.encode(), others).decode()
                left_out += not _add(archive, shown, path, redactor, room)
    return f"{left_out} pictures or resources" if left_out else ""


def _write_lines(
    archive: zipfile.ZipFile, name: str, source: Path, redactor: Redactor, others: Mapping[bytes, bytes]
) -> None:
    with archive.open(name, "w", force_zip64=True) as entry:
        for line in lines_of(source):
            entry.write(_renamed(redact_json(line, redactor), others) + b"\n")


def _renamed(text: bytes, others: Mapping[bytes, bytes]) -> bytes:
    for name, other in others.items():
        text = text.replace(name, other)
    return text


def _add(archive: zipfile.ZipFile, name: str, path: Path, redactor: Redactor, room: int) -> bool:
    """Add a file unless it does not fit or cannot be masked; return whether there was room."""
    own = path.parent.name == SCREENCAST  # Playwright's own pictures hold no text, and there are many of them
    content = path.read_bytes() if own else redact_file(name, path.read_bytes(), redactor)
    if content is None:
        return True
    if (archive.fp.tell() if archive.fp else 0) + len(content) > room:
        return False
    packed = zipfile.ZIP_STORED if path.suffix in PICTURES else zipfile.ZIP_DEFLATED
    archive.writestr(redactor.mask(name), content, packed)
    return True


def _unsafe_pictures(trace: Path, redactor: Redactor) -> set[str]:
    """Return the names of all pictures taken since a page first showed a secret outside a password field."""
    if not redactor or not any(redactor.holds(line) for line in lines_of(trace)):
        return set()
    moment = first_shown(_events(trace, b'"frame-'), redactor)
    return set() if moment is None else pictures_after(_events(trace, b'-frame"'), moment)


def _events(trace: Path, sign: bytes) -> Iterator[dict[str, Any]]:
    """Yield the events whose line holds a sign, one at a time: snapshots are large, and in memory ten times so."""
    return (json.loads(line) for line in lines_of(trace) if sign in line)


def first_shown(events: Iterable[dict[str, Any]], redactor: Redactor) -> float | None:
    """Return the trace time of the last snapshot before one that shows a secret; None: none does."""
    clean = 0.0
    for snapshot in (event["snapshot"] for event in events if event.get("type") == "frame-snapshot"):
        if _shows(snapshot.get("html"), redactor):
            return clean
        clean = snapshot.get("timestamp", clean)
    return None


def pictures_after(events: Iterable[dict[str, Any]], moment: float | None) -> set[str]:
    """Return the names of the screencast's pictures from that trace time on."""
    if moment is None:
        return set()
    frames = (event for event in events if event.get("type") == "screencast-frame" and event["timestamp"] >= moment)
    return {event.get("file") or f"resources/{event['sha1']}" for event in frames}


def _shows(node: Any, redactor: Redactor) -> bool:  # noqa: ANN401 - a snapshot's JSON: [tag, attributes, child…] or a text
    if isinstance(node, str):
        return redactor.holds(node)
    if not isinstance(node, list) or not node:
        return False
    parts = cast("list[Any]", node)
    if not isinstance(parts[0], str):
        return False  # a reference to a node of an earlier snapshot, which was looked at there
    attributes = cast("dict[str, str]", parts[1]) if len(parts) > 1 and isinstance(parts[1], dict) else {}
    if attributes.get("type") == "password":
        return False
    shown = any(redactor.holds(value) for value in attributes.values())
    return shown or any(_shows(child, redactor) for child in parts[2:])
